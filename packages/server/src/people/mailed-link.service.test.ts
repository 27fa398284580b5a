import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { type MailServer, startMailServer } from "@sightline/test-kit/mail-server.ts";
import { PersonPage } from "@sightline/test-kit/person-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";

const publicUrl = "https://sightline.example";

async function opened(t: TestContext) {
  const mails = await startMailServer(t);
  const smtpUrl = `smtp://127.0.0.1:${mails.port}`;
  const settings = { publicUrl, smtpUrl, mailFrom: "Sightline <sightline@example.com>" };
  const service = await TestService.start({ settings });
  t.after(() => service.close());
  const account = await service.apply({ account: "One", brand: "One" });
  await PersonPage.join(service, account, { email: "ann@example.com", role: "viewer" });
  const ask = (email: string) =>
    service.post("/console/person/links", { body: { email }, headers: { ...fromConsole } });
  return { service, mails, ask };
}

function arrived(mails: MailServer, count: number) {
  return until("the mail arrives", async () => (mails.received.length >= count ? true : null));
}

test("a link comes by mail, to those who are known, and signs in once", async (t) => {
  const { service, mails, ask } = await opened(t);
  const ways = await service.request("GET", "/console/sign-in", { headers: { ...fromConsole } });
  assert.deepEqual(ways.json(), { provider: null, mail: true });
  const known = await ask("Ann@Example.com");
  const unknown = await ask("nobody@example.com");
  assert.deepEqual([known.status, known.body], [unknown.status, unknown.body]);
  await arrived(mails, 1);
  const [mail] = mails.received;
  assert.deepEqual(mail?.to, ["ann@example.com"]);
  const source = mail?.source.replaceAll("=\r\n", "").replaceAll("=3D", "=") ?? "";
  const code = /https:\/\/sightline\.example\/#person=([\w-]{43})/.exec(source)?.[1];
  const signIn = () =>
    service.post("/console/person/sessions", { body: { code }, headers: { ...fromConsole } });
  assert.equal((await signIn()).status, 200);
  assertProblem(await signIn(), "key_invalid");
  assert.equal(mails.received.length, 1, "nobody else got one");
});

test("a mailbox gets one link a minute, and an address asks for few", async (t) => {
  const { service, mails, ask } = await opened(t);
  for (let count = 0; count < 3; count++) assert.equal((await ask("ann@example.com")).status, 200);
  await arrived(mails, 1);
  service.clock.advance(61_000);
  await ask("ann@example.com");
  await arrived(mails, 2);
  assert.equal(mails.received.length, 2);
  let refused = 0;
  for (let count = 0; count < 30; count++) {
    const { status } = await ask(`somebody.${count}@example.com`);
    if (status === 429) refused++;
  }
  assert.ok(refused > 0);
});

test("without a mail server no link is mailed", async (t) => {
  const service = await TestService.start({ settings: { publicUrl } });
  t.after(() => service.close());
  const body = { email: "ann@example.com" };
  const reply = await service.post("/console/person/links", { body, headers: { ...fromConsole } });
  assertProblem(reply, "not_found");
});

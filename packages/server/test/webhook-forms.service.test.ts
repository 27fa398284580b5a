import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CreatedHookResponse,
  type DeliveriesResponse,
  type ListedDelivery,
  mailedPerDayMax,
} from "@sightline/contract";
import { type MailServerOptions, startMailServer } from "@sightline/test-kit/mail-server.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { startReceiver } from "@sightline/test-kit/webhook-receiver.ts";
import { addDelivery, deliveriesOf, takeMails } from "../src/hooks/delivery-store.ts";
import { hooksOf } from "../src/hooks/hook-store.ts";
import { tellReport } from "../src/hooks/tell-hooks.ts";

const publicUrl = "https://sightline.example.com";
const mailFrom = "Sightline <reports@example.com>";
const secondMs = 1_000;

/** An account with webhooks of these forms, each of which is told of a report with this name. */
async function toldAccount(
  t: AfterHook,
  accountName: string,
  forms: readonly string[],
  options: MailServerOptions = {},
) {
  const mails = await startMailServer(t, options);
  const smtpUrl = `smtp://127.0.0.1:${mails.port}`;
  const settings = { hooksToPrivate: "on", publicUrl, smtpUrl, mailFrom };
  const service = await TestService.start({ settings });
  t.after(() => service.close());
  const accountId = await service.apply({ account: accountName, brand: { name: "Acme" } });
  const token = await service.session(accountId, ["manage"]);
  const receiver = await startReceiver(t);
  const hooks: CreatedHookResponse[] = [];
  for (const form of forms) {
    const url = form === "mail" ? "mailto:one@example.com,two@example.com" : receiver.url;
    const reply = await service.post("/v1/hooks", { token, body: { url, form } });
    assert.equal(reply.status, 200, reply.body);
    hooks.push(reply.json());
  }
  const { clock } = service;
  const { control, webhooks } = service.services;
  const tell = async (name: string) => {
    await tellReport(control, accountId, {
      reportId: "3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c",
      name,
      timeRange: { from: "2026-05-01T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z" },
      address: `${publicUrl}/reports/3f2a`,
      madeAt: clock.now(),
    });
    await webhooks.deliver();
  };
  return { service, accountId, token, receiver, mails, hooks, tell, control, clock, webhooks };
}

/** What a name could do if it were markup. */
const hostile = "<!channel> @everyone [x](https://evil.example)\n**b** & <b>\u202Eevil</b>";

test("a chat gets what happened in words, a link, and no markup of a name", async (t) => {
  const { tell, receiver } = await toldAccount(t, "Acme & Co", ["slack", "teams", "discord"]);
  await tell(hostile);
  const bodies = receiver.received.map(({ body }) => JSON.parse(body) as object);
  const name = "<!channel> @everyone [x](https://evil.example) **b** & <b>evil</b>";
  const slackName = name.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const section = (text: string) => ({
    type: "section",
    text: { type: "mrkdwn", text, verbatim: true },
  });
  const run = (text: string, style = {}) => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text, ...style }],
  });
  const link = `${publicUrl}/reports/3f2a`;
  const about = "About 1 May 2026 to 31 May 2026.";
  const slack = {
    text: `Report: ${slackName}`,
    unfurl_links: false,
    blocks: [
      section(`*Report: ${slackName}*\n${about}\nAccount: Acme &amp; Co`),
      section(`<${link}|Open the report>`),
    ],
  };
  const teams = {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          msteams: { width: "Full" },
          body: [
            run(`Report: ${name}`, { weight: "Bolder", size: "Medium" }),
            run(about),
            run("Account: Acme & Co"),
          ],
          actions: [{ type: "Action.OpenUrl", title: "Open the report", url: link }],
        },
      },
    ],
  };
  const discordName =
    "\\<\\!channel\\> \\@everyone \\[x\\]\\(https\\:\\/\\/evil.example\\) \\*\\*b\\*\\* & " +
    "\\<b\\>evil\\<\\/b\\>";
  const discord = {
    content:
      `**Report\\: ${discordName}**\n${about}\nAccount\\: Acme & Co\n` +
      `[Open the report](<${link}>)`,
    allowed_mentions: { parse: [] },
    flags: 4,
  };
  const all = [slack, teams, discord];
  assert.equal(bodies.length, all.length);
  for (const each of all) {
    assert.ok(bodies.some((body) => JSON.stringify(body) === JSON.stringify(each)));
  }
});

test("a long message stays below what each chat takes", async (t) => {
  const { tell, receiver, control, accountId, webhooks, clock } = await toldAccount(t, "A", [
    "slack",
    "teams",
    "discord",
  ]);
  await tell("&".repeat(5_000));
  const reasons = Array.from({ length: 10 }, () => ({ reason: "<".repeat(900), jobs: 1 }));
  for (const { id: hookId } of await hooksOf(control, accountId)) {
    const data = { provider: "OPENAI", surface: "api", failedSweeps: 3, jobs: 40, reasons };
    const slot = "2026-06-08T04:00:00.000Z";
    const event = { type: "collection-failed", data: { ...data, slot } };
    const times = { createdAt: clock.now(), nextAt: clock.now() };
    const body = JSON.stringify(event);
    await addDelivery(control, accountId, {
      id: `msg_${hookId}`,
      hookId,
      event: "collection-failed",
      body,
      ...times,
    });
  }
  await webhooks.deliver();
  assert.equal(receiver.received.length, 6);
  for (const { body } of receiver.received) {
    assert.ok(Buffer.byteLength(body) < 28 * 1_024, "Teams");
    const { content, blocks } = JSON.parse(body) as {
      readonly content?: string;
      readonly blocks?: readonly { readonly text: { readonly text: string } }[];
    };
    assert.ok((content?.length ?? 0) <= 2_000, "Discord");
    for (const { text } of blocks ?? []) assert.ok(text.text.length <= 3_000, "Slack");
  }
  assert.ok(receiver.received.some(({ body }) => /… and \d+ more/.test(body)));
});

test("a mail says it in text and HTML, to all addresses, and is sent once", async (t) => {
  const { tell, mails, hooks, control, accountId, clock } = await toldAccount(t, "Acme", ["mail"]);
  await tell(hostile);
  await tell(hostile);
  const [mail, ...others] = mails.received;
  assert.deepEqual(others, [], "a report is told of once");
  assert.deepEqual(mail?.to, ["one@example.com", "two@example.com"]);
  const source = (mail?.source ?? "").replaceAll("=\r\n", "").replaceAll("\r\n", "\n");
  assert.match(source, /^Subject: Report: <!channel> @everyone \[x\]\(https:\/\/evil\.example\)/m);
  assert.match(source, /\nAbout 1 May 2026 to 31 May 2026\.\nAccount: Acme\n\nOpen the report: /);
  assert.match(source, /<h1 style=3D"font-size:18px">Report: &#60;!channel&#62; @everyone \[x\]/);
  assert.doesNotMatch(source.slice(source.indexOf("<!doctype html>")), /<b>|<!channel>|\u202E/);
  const [hook] = hooks;
  const [delivery] = await deliveriesOf(control, accountId, hook?.id ?? "", clock.now());
  assert.match(source, new RegExp(`^Message-ID: <${delivery?.id}@example\\.com>$`, "m"));
  assert.deepEqual(
    [delivery?.state, delivery?.attempts.map(({ status, error }) => [status, error])],
    ["delivered", [[250, null]]],
  );
});

test("a mail is tried again as a request is, and ends where a mailbox is gone", async (t) => {
  const { tell, mails, hooks, control, accountId, clock, webhooks } = await toldAccount(t, "A", [
    "mail",
  ]);
  const hookId = hooks[0]?.id ?? "";
  const last = async () => (await deliveriesOf(control, accountId, hookId, clock.now()))[0];
  mails.refusals.push(451);
  await tell("Monthly");
  assert.deepEqual((await last())?.state, "pending");
  clock.advance(120 * secondMs);
  mails.unknown.add("two@example.com");
  await webhooks.deliver();
  const refused = "the SMTP server refused the mail";
  const partly = "taken for 1 of 2 addresses";
  const shown = (attempts: NonNullable<Awaited<ReturnType<typeof last>>>["attempts"] = []) =>
    attempts.map(({ status, error }) => [status, error]);
  const delivered = await last();
  assert.equal(delivered?.state, "delivered");
  assert.deepEqual(shown(delivered?.attempts), [
    [451, refused],
    [250, partly],
  ]);
  mails.unknown.add("one@example.com");
  const [stored] = await hooksOf(control, accountId);
  assert.ok(stored !== undefined);
  const tested = await webhooks.test(stored, {
    kind: "service",
    id: null,
    name: "",
    requestId: null,
  });
  assert.deepEqual(
    [tested.state, shown(tested.attempts)],
    ["failed", [[550, "the SMTP server refused the addresses"]]],
  );
  assert.equal((await hooksOf(control, accountId))[0]?.disabledAt, clock.now());
});

test("what a form needs is said, and what a webhook has is listed", async (t) => {
  const { service, token, hooks } = await toldAccount(t, "A", ["mail", "teams"]);
  assert.deepEqual(
    hooks.map(({ url, form }) => [url.replace(/^http:.*/, "http"), form]),
    [
      ["mailto:one@example.com,two@example.com", "mail"],
      ["http", "teams"],
    ],
  );
  const created = async (body: object) => {
    const reply = await service.post("/v1/hooks", { token, body });
    if (reply.status === 200) {
      (await ServedSchemas.of(service)).assertValid("CreatedHookResponseDto", reply.json());
      const { url, form } = reply.json<CreatedHookResponse>();
      return `${form} ${url}`;
    }
    const { errors } = reply.json<{ errors: { path: string; code: string; message: string }[] }>();
    return errors.map(({ path, code, message }) => `${path} ${code} ${message}`).join("\n");
  };
  const url = "https://hooks.example.com/";
  const mailto = "mailto:a@example.com";
  const many = Array.from({ length: 21 }, (_, each) => `a${each}@example.com`);
  assert.equal(
    await created({ url: "MAILTO:A%2Bb@Example.com, a%2Bb@example.com" }),
    "mail mailto:a+b@example.com",
  );
  assert.deepEqual(
    [
      await created({ url, form: "mail" }),
      await created({ url: mailto, form: "slack" }),
      await created({ url: "mailto:a@example.com\nb@example.com" }),
      await created({ url: "mailto:a@example.com?subject=x" }),
      await created({ url: `mailto:${many.join(",")}` }),
      await created({ url, form: "xml" }),
    ],
    [
      "/form not_allowed must be json, slack, teams or discord for an https address; mail needs " +
        "a mailto address.",
      '/form not_allowed must be mail for a mailto address, got "slack".',
      "/url not_allowed must be mailto: and comma-separated addresses, such as " +
        'mailto:person@example.com; got "a@example.com\\nb@example.com".',
      "/url not_allowed must have addresses alone, without ? and #.",
      "/url not_allowed must have at most 20 addresses, got 21.",
      '/form not_allowed must be json, slack, teams, discord or mail, got "xml".',
    ],
  );
  const plain = await TestService.start({ settings: { hooksToPrivate: "on" } });
  t.after(() => plain.close());
  const otherId = await plain.apply({ account: "B", brand: "Acme" });
  const other = await plain.session(otherId, ["manage"]);
  const refused = await plain.post("/v1/hooks", { token: other, body: { url: mailto } });
  assert.deepEqual(refused.json<{ errors: object[] }>().errors, [
    {
      path: "/url",
      code: "not_allowed",
      message: "must not be mailto: the service sends no mails (SIGHTLINE_SMTP_URL is not set).",
    },
  ]);
});

test("tests of mails are bounded, so that nobody's mailbox is filled", async (t) => {
  const told = await toldAccount(t, "A", ["mail", "mail"]);
  const { service, accountId, token, hooks, mails, clock } = told;
  const [one, two] = hooks.map(({ id }) => `/v1/hooks/${id}/test`);
  for (let each = 0; each < 10; each += 1) {
    const reply = await service.post((each % 2 === 0 ? one : two) ?? "", { token });
    assert.equal(reply.json<ListedDelivery>().state, "delivered");
  }
  const refused = await service.post(one ?? "", { token });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers["retry-after"], "3600");
  assert.equal(mails.received.length, 10);
  clock.advance(3_600 * secondMs);
  const fresh = await service.session(accountId, ["manage"]);
  assert.equal((await service.post(one ?? "", { token: fresh })).status, 200);
});

test("a day's mails are bounded, and the log of deliveries says so", async (t) => {
  const told = await toldAccount(t, "A", ["mail", "json"]);
  const { service, accountId, hooks, mails, clock, control, webhooks, receiver } = told;
  const [mail, json] = hooks.map(({ id }) => id);
  const tellMany = async (from: number, reports: number) => {
    for (let each = from; each < from + reports; each += 1) {
      await tellReport(control, accountId, {
        reportId: `00000000-0000-4000-8000-${String(each).padStart(12, "0")}`,
        name: "Weekly",
        timeRange: { from: "2026-05-01T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z" },
        address: null,
        madeAt: clock.now(),
      });
    }
    await webhooks.deliver();
  };
  // Two mailboxes get each, and the server refuses one: it is sent later.
  await takeMails(control, accountId, { mailboxes: mailedPerDayMax - 4, now: clock.now() });
  mails.refusals.push(451);
  await tellMany(0, 3);
  assert.equal(mails.received.length, 2);
  const statesOf = async (hookId = "") =>
    (await deliveriesOf(control, accountId, hookId, clock.now())).map(({ state }) => state);
  assert.deepEqual((await statesOf(mail)).toSorted(), ["delivered", "delivered", "pending"]);
  clock.advance(120 * secondMs);
  await webhooks.deliver();
  const token = await service.session(accountId, ["manage"]);
  const reply = await service.request("GET", `/v1/hooks/${mail}/deliveries`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { deliveries } = reply.json<DeliveriesResponse>();
  const failed = deliveries.find(({ state }) => state === "failed");
  const error =
    "the account's webhooks have mailed as many as 1000 mailboxes since midnight, UTC: the mail " +
    "is not sent";
  const attempt = { at: new Date(clock.now()).toISOString(), status: null, durationMs: 0, error };
  assert.deepEqual(failed?.attempts.slice(1), [attempt]);
  assert.deepEqual([failed?.nextAttemptAt, mails.received.length], [null, 2]);
  const tested = await service.post(`/v1/hooks/${mail}/test`, { token });
  assert.deepEqual(tested.json<ListedDelivery>().attempts, [attempt]);
  assert.deepEqual(
    [await statesOf(json), receiver.received.length],
    [Array(3).fill("delivered"), 3],
  );
  assert.equal(
    (await hooksOf(control, accountId)).every(({ disabledAt }) => disabledAt === null),
    true,
  );
  clock.advance(12 * 3_600 * secondMs);
  await tellMany(3, 1);
  assert.equal(mails.received.length, 3, "the next day has its own");
});

test("a mail that a stop of the service interrupts is not counted", async (t) => {
  let stop: () => Promise<void> = async () => assert.fail("a mail came too early");
  const onMail = () => stop();
  const { tell, control, webhooks } = await toldAccount(t, "A", ["mail"], { onMail });
  stop = () => webhooks.close();
  await tell("Monthly");
  const counts = await control.database.selectFrom("mail_counts").select("mailboxes").execute();
  assert.deepEqual(counts, [{ mailboxes: 0 }]);
});

test("a report that is made is told of once, with where it is read", async (t) => {
  const receiver = await startReceiver(t);
  const service = await TestService.start({ settings: { hooksToPrivate: "on", publicUrl } });
  t.after(() => service.close());
  const reports = [{ name: "Weekly", period: "last-week" }];
  const accountId = await service.apply({ account: "Reporting", brand: "Acme", reports });
  const token = await service.session(accountId, ["manage"]);
  const hook = { url: receiver.url, events: ["report-made"] };
  assert.equal((await service.post("/v1/hooks", { token, body: hook })).status, 200);
  const period = { startDate: "2026-05-25", endDate: "2026-05-31" };
  const made = await service.post("/v1/reports", { token, body: { report: "Weekly", period } });
  const { id } = made.json<{ id: string }>();
  await service.services.webhooks.deliver();
  await service.services.webhooks.deliver();
  const events = receiver.received.map(({ body }) => JSON.parse(body) as { data: object });
  assert.deepEqual(
    events.map(({ data }) => data),
    [
      {
        reportId: id,
        name: "Weekly",
        timeRange: { from: "2026-05-25T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z" },
        address: `${publicUrl}/?account=${accountId}&page=reports`,
      },
    ],
  );
});

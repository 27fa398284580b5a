import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { CreatedHookResponse, DeliveriesResponse, ListedDelivery } from "@sightline/contract";
import { startMailServer } from "@sightline/test-kit/mail-server.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { progressOf, totalsOf } from "../src/accounts/progress-store.ts";
import { usageOfKey } from "../src/keys/limits/usage-store.ts";
import { openSqlite } from "../src/platform/sqlite.ts";

const body = { interval: "daily", filters: { timeRange: sampleRange } };

test("while another process writes control for long, callers are served as ever", async (t) => {
  const { service, accountId } = await startSample(t, { rateLimit: "off", dailyQuota: "9" });
  const key = await service.key(accountId);
  const { control, limits, folder } = service.services;
  const other = openSqlite(folder.control);
  other.exec("begin immediate");
  const started = performance.now();
  const exchanged = await service.post("/v1/auth/accesskey/exchange", { token: key });
  assert.equal(exchanged.status, 200);
  const { sessionJwt, keyId } = exchanged.json<{ sessionJwt: string; keyId: string }>();
  const asked = await service.post("/v1/analytics/brands/rank", { token: sessionJwt, body });
  assert.equal(asked.status, 200);
  await assert.rejects(limits.save(), /locked|busy/);
  assert.ok(performance.now() - started < 5_000, "nobody waited for the other's end");

  other.exec("rollback");
  other.close();
  await limits.save();
  const day = Math.floor(service.clock.now() / 86_400_000);
  assert.equal(await usageOfKey(control, keyId, day), 2);
});

test("a busy control is logged once it stays busy, and its notes are written later", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const { answers, control, folder, logger } = service.services;
  const { mock } = t.mock.method(logger, "error");
  const notes = t.mock.method(control.database, "transaction").mock;
  const tried = async (times: number) => {
    const enough = notes.callCount() + times;
    await until("it is tried again", () => (notes.callCount() >= enough ? true : null));
  };
  const logged = () => mock.calls.map(({ arguments: [, message] }) => message);
  await until("facts", async () => ((await totalsOf(control)).behind === 0 ? true : null));
  const counted = async () => {
    const asked = await service.post("/v1/analytics/brands/mentions", { token, body });
    assert.equal(asked.status, 200);
    return asked.body;
  };
  const before = await counted();
  const other = openSqlite(folder.control);
  other.exec("begin immediate");
  const [first] = await answers.read(accountId, { after: 0, limit: 1 });
  assert.ok(first !== undefined);
  const { sequence: _, ...answer } = first;
  await answers.record(accountId, [{ ...answer, id: randomUUID(), sample: 99 }]);
  service.clock.advance(6_000); // the record of an account that is asked is compared with its facts
  await until("it counts", async () => ((await counted()) === before ? null : true));
  const progress = async () => (await progressOf(control, accountId))?.projected?.sequence ?? 0;
  const noted = await progress();
  await tried(5);
  assert.deepEqual(logged(), []);
  service.clock.advance(10_000);
  await until("it is logged", () => (logged().length > 0 ? true : null));
  await tried(3);
  assert.deepEqual(logged(), ["looking for new answers failed"]);
  assert.equal(await progress(), noted);
  other.exec("rollback");
  other.close();
  await until("it is noted", async () => ((await progress()) > noted ? true : null));
});

/** Tables that are written when a mail is sent. */
type MailTable = "mail_counts" | "hook_deliveries";

/**
 * An account with a webhook that mails. Another process locks control at `lockAt`, until a table of
 * mails was tried to be written `triesMax` times since then.
 */
async function mailingAccount(
  t: TestContext,
  lockAt: "a mail has come" | "a mail is counted",
  triesMax = 2,
) {
  let mails = 0;
  const onMail = async () => {
    mails++;
    if (lockAt === "a mail has come") lockOnce();
  };
  const { port, refusals } = await startMailServer(t, { onMail });
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  const service = await TestService.start({ settings: { smtpUrl, mailFrom: "a@example.com" } });
  t.after(() => service.close());
  const { control, folder } = service.services;
  const token = await service.session(
    await service.apply({ account: "Acme", brand: { name: "Acme" } }),
    ["manage"],
  );
  const body = { url: "mailto:one@example.com" };
  const { id } = (await service.post("/v1/hooks", { token, body })).json<CreatedHookResponse>();

  const other = openSqlite(folder.control);
  t.after(() => void other.close());
  const { database } = control;
  const [insertInto, updateTable] = [
    database.insertInto.bind(database),
    database.updateTable.bind(database),
  ];
  const isOfMails = (table: string) => table === "mail_counts" || table === "hook_deliveries";
  let [tries, isLocked] = [0, false];
  const released = Promise.withResolvers<void>();
  const lockOnce = () => {
    if (isLocked) return;
    isLocked = true;
    other.exec("begin immediate");
    const enough = tries + triesMax;
    const tried = until("it is tried again", () => (tries >= enough ? true : null));
    released.resolve(tried.then(() => void other.exec("rollback")));
  };
  t.mock.method(database, "insertInto", (table: MailTable) => {
    if (table === "mail_counts" && lockAt === "a mail is counted") lockOnce();
    if (isOfMails(table)) tries++;
    return insertInto(table);
  });
  t.mock.method(database, "updateTable", (table: MailTable) => {
    if (isOfMails(table)) tries++;
    return updateTable(table);
  });
  const attemptsOf = ({ attempts }: ListedDelivery) =>
    attempts.map(({ status, error }) => [status, error]);
  return {
    refusals,
    service,
    /** Sends a test of the webhook. */
    test: () => service.post(`/v1/hooks/${id}/test`, { token }),
    /** What came of it. */
    outcome: async () => {
      await released.promise;
      const headers = { authorization: `Bearer ${token}` };
      const listed = await service.request("GET", `/v1/hooks/${id}/deliveries`, { headers });
      const { deliveries } = listed.json<DeliveriesResponse>();
      const counts = await database.selectFrom("mail_counts").select("mailboxes").execute();
      assert.equal(isLocked, true);
      return { mails, attempts: deliveries.map(attemptsOf), counts };
    },
  };
}

test("a mail is sent once though control is busy when the server refused it", async (t) => {
  const { refusals, test, outcome } = await mailingAccount(t, "a mail has come");
  refusals.push(451);
  assert.equal((await test()).status, 200);
  assert.deepEqual(await outcome(), {
    mails: 1,
    attempts: [[[451, "the SMTP server refused the mail"]]],
    counts: [{ mailboxes: 0 }],
  });
});

test("a test of a mail is queued once though control is busy when it is counted", async (t) => {
  const { test, outcome } = await mailingAccount(t, "a mail is counted");
  assert.equal((await test()).status, 200);
  assert.deepEqual(await outcome(), sent);
});

const sent = { mails: 1, attempts: [[[250, null]]], counts: [{ mailboxes: 1 }] };

test("a test of a mail that cannot be counted for long is sent a minute later", async (t) => {
  // As often as it is tried.
  const { service, test, outcome } = await mailingAccount(t, "a mail is counted", 5);
  const refused = await test();
  assertProblem(refused, "overloaded");
  assert.equal(refused.headers["retry-after"], "60");
  assert.deepEqual(await outcome(), { mails: 0, attempts: [[]], counts: [] });
  service.clock.advance(60_000);
  await service.services.webhooks.deliver();
  assert.deepEqual(await outcome(), sent);
});

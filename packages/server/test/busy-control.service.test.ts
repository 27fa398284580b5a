import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
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

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { accountId, answer } from "@sightline/test-kit/contracts/record-fixtures.ts";
import { controlOf } from "@sightline/test-kit/engines/control-of.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { sql } from "kysely";
import { textsRemovedBefore } from "../../accounts/account-store.ts";
import { openDataFolder } from "../../platform/data-folder.ts";
import { createLogger } from "../../platform/logger.ts";
import { sqliteAnswerStore } from "../sqlite/sqlite-answer-store.ts";
import { Retention } from "./retention.ts";

const dayMs = 86_400_000;

/** What removes texts after five days, over one account, ten days after its answer. */
async function retaining(t: TestContext) {
  const root = temporaryFolder();
  const dataDir = join(root, "data");
  const folder = openDataFolder(dataDir);
  const clock = new HeldClock(answer.answeredAt + 10 * dayMs);
  const control = await controlOf(accountId, clock, { sqlite: folder.control });
  const store = sqliteAnswerStore(folder, clock);
  const retention = new Retention({
    records: { dataDir },
    control,
    clock,
    logger: createLogger("silent"),
    keepTexts: 5,
    keepRaw: "off" as const,
  });
  t.after(async () => {
    await Promise.all([retention.close(), store.close(), control.close()]);
    rmSync(root, { recursive: true });
  });
  return { retention, control, store, clock };
}

test("accounts that cannot be listed once are looked at the next time", async (t) => {
  const { retention, control, store } = await retaining(t);
  await store.record(accountId, [answer]);
  await sql`alter table accounts rename to away`.execute(control.database);
  await assert.rejects(retention.removeDue(), /no such table/);
  await sql`alter table away rename to accounts`.execute(control.database);
  await retention.removeDue();
  assert.notEqual(await textsRemovedBefore(control, accountId), null);
});

test("texts that a step removed before it died are noted by the next one", async (t) => {
  const { retention, control, store, clock } = await retaining(t);
  await retention.removeDue();
  assert.equal(await textsRemovedBefore(control, accountId), null, "there is no answer yet");
  await store.record(accountId, [answer]);
  clock.advance(dayMs);
  const beforeMs = Math.floor(clock.now() / dayMs) * dayMs - 5 * dayMs;
  const removal = { fromMs: 0, beforeMs, limit: 10, mentionedIn: () => [] };
  assert.equal((await store.removeTexts(accountId, removal)).answers, 1);
  await retention.removeDue();
  assert.equal(await textsRemovedBefore(control, accountId), beforeMs);
});

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { controlOf } from "../../../test/control-of.ts";
import { HeldClock } from "../../../test/held-clock.ts";
import { accountId, answer } from "../../../test/record-fixtures.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import { openDataFolder } from "../../platform/data-folder.ts";
import { createLogger } from "../../platform/logger.ts";
import { sqliteAnswerStore } from "../sqlite/sqlite-answer-store.ts";
import { Retention } from "./retention.ts";

const dayMs = 86_400_000;

test("accounts that cannot be listed once are looked at the next time", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  let looks = 0;
  const retention = new Retention({
    records: { dataDir },
    control: {
      accounts: async () => {
        looks++;
        if (looks === 1) throw new Error("PostgreSQL is away");
        return [];
      },
      noteTextsRemoved: async () => undefined,
    },
    clock: new HeldClock(),
    logger: createLogger("silent"),
    keepTexts: 120,
    keepRaw: "off",
  });
  t.after(() => retention.close());
  await assert.rejects(retention.removeDue(), /away/);
  await retention.removeDue();
  assert.equal(looks, 2);
});

test("texts that a step removed before it died are noted by the next one", async (t) => {
  const root = temporaryFolder();
  const dataDir = join(root, "data");
  const folder = openDataFolder(dataDir);
  const clock = new HeldClock(answer.answeredAt + 10 * dayMs);
  const control = await controlOf(accountId, clock, { sqlite: folder.control });
  const store = sqliteAnswerStore(folder, clock);
  const retention = new Retention({
    ...{ records: { dataDir }, control, clock, logger: createLogger("silent") },
    ...{ keepTexts: 5, keepRaw: "off" as const },
  });
  t.after(async () => {
    await Promise.all([retention.close(), store.close(), control.close()]);
    rmSync(root, { recursive: true });
  });
  await retention.removeDue();
  assert.equal(await control.textsRemovedBefore(accountId), null, "there is no answer yet");
  await store.record(accountId, [answer]);
  clock.advance(dayMs);
  const beforeMs = Math.floor(clock.now() / dayMs) * dayMs - 5 * dayMs;
  const removal = { fromMs: 0, beforeMs, limit: 10, mentionedIn: () => [] };
  assert.equal((await store.removeTexts(accountId, removal)).answers, 1);
  await retention.removeDue();
  assert.equal(await control.textsRemovedBefore(accountId), beforeMs);
});

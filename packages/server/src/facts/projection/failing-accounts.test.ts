import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldClock } from "../../../test/held-clock.ts";
import { recordedLog } from "../../../test/recorded-log.ts";
import { RecordError } from "../../answers/answer-store.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { FactsError } from "../facts-engine.ts";
import { FailingAccounts } from "./failing-accounts.ts";

const accountId = "cccccccc-0000-4000-8000-000000000001";

function failingAccounts() {
  const { logger, lines } = recordedLog();
  const clock = new HeldClock();
  const metrics = createMetrics();
  return { failing: new FailingAccounts({ logger, metrics, clock }), clock, lines, metrics };
}

/** Milliseconds until the account is due again. */
function pauseOf(failing: FailingAccounts, clock: HeldClock): number {
  let ms = 0;
  for (; !failing.isDue(accountId); ms += 1_000) clock.advance(1_000);
  return ms;
}

test("an account is tried again ever more slowly, up to 30 seconds", () => {
  const { failing, clock } = failingAccounts();
  const pauses = Array.from({ length: 6 }, () => {
    failing.failed(accountId, new Error("no"));
    return pauseOf(failing, clock);
  });
  assert.deepEqual(pauses, [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test("a failure is logged when it begins, changes and ends, and counted meanwhile", async () => {
  const { failing, clock, lines, metrics } = failingAccounts();
  const count = async () => (await metrics.failingAccounts.get()).values[0]?.value;
  for (let attempt = 0; attempt < 20; attempt++) {
    failing.failed(accountId, new RecordError("file is not a database"));
    clock.advance(30_000);
  }
  failing.failed(accountId, new FactsError("unavailable", "Could not set lock on file"));
  assert.equal(await count(), 1);
  failing.recovered(accountId);
  failing.recovered(accountId);
  assert.equal(await count(), 0);
  assert.deepEqual(
    lines.map(({ level, msg, reason, attempts, ms }) => [level, msg, reason, attempts, ms]),
    [
      [50, "account fails", "record_unreadable", undefined, undefined],
      [50, "account fails", "facts_unreadable", undefined, undefined],
      [30, "account recovered", "facts_unreadable", 21, 600_000],
    ],
  );
});

test("each kind of failure has its reason", () => {
  const { failing } = failingAccounts();
  const reasons = [
    new RecordError("malformed"),
    new FactsError("unavailable", "IO Error: Too many open files"),
    new FactsError("disk-full", "IO Error: No space left on device"),
    new Error("extraction failed"),
  ].map((error) => {
    failing.failed(accountId, error);
    return failing.list();
  });
  assert.deepEqual(
    reasons.flat().map(({ reason }) => reason),
    ["record_unreadable", "facts_unreadable", "disk_full", "projection_failed"],
  );
});

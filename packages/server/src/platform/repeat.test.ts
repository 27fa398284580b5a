import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { oneTurn } from "@sightline/test-kit/turns-during.ts";
import { repeat } from "./repeat.ts";

test("a task that fails, before its first wait too, is logged and tried again", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { logger, lines } = recordedLog();
  let runs = 0;
  const failsAtOnce = (): Promise<void> => {
    runs++;
    throw new Error("no folder");
  };
  const stop = repeat(logger, [{ what: "looking", everyMs: 10, work: failsAtOnce }]);
  for (let times = 0; times < 2; times++) {
    t.mock.timers.tick(10);
    await oneTurn();
  }
  stop();
  assert.equal(runs, 2);
  assert.deepEqual(
    lines.map(({ msg, error }) => [msg, error]),
    [1, 2].map(() => ["looking failed", "Error: no folder"]),
  );
});

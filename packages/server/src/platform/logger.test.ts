import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { proseOf } from "./logger.ts";

test("a line of the log as prose", () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(proseOf(line)) });
  log.error({ error: "SqliteError: database is locked" }, "looking for new answers failed");
  log.warn("Redis does not count calls");
  assert.deepEqual(lines, [
    "error: looking for new answers failed (SqliteError: database is locked)\n",
    "warn: Redis does not count calls\n",
  ]);
});

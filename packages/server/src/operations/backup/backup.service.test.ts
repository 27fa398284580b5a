import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { accountId, answer, idOf } from "@sightline/test-kit/contracts/record-fixtures.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { nextTurn } from "../../platform/turns.ts";
import { openStorage } from "../../storage.ts";
import { backup } from "./backup.ts";
import { restore } from "./restore.ts";

/** So that the test ends when the backup does not. */
const writesMax = 5_000;

test("a backup ends although answers are recorded all the while", async (t) => {
  const place = temporaryFolder();
  t.after(() => rmSync(place, { recursive: true }));
  const { folder, answers, close } = await openStorage(join(place, "data"));
  // More than SQLite copies at a time.
  const text = randomBytes(400_000).toString("hex");
  const large = Array.from({ length: 20 }, (_, place) => ({ ...answer, id: idOf(place), text }));
  await answers.record(accountId, large);
  const target = join(place, "backup.tar.zst");
  let isOver = false;
  const done = backup(folder, target).finally(() => {
    isOver = true;
  });
  let written = 0;
  for (; !isOver && written < writesMax; written++) {
    await answers.record(accountId, [{ ...answer, id: idOf(large.length + written) }]);
    await nextTurn();
  }
  await done;
  await close();
  assert.ok(written < writesMax, `the backup waited for the end of ${written} writes`);
  await restore(target, join(place, "restored"));
  const restored = await openStorage(join(place, "restored"));
  const { sequence } = await restored.answers.end(accountId);
  assert.ok(sequence >= large.length, `${sequence} answers were restored`);
  await restored.close();
});

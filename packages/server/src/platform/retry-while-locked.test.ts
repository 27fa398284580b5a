import assert from "node:assert/strict";
import { test } from "node:test";
import { retryWhileLocked } from "./retry-while-locked.ts";

const locked = Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });

function lockedFor(attempts: number) {
  let made = 0;
  return async () => {
    if (made++ < attempts) throw locked;
    return made;
  };
}

test("work on a locked file is tried again after each pause, and no further", async () => {
  assert.equal(await retryWhileLocked(lockedFor(2), [0, 0]), 3);
  await assert.rejects(retryWhileLocked(lockedFor(3), [0, 0]), locked);
});

test("what fails for another reason is not tried again", async () => {
  let attempts = 0;
  const failing = async () => {
    attempts++;
    throw new Error("no");
  };
  await assert.rejects(retryWhileLocked(failing, [0, 0]), /^Error: no$/);
  assert.equal(attempts, 1);
});

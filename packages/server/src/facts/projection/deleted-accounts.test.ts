import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldClock } from "../../../test/held-clock.ts";
import { systemClock } from "../../platform/clock.ts";
import { DeletedAccounts, type DeletedAccountsTools } from "./deleted-accounts.ts";

test("an account that cannot be erased does not keep the others, and is tried again", async () => {
  const ended: string[] = [];
  let canErase = false;
  let forgotten = 0;
  const long = { atMs: 0, isEnded: false };
  const deleted = new DeletedAccounts({
    clock: systemClock,
    control: {
      deletions: async () => [
        { accountId: "locked", ...long },
        { accountId: "other", ...long },
      ],
      revision: async () => null,
      whileDeleted: async (_accountId, work) => work().then(() => true),
      forgetDeletions: async () => void forgotten++,
    },
    engine: {
      release: async () => undefined,
      erase: async (accountId) => {
        if (accountId === "locked" && !canErase) throw new Error("EACCES: permission denied");
      },
    },
    projection: { forget: async () => undefined },
    corrections: {
      api: {
        correct: async (accountId) => {
          ended.push(accountId);
          return null;
        },
      },
    },
  } satisfies DeletedAccountsTools);
  await assert.rejects(deleted.look(), /EACCES/);
  assert.deepEqual([ended, forgotten], [["other"], 1]);
  canErase = true;
  await deleted.look();
  assert.ok(ended.includes("locked"));
});

test("an account that was made anew is closed once, and then left alone", async () => {
  const clock = new HeldClock();
  const done: string[] = [];
  const deleted = new DeletedAccounts({
    clock,
    control: {
      deletions: async () => [{ accountId: "anew", atMs: 0, isEnded: true }],
      revision: async () => 2,
      whileDeleted: async () => false,
      forgetDeletions: async () => undefined,
    },
    engine: {
      release: async () => void done.push("release"),
      erase: async () => undefined,
    },
    projection: { forget: async () => void done.push("forget") },
    corrections: { api: { correct: async () => null } },
  } satisfies DeletedAccountsTools);
  await deleted.look(); // what is open of the old one must be closed
  assert.deepEqual(done, ["forget", "release"]);
  clock.advance(60_000);
  await deleted.look();
  assert.deepEqual(done, ["forget", "release"]);
});

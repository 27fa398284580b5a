import assert from "node:assert/strict";
import { test } from "node:test";
import { controlOf } from "@sightline/test-kit/engines/control-of.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { deleteAccount, deletedAccounts, endDeletion } from "../../accounts/account-deletions.ts";
import { applyWorkspace } from "../../accounts/apply-workspace.ts";
import { DeletedAccounts, type DeletedAccountsTools } from "./deleted-accounts.ts";

const nothing = { accountName: "Acme", entities: [], topics: [], prompts: [] };

test("an account that cannot be erased does not keep the others, and is tried again", async (t) => {
  const clock = new HeldClock();
  const control = await controlOf("old", clock);
  t.after(() => control.close());
  await deleteAccount(control, "old", clock.now());
  await endDeletion(control, "old", clock.now());
  clock.advance(3_600_001);
  for (const accountId of ["locked", "other"]) {
    await applyWorkspace(control, accountId, { accountId, ...nothing }, { now: clock.now() });
    await deleteAccount(control, accountId, clock.now());
  }
  clock.advance(30_000);
  const ended: string[] = [];
  let canErase = false;
  const deleted = new DeletedAccounts({
    clock,
    control,
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
  assert.deepEqual(ended, ["old", "other"]);
  const noted = (await deletedAccounts(control)).map(({ accountId }) => accountId);
  assert.deepEqual(noted, ["locked", "other"], "the old one is forgotten all the same");
  canErase = true;
  await deleted.look();
  assert.ok(ended.includes("locked"));
});

test("an account that was made anew is closed once, and then left alone", async (t) => {
  const clock = new HeldClock();
  const control = await controlOf("anew", clock);
  t.after(() => control.close());
  await deleteAccount(control, "anew", clock.now());
  await endDeletion(control, "anew", clock.now());
  await applyWorkspace(control, "anew", { accountId: "anew", ...nothing }, { now: clock.now() });
  const done: string[] = [];
  const deleted = new DeletedAccounts({
    clock,
    control,
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

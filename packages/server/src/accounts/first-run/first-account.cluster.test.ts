import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { controlAddress, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { openControl } from "../../control/control.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import { KeyRing } from "../../keys/key-ring.ts";
import { keysOf } from "../../keys/key-store.ts";
import { retryWhileLocked } from "../../platform/retry-while-locked.ts";
import { allAccounts } from "../account-store.ts";
import { applyWorkspace } from "../apply-workspace.ts";
import { readWorkspaceFile } from "../workspace-file/read-workspace-file.ts";
import { firstRunCode, firstRunLink, isUnused, requireFirst } from "./link.ts";

const pepper = Buffer.alloc(32, 7);
const nodesTotal = 4;

testOnEachEngine("a link used concurrently on several nodes works once", async (t, engine) => {
  const address = await controlAddress(t, engine);
  const clock = new HeldClock();
  const nodes: { readonly control: ControlEngine; readonly keyRing: KeyRing }[] = [];
  for (let count = 0; count < nodesTotal; count++) {
    // Of one thread: a longer wait for the file would keep its holder from going on.
    const control = await openControl(address, clock, { writeWaitMs: 1 });
    t.after(() => control.close());
    nodes.push({ control, keyRing: new KeyRing(control, pepper, clock) });
  }
  const code = firstRunCode(nodes[0]?.keyRing as KeyRing, clock.now());
  const outcomes = await Promise.allSettled(
    nodes.map(async ({ control, keyRing }) => {
      // Any node knows a link of another one, which is stored nowhere.
      const link = firstRunLink(keyRing, code, clock.now());
      // Another node may be done before this one looks.
      if (link === null || !(await isUnused(control, link))) throw new Error("The link was used");
      const accountId = randomUUID();
      const workspace = readWorkspaceFile('{ account: Acme, brand: Acme, prompts: ["Which?"] }', {
        accountId,
      });
      const apply = () =>
        applyWorkspace(control, accountId, workspace, {
          now: clock.now(),
          also: async (within) => {
            await requireFirst(within, accountId, link.since);
            await keyRing.create(accountId, { name: "first", expiresAt: null }, within);
          },
        });
      await retryWhileLocked(apply, new Array(40).fill(25));
      return accountId;
    }),
  );
  const [winner, ...others] = outcomes.filter((each) => each.status === "fulfilled");
  assert.deepEqual([others.length, outcomes.length], [0, nodesTotal]);
  for (const each of outcomes) {
    if (each.status === "rejected") assert.match(String(each.reason), /The link was used/);
  }
  for (const { control } of nodes) {
    assert.deepEqual(
      (await allAccounts(control)).map(({ id }) => id),
      [winner?.value],
    );
    assert.deepEqual(
      (await keysOf(control, null)).map(({ accountId }) => accountId),
      [winner?.value],
    );
  }
});

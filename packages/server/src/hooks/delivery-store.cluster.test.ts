import assert from "node:assert/strict";
import { mailedPerDayMax } from "@sightline/contract";
import { openNodes, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { deleteAccount } from "../accounts/account-deletions.ts";
import { applyWorkspace } from "../accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { giveMailsBack, takeMails } from "./delivery-store.ts";

const dayMs = 86_400_000;

async function account(control: ControlEngine, name: string): Promise<string> {
  const workspace = readWorkspaceFile(JSON.stringify({ account: { name }, brand: name }));
  await applyWorkspace(control, workspace.accountId, workspace, { now: new HeldClock().now() });
  return workspace.accountId;
}

testOnEachEngine("an account's mails of a day are bounded, on all nodes", async (t, engine) => {
  const clock = new HeldClock();
  const nodes = await openNodes(t, engine, clock);
  const [one, two] = nodes;
  const [accountId, foreignId] = [await account(one, "One"), await account(one, "Two")];
  const now = clock.now();
  const take = (node: ControlEngine, mailboxes: number, atMs = now) =>
    takeMails(node, accountId, { mailboxes, now: atMs });
  assert.equal(await take(one, mailedPerDayMax - 20), true);
  const last = await Promise.all([...nodes, ...nodes].map((node) => take(node, 10)));
  assert.deepEqual(last.toSorted(), [false, false, true, true]);
  assert.equal(await take(two, 1), false);
  assert.equal(await takeMails(two, foreignId, { mailboxes: 1, now }), true);
  await giveMailsBack(two, accountId, { mailboxes: 5, now });
  assert.deepEqual(
    [await take(one, 6), await take(one, 5), await take(one, 1)],
    [false, true, false],
  );
  assert.equal(await take(two, 3, now + dayMs), true, "the next day begins anew");
  assert.equal(await take(one, mailedPerDayMax - 2, now), false, "whose clock is late counts too");
  await giveMailsBack(one, accountId, { mailboxes: 5, now });
  assert.equal(await take(two, mailedPerDayMax - 2, now + dayMs), false, "of a day that ended");
  assert.equal(await take(two, mailedPerDayMax - 3, now + dayMs), true);
  assert.equal(await deleteAccount(one, accountId, now), true);
  const left = one.database.selectFrom("mail_counts").select("account_id");
  assert.deepEqual(await left.execute(), [{ account_id: foreignId }]);
});

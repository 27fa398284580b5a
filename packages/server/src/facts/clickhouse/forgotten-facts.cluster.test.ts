import assert from "node:assert/strict";
import { test } from "node:test";
import { factsSnapshot } from "@sightline/test-kit/contracts/arbitrary-facts.ts";
import {
  accountId,
  otherAccount,
  rowsAfter,
} from "@sightline/test-kit/contracts/facts-engine-contract.ts";
import { clickhouseFactsOf } from "@sightline/test-kit/engines/clickhouse-facts-of.ts";
import { clusterEngines } from "@sightline/test-kit/engines/cluster-engines.ts";
import { applyWorkspace } from "../../accounts/apply-workspace.ts";
import { changesAfter, forgetProjected } from "../../accounts/progress-store.ts";
import { openControl } from "../../control/control.ts";
import { systemClock } from "../../platform/clock.ts";

test("forgotten facts are out of force, and who projects them has lost its lease", async (t) => {
  const engines = await clusterEngines(t);
  const control = await openControl({ postgres: engines.address.postgresUrl }, systemClock);
  t.after(() => control.close());
  const { leases } = control;
  const { facts } = await clickhouseFactsOf(t, { engines, fence: leases.fence.bind(leases) });
  for (const id of [accountId, otherAccount]) {
    const nothing = { entities: [], topics: [], prompts: [] };
    await applyWorkspace(
      control,
      id,
      { accountId: id, accountName: "Acme", ...nothing },
      { now: systemClock.now() },
    );
    await leases.take(id);
    const { generation } = await facts.begin(id, factsSnapshot);
    await facts.append(id, generation, await rowsAfter(0));
    await facts.finish(id, generation);
  }
  const { generation = "" } = (await facts.state(accountId)) ?? {};
  const { cursor } = await changesAfter(control, 0);

  await forgetProjected(control, accountId);
  assert.equal(await facts.state(accountId), null);
  assert.notEqual(await facts.state(otherAccount), null);
  const { accounts } = await changesAfter(control, cursor);
  assert.deepEqual(
    accounts.map(({ id }) => id),
    [accountId],
    "nodes that run look at it",
  );
  const late = facts.append(accountId, generation, await rowsAfter(1));
  await assert.rejects(late, /lease of account .* is not held/);

  await leases.release(accountId);
  await leases.take(accountId);
  const rebuilt = await facts.begin(accountId, factsSnapshot);
  await facts.append(accountId, rebuilt.generation, await rowsAfter(0));
  await facts.finish(accountId, rebuilt.generation);
  assert.equal((await facts.state(accountId))?.generation, rebuilt.generation);

  await forgetProjected(control, null);
  assert.equal(await facts.state(accountId), null);
  assert.equal(await facts.state(otherAccount), null);
});

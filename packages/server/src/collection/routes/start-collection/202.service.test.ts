import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedCollection, StartedCollection } from "@sightline/contract";
import {
  askNow,
  billedBy,
  catchUp,
  startCollecting,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";

const workspace = {
  account: "Asked",
  brand: "Acme",
  prompts: ["best seeds", "worst seeds"],
  collection: { providers: ["OPENAI", "GROK"] },
};

test("a sweep is asked from now on, and its answers count when a part is whole", async (t) => {
  const secrets = { openai: "stand-in-openai" };
  const collecting = await startCollecting(t, { workspace, secrets });
  const { service, accountId, collection, clock, standIn } = collecting;
  // Sweeps are planned by a thread, which has the machine's clock.
  catchUp(clock);
  await collection.reportHealth();
  const token = await service.session(accountId, ["manage"]);
  const reply = await service.post("/v1/collections", { token, body: { samples: 2 } });
  assert.equal(reply.status, 202, reply.body);
  const schemas = await ServedSchemas.of(service);
  schemas.assertValid("StartedCollectionDto", reply.json());
  const { id, jobs, estimates, unanswered } = reply.json<StartedCollection>();
  assert.deepEqual([jobs, estimates.length, unanswered.length], [4, 1, 1]);
  assert.deepEqual([unanswered[0]?.provider, unanswered[0]?.jobs], ["GROK", 4]);
  const headers = { authorization: `Bearer ${token}` };
  const shown = async () => {
    const got = await service.request("GET", `/v1/collections/${id}`, { headers });
    schemas.assertValid("CollectionDto", got.json());
    return got.json<ListedCollection>();
  };
  const before = await shown();
  assert.deepEqual(
    [before.source, before.jobs, before.done, before.missing, before.endedAt],
    ["now", 4, 0, 4, null],
  );
  catchUp(clock);
  await askNow({ collection });
  const asked = await shown();
  assert.deepEqual([asked.done, asked.parts[0]?.publishedAt], [4, null], "asked, not counted");
  await sweepToEnd(collecting);
  const ended = await shown();
  assert.equal(ended.endedAt, ended.parts[0]?.publishedAt);
  assert.deepEqual([ended.done, ended.missing, ended.parts[0]?.failed], [4, 0, []]);
  assert.ok(Math.abs(ended.spentDollars - billedBy(standIn).micros / 1e6) < 1e-9);
});

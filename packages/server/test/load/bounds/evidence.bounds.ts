import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { evidenceRoles, providers } from "@sightline/contract";
import { type Fact, factsSnapshot, pageOf } from "@sightline/test-kit/contracts/arbitrary-facts.ts";
import {
  accountId,
  neverAborted,
  rowsAfter,
} from "@sightline/test-kit/contracts/facts-engine-contract.ts";
import { duckdbFactsOf } from "@sightline/test-kit/engines/duckdb-facts-of.ts";
import { sampleIds, startSample } from "@sightline/test-kit/sample-account.ts";
import { codesOf } from "../../../src/facts/codes.ts";
import { planPlaces } from "../../../src/facts/plan/places-plan.ts";
import { percentile } from "../load-plan.ts";

const answers = 1_000_000;
const batch = 8_000;
const pageMs = 50;
const yearMs = 365 * 86_400_000;
const fromMs = Date.UTC(2025, 0, 1);

/** The answers of a year in the order of their instants; each entity is in half of them or so. */
function factAt(index: number): Fact {
  const noise = (index * 2_654_435_761) % 4_294_967_296;
  const bits = Math.floor(noise / 65_536);
  const entitiesOf = (shift: number) =>
    [0, 1, 2].filter((entity) => (bits >> (shift + 2 * entity)) % 3 === 0);
  return {
    prompt: bits % 4,
    provider: providers[bits % providers.length] ?? "GROK",
    region: bits % 5 === 0 ? null : "US",
    model: "one",
    surface: null,
    answeredAt: fromMs + Math.floor((index * yearMs) / answers),
    mentions: entitiesOf(0),
    cited: entitiesOf(6),
    language: "en",
    said: [[], [], []],
    // One page of a thousand answers or so.
    pages: index % 997 === 0 ? [bits % 9, 9] : [bits % 9],
  };
}

test("the first page of a list of a million answers is found within 50 ms", async (t) => {
  const engine = duckdbFactsOf(t, [accountId]);
  const { generation } = await engine.begin(accountId, factsSnapshot);
  for (let after = 0; after < answers; after += batch) {
    const facts = Array.from({ length: batch }, (_, index) => factAt(after + index));
    await engine.append(accountId, generation, await rowsAfter(after, facts));
  }
  await engine.finish(accountId, generation);
  const codes = await codesOf(factsSnapshot);
  const entityIds = factsSnapshot.entities.map(({ id }) => id);
  const ids = { providers: null, topicIds: null, promptIds: null, regions: null };
  const none = { ...ids, models: null, surfaces: null, tags: null };
  const selection = { fromMs, toMs: fromMs + yearMs, ...none, branded: null, exclude: null };
  const [{ url, domain }, rare] = [pageOf(1), pageOf(9)];
  const sources = [
    null,
    { domain, url: null },
    { domain: null, url },
    { domain: null, url: rare.url },
  ];
  const slow: string[] = [];
  for (const entityId of [entityIds[0] ?? null, null]) {
    for (const role of evidenceRoles) {
      for (const cites of sources) {
        const question = { selection, entityId, role, cites, limit: 20, after: null };
        const plan = planPlaces(question, { codes, entityIds });
        assert.ok(plan !== null);
        const taken: number[] = [];
        for (let run = 0; run < 9; run++) {
          const started = performance.now();
          const found = await engine.places(accountId, { generation, plan }, neverAborted);
          taken.push(performance.now() - started);
          assert.equal(found.places.length, Math.min(21, found.total));
        }
        const median = percentile(taken, 0.5);
        const what = `${role} of ${entityId ?? "any"}, citing ${JSON.stringify(cites)}`;
        t.diagnostic(`${what}: ${median.toFixed(1)} ms`);
        if (median >= pageMs) slow.push(`${what} takes ${median} ms`);
      }
    }
  }
  assert.deepEqual(slow, []);
});

test("reading the largest answers holds the event loop for less than 50 ms", async (t) => {
  const { service, accountId: account, token } = await startSample(t);
  const largest = Array.from({ length: 40 }, (_, index) => ({
    promptId: sampleIds.storagePrompt,
    provider: "GROK",
    answeredAt: new Date(fromMs + index).toISOString(),
    text: `${index} ${"Acme or Globex ".repeat(60_000)}`,
  }));
  await service.import(account, largest);
  const timeRange = { from: "2025-01-01T00:00:00Z", to: "2025-01-02T00:00:00Z" };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const more = cursor === undefined ? {} : { cursor };
    const body = { filters: { timeRange }, role: "any", limit: 100, ...more };
    delay.enable();
    const reply = await service.post("/v1/evidence", { token, body });
    delay.disable();
    assert.equal(reply.status, 200);
    cursor = reply.json<{ nextCursor: string | null }>().nextCursor;
  }
  const most = delay.max / 1e6;
  t.diagnostic(`at most ${most.toFixed(1)} ms`);
  assert.ok(most < 50, `${most} ms`);
});

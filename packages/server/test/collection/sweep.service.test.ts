import assert from "node:assert/strict";
import { test } from "node:test";
import type { TimeSeriesResponse } from "@sightline/contract";
import {
  askNow,
  billedBy,
  type Collecting,
  ledgerOf,
  startCollecting,
  sumsOf,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import type { RecordedAnswer } from "../../src/answers/answer-store.ts";
import { importsOf } from "../../src/answers/import-store.ts";
import { sweepsOf } from "../../src/collection/store/sweep-reads.ts";
import { adapters } from "../../src/collection/vendors/index.ts";

/** Models whose prices in the list and of the stand-in are the same, in whole micros. */
const providers = [
  { provider: "OPENAI", model: "gpt-4.1" },
  { provider: "ANTHROPIC", model: "claude-haiku-4-5" },
  { provider: "GEMINI", model: "gemini-3.1-pro-preview" },
  "PERPLEXITY",
  { provider: "GROK", model: "grok-4.5" },
  "GOOGLE_AI_MODE",
  "GOOGLE_AI_OVERVIEW",
  "COPILOT",
];
/** Whose vendors look at pages of the United States where no region is asked for. */
const asUnitedStates = ["GOOGLE_AI_MODE", "GOOGLE_AI_OVERVIEW", "COPILOT"];
/** The vendors that tell which parts of a text cite a page. */
const tellSpans = [
  ...["OPENAI", "ANTHROPIC", "GEMINI", "PERPLEXITY", "GROK"],
  ...["GOOGLE_AI_MODE", "GOOGLE_AI_OVERVIEW"],
];
const workspace = {
  account: { name: "Swept" },
  brand: { name: "Acme", domains: ["acme.example"] },
  competitors: [{ name: "Globex" }],
  prompts: ["Which seeds are best?", "Who sells good tools?", "What do gardeners use?"],
};
const hourMs = 3_600_000;

async function answersOf({ service, accountId }: Collecting): Promise<readonly RecordedAnswer[]> {
  return service.services.answers.read(accountId, { after: 0, limit: 1_000 });
}

/** The brand's visibility in all answers of the day; null: there are none. */
async function visibilityOf(
  { service, accountId }: Collecting,
  filters: object = {},
): Promise<number | null> {
  await service.settle(accountId);
  const token = await service.session(accountId);
  const timeRange = { from: "2026-06-01T00:00:00Z", to: "2026-06-08T00:00:00Z" };
  const body = { interval: "weekly", filters: { timeRange, ...filters } };
  const reply = await service.post("/v1/analytics/brands/overall-visibility", { token, body });
  assert.equal(reply.status, 200, reply.body);
  const { series } = reply.json<TimeSeriesResponse>();
  return series[0]?.data[0]?.value ?? null;
}

/** Independent of the extraction: the stand-in names brands and cites pages of theirs plainly. */
function sharedBy(answers: readonly RecordedAnswer[]): number {
  const counted = answers.filter(({ outcome }) => outcome === "answered");
  const visible = counted.filter(({ text, citations }) => {
    const isCited = ({ url, cited }: (typeof citations)[number]) =>
      cited && new URL(url).hostname.endsWith("acme.example");
    return text.includes("Acme") || citations.some(isCited);
  });
  return visible.length / counted.length;
}

test("a sweep is asked of every provider, recorded, and counts as its answers say", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: { ...workspace, collection: { cron: "0 13 * * *", providers, samples: 2 } },
    faults: { tasks: { queueMs: 4_000, runMs: 9_000 }, rates: { pauseTurn: 0.5 } },
  });
  const { clock, service, accountId, standIn } = collecting;
  const { control } = service.services;
  assert.deepEqual(
    await sweepsOf(control, accountId, 10, clock.now()),
    [],
    "its slot has not come",
  );
  clock.advance(hourMs);
  const [sweep] = await sweepToEnd(collecting);
  assert.equal(adapters.length, 8);
  assert.equal(sweep?.slot, Date.parse("2026-06-01T13:00:00Z"));
  assert.deepEqual(
    sweep?.parts.map(({ done, failed }) => ({ done, failed })),
    providers.map(() => ({ done: 6, failed: [] })),
  );

  const answers = await answersOf(collecting);
  assert.equal(answers.length, providers.length * 6);
  assert.equal(await visibilityOf(collecting), sharedBy(answers));
  for (const { provider, region, requestedRegion } of answers) {
    assert.deepEqual(
      [region, requestedRegion],
      [asUnitedStates.includes(provider) ? "US" : null, null],
    );
  }
  const withSpans = answers.filter(({ citations }) => citations.some(({ spans }) => spans));
  assert.deepEqual(new Set(withSpans.map(({ provider }) => provider)), new Set(tellSpans));
  for (const { id, vendor, metadata, cost, answeredAt } of answers) {
    assert.ok((await service.services.answers.raw(accountId, id)) !== null);
    assert.equal(metadata?.["sweepId"], sweep?.id);
    assert.ok(vendor !== null && cost !== null && cost.amount > 0);
    assert.ok(answeredAt >= clock.now() - hourMs && answeredAt <= clock.now());
  }
  const imports = await importsOf(control, accountId);
  assert.deepEqual(
    imports.map(({ source, accepted, rejected }) => ({ source, accepted, rejected })).length,
    providers.length,
  );
  assert.ok(imports.every(({ accepted, source }) => accepted === 6 && /^collection /.test(source)));
  const { spentMicros, reservedMicros, unsettledMicros, calls } = sumsOf(
    await ledgerOf(collecting),
  );
  const billed = billedBy(standIn);
  assert.deepEqual({ reservedMicros, unsettledMicros }, { reservedMicros: 0, unsettledMicros: 0 });
  assert.deepEqual({ calls, spentMicros }, { calls: billed.received, spentMicros: billed.micros });
});

test("a part counts as a whole, when it has ended, and each provider by itself", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: {
      ...workspace,
      collection: { cron: "0 13 * * *", providers: ["OPENAI", "GROK"], samples: 4 },
    },
    faults: { vendors: { openai: { rates: { serverError: 0.5 } } } },
  });
  const { collection, clock, service, accountId } = collecting;
  clock.advance(hourMs);
  await collection.plan();
  await askNow(collecting);
  await collection.publish();
  const [sweep] = await sweepsOf(service.services.control, accountId, 1, clock.now());
  const [grok, openai] = sweep?.parts ?? [];
  assert.ok(openai !== undefined && openai.done > 0 && openai.queued > 0, JSON.stringify(openai));
  assert.deepEqual([openai.publishedAt, grok?.publishedAt], [null, clock.now()]);
  assert.equal(await visibilityOf(collecting, { providers: ["OPENAI"] }), null);
  assert.ok((await visibilityOf(collecting, { providers: ["GROK"] })) !== null);
  assert.equal((await answersOf(collecting)).length, 12);

  collecting.standIn.setFaults({});
  await sweepToEnd(collecting, { stepMs: 60_000 });
  assert.equal((await answersOf(collecting)).length, 24);
  assert.ok((await visibilityOf(collecting, { providers: ["OPENAI"] })) !== null);
});

test("a region that a vendor assumes is the same series as that region by name", async (t) => {
  const collection = { cron: "0 13 * * *", providers: ["GOOGLE_AI_MODE", "GEMINI"] };
  const collecting = await startCollecting(t, { workspace: { ...workspace, collection } });
  const { clock, service } = collecting;
  clock.advance(hourMs);
  await sweepToEnd(collecting);
  const named = { ...collection, providers: ["GOOGLE_AI_MODE"], regions: ["US"] };
  await service.apply({ ...workspace, collection: named });
  clock.advance(24 * hourMs);
  await sweepToEnd(collecting);
  const answers = await answersOf(collecting);
  const regions = answers.map(({ provider, region, requestedRegion }) => {
    return `${provider} ${region} ${requestedRegion}`;
  });
  const counts = Map.groupBy(regions, (each) => each);
  assert.deepEqual([...counts].map(([each, { length }]) => [each, length]).toSorted(), [
    ["GEMINI null null", 3],
    ["GOOGLE_AI_MODE US US", 3],
    ["GOOGLE_AI_MODE US null", 3],
  ]);
  const google = answers.filter(({ provider }) => provider === "GOOGLE_AI_MODE");
  assert.equal(await visibilityOf(collecting, { regions: [{ code: "US" }] }), sharedBy(google));
});

test("publishing again records nothing twice, and an undone sweep stays undone", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: { ...workspace, collection: { cron: "0 13 * * *", providers: ["OPENAI"] } },
  });
  const { clock, service, accountId, collection } = collecting;
  clock.advance(hourMs);
  await sweepToEnd(collecting);
  const [imported] = await importsOf(service.services.control, accountId);
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const undone = await service.request("DELETE", `/v1/imports/${imported?.id}`, { headers });
  assert.equal(undone.status, 200, undone.body);
  await collection.publish();
  assert.deepEqual(await answersOf(collecting), []);
});

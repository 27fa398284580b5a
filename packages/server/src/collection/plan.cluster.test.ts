import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { type CollectionRule, providers } from "@sightline/contract";
import { openNodes, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import fc from "fast-check";
import { workspaceOf } from "../accounts/account-store.ts";
import { applyWorkspace } from "../accounts/apply-workspace.ts";
import { dueSlots, nextSlotAt, plannedAt } from "../accounts/cadence.ts";
import type { Workspace } from "../accounts/workspace.ts";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { cadencesOf, capsOf, effectiveAsks } from "./asks.ts";
import { jobsOf, scheduledSweep } from "./plan.ts";
import { recordPlanned, schedulesDue } from "./store/schedule-store.ts";
import { sweepsOf } from "./store/sweep-reads.ts";
import { addSweep } from "./store/sweep-store.ts";

const workspace = readWorkspaceFile(`
account: Acme
brand: Acme
collection:
  cron: 0 6 * * *
  timeZone: Europe/Berlin
  providers: [OPENAI, GOOGLE_AI_OVERVIEW]
  regions: [US, DE]
  caps: { callsPerDay: 7, dollarsPerDay: 0.29, providers: { OPENAI: { dollarsPerDay: 0.07 } } }
topics:
  - { name: Weekly, collection: { cron: 0 6 * * 1, samples: 2 } }
prompts:
  - plain
  - { text: weekly, topic: Weekly }
  - text: own
    topic: Weekly
    collection: { regions: [], providers: [{ provider: GEMINI, model: x }] }
  - { text: paused, paused: true }
`);
const daily = { cron: "0 6 * * *", timeZone: "Europe/Berlin" };
const weekly = { cron: "0 6 * * 1", timeZone: "Europe/Berlin" };
const reserveOf = () => 5;

test("a provider on a surface that no vendor is asked for any more is left out", () => {
  const [prompt] = workspace.prompts;
  assert.ok(prompt !== undefined);
  const claude = { provider: "ANTHROPIC", surface: "web" } as const;
  const asked = (...of: NonNullable<CollectionRule["providers"]>) => {
    const rule = { ...workspace, collection: { providers: of }, prompts: [prompt] };
    return [...effectiveAsks(rule)].flatMap(({ asks }) => asks.map(({ vendor }) => vendor));
  };
  assert.deepEqual(asked(claude, "GEMINI"), ["gemini"]);
  assert.deepEqual(asked(claude), []);
});

test("each field comes from the nearest that says it", () => {
  const openai = { provider: "OPENAI", surface: "api", vendor: "openai", model: null };
  const overview = {
    provider: "GOOGLE_AI_OVERVIEW",
    surface: "web",
    vendor: "dataforseo",
    model: null,
  };
  const gemini = { provider: "GEMINI", surface: "api", vendor: "gemini", model: "x" };
  const asks = [...effectiveAsks(workspace)].map(({ prompt, ...ask }) => [prompt.text, ask]);
  const regions = ["US", "DE"];
  assert.deepEqual(asks, [
    ["plain", { cadence: daily, asks: [openai, overview], regions, samples: 1 }],
    ["weekly", { cadence: weekly, asks: [openai, overview], regions, samples: 2 }],
    ["own", { cadence: weekly, asks: [gemini], regions: [null], samples: 2 }],
  ]);
  assert.deepEqual(cadencesOf(workspace), [daily, weekly]);
  assert.deepEqual(capsOf(workspace), {
    all: { calls: 7, micros: 290_000 },
    byProvider: { OPENAI: { calls: null, micros: 70_000 } },
  });
  assert.deepEqual(capsOf({}), { all: { calls: null, micros: null }, byProvider: {} });
});

test("a cadence's jobs are those of its prompts; a selection takes any", () => {
  const of = (wanted: Parameters<typeof jobsOf>[1]["wanted"]) => [
    ...jobsOf(workspace, { slot: 1, wanted, reserveOf }),
  ];
  assert.equal(of({ cadence: daily }).length, 2 * 2);
  assert.equal(of({ cadence: weekly }).length, 2 * 2 * 2 + 2);
  assert.equal(of({ selection: {} }).length, 14);
  const third = new Set([workspace.prompts[2]?.id ?? ""]);
  const [own] = of({ selection: { promptIds: third, providers: new Set(["GEMINI"]) } });
  assert.deepEqual(own, {
    id: own?.id,
    promptId: workspace.prompts[2]?.id,
    provider: "GEMINI",
    surface: "api",
    vendor: "gemini",
    model: "x",
    region: null,
    sample: 0,
    reserveMicros: 5,
  });
  const promptIds = new Set([workspace.prompts[0]?.id ?? ""]);
  assert.equal(of({ selection: { promptIds, providers: new Set(["OPENAI"]) } }).length, 2);
});

const rule: fc.Arbitrary<CollectionRule> = fc.record(
  {
    cron: fc.constantFrom("0 6 * * *", "30 2 * * 1", "*/5 * * * *"),
    timeZone: fc.constantFrom("UTC", "Europe/Berlin"),
    providers: fc.uniqueArray(fc.constantFrom(...providers), { minLength: 1 }),
    regions: fc.uniqueArray(fc.constantFrom("US", "DE", "FR")),
    samples: fc.integer({ min: 1, max: 20 }),
  },
  { requiredKeys: [] },
);

test("planning twice gives the same ids, and no job another's", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(rule, fc.nat(2)), { maxLength: 6 }),
      rule,
      (prompts, ofAccount) => {
        const planned: Workspace = {
          ...workspace,
          collection: ofAccount,
          prompts: prompts.map(([collection, topic], index) => ({
            id: `00000000-0000-4000-8000-00000000000${index}`,
            text: `${index}`,
            branded: false,
            topicId: workspace.topics[topic]?.id ?? null,
            paused: false,
            collection,
          })),
        };
        const plan = (slot: number) =>
          cadencesOf(planned).flatMap((cadence) => [
            ...jobsOf(planned, { slot, wanted: { cadence }, reserveOf }),
          ]);
        const jobs = plan(1_000);
        assert.deepEqual(plan(1_000), jobs);
        const all = [...effectiveAsks(planned)].filter(({ cadence }) => cadence !== null);
        const count = all.reduce((sum, each) => {
          return sum + each.asks.length * each.regions.length * each.samples;
        }, 0);
        assert.equal(new Set([...jobs, ...plan(2_000)].map(({ id }) => id)).size, 2 * count);
      },
    ),
    { numRuns: 100 },
  );
});

test("what a vendor will refuse is not planned", () => {
  const file = "{ account: A, brand: A, prompts: [p], collection: { cron: 0 6 * * *, ";
  const planned = readWorkspaceFile(`${file} providers: [OPENAI, GEMINI], regions: [DE] } }`);
  const [cadence] = cadencesOf(planned);
  assert.ok(cadence !== undefined);
  const jobs = [...scheduledSweep(planned, { cadence, slot: 1_000 }, { reserveOf }).jobs];
  const asked = jobs.map(({ provider, region }) => [provider, region]);
  assert.deepEqual(asked, [["OPENAI", "DE"]]);
});

testOnEachEngine("two nodes that plan a slot make one sweep of it", async (t, engine) => {
  const clock = new HeldClock(Date.parse("2026-06-01T12:00:00Z"));
  const nodes = await openNodes(t, engine, clock);
  const accountId = randomUUID();
  const [one] = nodes;
  await applyWorkspace(one, accountId, { ...workspace, accountId }, { now: clock.now() });
  const look = async (node: (typeof nodes)[number]) => {
    const declared = await workspaceOf(node, accountId);
    assert.ok(declared !== null);
    const cadences = cadencesOf(declared);
    for (const due of await schedulesDue(node, clock.now(), 10)) {
      for (const each of dueSlots(cadences, due.plannedTo, clock.now())) {
        await addSweep(node, accountId, scheduledSweep(declared, each, { reserveOf }), clock.now());
      }
      const nextAt = nextSlotAt(cadences, clock.now());
      await recordPlanned(node, due, { plannedTo: plannedAt(cadences, clock.now()), nextAt });
    }
  };
  await look(one);
  assert.deepEqual(
    await sweepsOf(one, accountId, 10, clock.now()),
    [],
    "a new schedule begins now",
  );
  clock.advance(15 * 3_600_000);
  assert.deepEqual(await schedulesDue(one, clock.now(), 10), []);
  // After a week without a service, the latest slot of each cadence is asked.
  clock.advance(7 * 86_400_000);
  await Promise.all(nodes.map(look));
  const slot = Date.parse("2026-06-08T04:00:00Z");
  const planned = (await sweepsOf(one, accountId, 10, clock.now())).map((sweep) => {
    return [sweep.slot, sweep.parts.reduce((sum, { jobs }) => sum + jobs, 0)];
  });
  assert.deepEqual(
    new Set(planned),
    new Set([
      [slot, 4],
      [slot, 10],
    ]),
  );
  await Promise.all(nodes.map(look));
  assert.equal((await sweepsOf(one, accountId, 10, clock.now())).length, 2);
});

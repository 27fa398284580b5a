import assert from "node:assert/strict";
import { test } from "node:test";
import { standInCredentials } from "@sightline/stand-in";
import {
  askNow,
  type Collecting,
  startCollecting,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { workspaceOf } from "../../src/accounts/account-store.ts";
import { dueSlots } from "../../src/accounts/cadence.ts";
import { planNow, scheduledSweep } from "../../src/collection/plan.ts";
import { builtInPrices } from "../../src/collection/price-list.ts";
import { Prices } from "../../src/collection/prices.ts";
import type { SweepRecord } from "../../src/collection/store/collection-store.ts";
import { sweepsOf } from "../../src/collection/store/sweep-reads.ts";
import { addSweep } from "../../src/collection/store/sweep-store.ts";
import { adapters } from "../../src/collection/vendors/index.ts";

const hourMs = 3_600_000;
const { dataforseo: _login, ...withoutDataforseo } = standInCredentials;
const cadence = { cron: "0 * * * *", timeZone: "UTC" };
const workspace = {
  account: { name: "Pages" },
  brand: { name: "Acme", domains: ["acme.example"] },
  prompts: ["Which seeds are best?", "Who sells good tools?", "What do gardeners use?"],
  collection: { cron: cadence.cron, providers: ["GOOGLE_AI_MODE", "GOOGLE_AI_OVERVIEW"] },
};

/** Of each part of a sweep: provider, vendor and answers. */
function partsOf(sweep: SweepRecord | undefined): readonly string[] {
  return (sweep?.parts ?? []).map(({ provider, vendor, done }) => `${provider} ${vendor} ${done}`);
}

const bothOf = (vendor: string, done: number) => [
  `GOOGLE_AI_MODE ${vendor} ${done}`,
  `GOOGLE_AI_OVERVIEW ${vendor} ${done}`,
];

/** Lets the next hour come, and asks all that can be asked then. @returns its sweep. */
async function nextSweep(collecting: Collecting): Promise<SweepRecord | undefined> {
  const { collection, clock, service, accountId } = collecting;
  clock.advance(hourMs - (clock.now() % hourMs));
  await collection.reportHealth();
  await collection.plan();
  for (let step = 0; step < 20; step++) {
    await askNow(collecting);
    await collection.publish();
    clock.advance(1_000);
  }
  const [sweep] = await sweepsOf(service.services.control, accountId, 1, clock.now());
  return sweep;
}

function dryRun({ service, accountId, clock }: Collecting) {
  const { control } = service.services;
  const prices = new Prices(builtInPrices);
  const tools = { control, adapters, clock, prices, vendors: [] };
  return planNow(tools, { accountId, dryRun: true });
}

test("DataForSEO refuses the key: the next sweep asks SerpApi, and says why", async (t) => {
  const collecting = await startCollecting(t, {
    workspace,
    secrets: { ...standInCredentials, dataforseo: "someone:another-password" },
  });
  assert.deepEqual(partsOf(await nextSweep(collecting)), bothOf("dataforseo", 0));
  await collecting.collection.reportHealth();
  const dry = await dryRun(collecting);
  assert.ok(dry.kind === "planned");
  assert.deepEqual(
    dry.estimates.map(({ vendor }) => vendor),
    ["serpapi", "serpapi"],
  );
  assert.deepEqual(
    dry.skipped.map(({ provider, vendor }) => [provider, vendor]),
    [
      ["GOOGLE_AI_MODE", "dataforseo"],
      ["GOOGLE_AI_OVERVIEW", "dataforseo"],
    ],
  );
  for (const { reason } of dry.skipped) assert.match(reason, /^dataforseo is stopped: .*not Auth/);

  assert.deepEqual(partsOf(await nextSweep(collecting)), bothOf("serpapi", 3));
  const { service, accountId } = collecting;
  const recorded = await service.services.answers.read(accountId, { after: 0, limit: 100 });
  assert.deepEqual(
    recorded.map(({ vendor, outcome }) => [vendor, outcome]),
    recorded.map(() => ["serpapi", "answered"]),
  );
  assert.equal(recorded.length, 6);
});

test("an empty balance has SerpApi be asked until DataForSEO answers again", async (t) => {
  const collecting = await startCollecting(t, {
    workspace,
    faults: { vendors: { dataforseo: { outOfMoney: true } } },
  });
  await nextSweep(collecting);
  assert.deepEqual(partsOf(await nextSweep(collecting)), bothOf("serpapi", 3));
  collecting.standIn.setFaults({});
  // The questions of the first sweep are asked again when the vendor's time is over.
  assert.deepEqual(partsOf(await nextSweep(collecting)), bothOf("serpapi", 3));
  assert.deepEqual(partsOf(await nextSweep(collecting)), bothOf("dataforseo", 3));
});

test("a limit that ends within a minute changes no vendor, a longer one does", async (t) => {
  for (const [retryAfterSeconds, vendor] of [
    [50, "dataforseo"],
    [600, "serpapi"],
  ] as const) {
    const faults = { retryAfterSeconds, vendors: { dataforseo: { rates: { limited: 1 } } } };
    const collecting = await startCollecting(t, { workspace, faults });
    await nextSweep(collecting);
    await collecting.collection.reportHealth();
    const health = collecting.collection.health();
    assert.equal(health.find((each) => each.vendor === "dataforseo")?.state, "waiting");
    const dry = await dryRun(collecting);
    assert.ok(dry.kind === "planned");
    assert.equal(dry.estimates[0]?.vendor, vendor);
  }
});

test("without a credential of DataForSEO's, SerpApi is asked on schedule and now", async (t) => {
  const collecting = await startCollecting(t, { workspace, secrets: withoutDataforseo });
  const { service, accountId, clock } = collecting;
  const { control } = service.services;
  assert.deepEqual(partsOf(await nextSweep(collecting)), bothOf("serpapi", 3));
  const prices = new Prices(builtInPrices);
  const tools = { control, adapters, clock, prices, vendors: ["serpapi"] as const };
  clock.advance(1_000);
  const planned = await planNow(tools, { accountId, dryRun: false });
  assert.ok(planned.kind === "planned");
  assert.deepEqual(planned.unanswered, []);
  const reason =
    "No process that collects has a credential of dataforseo. Set SIGHTLINE_DATAFORSEO_LOGIN.";
  for (const each of planned.skipped) assert.equal(each.reason, reason);
  assert.equal(planned.skipped.length, 2);
  const sweeps = await sweepToEnd(collecting);
  assert.deepEqual(partsOf(sweeps.find(({ id }) => id === planned.sweepId)), bothOf("serpapi", 3));
});

test("a sweep that was planned in part keeps the vendor of the part", async (t) => {
  const collecting = await startCollecting(t, { workspace, secrets: withoutDataforseo });
  const { service, accountId, clock, collection } = collecting;
  const { control } = service.services;
  const declared = await workspaceOf(control, accountId);
  assert.ok(declared !== null);
  clock.advance(hourMs);
  const [due] = dueSlots([cadence], { "0 * * * * UTC": 0 }, clock.now());
  assert.ok(due !== undefined);
  const sweep = scheduledSweep(declared, due, { reserveOf: () => 1 });
  await addSweep(control, accountId, { ...sweep, jobs: [...sweep.jobs].slice(0, 1) }, clock.now());
  await collection.plan();
  const [planned] = await sweepsOf(control, accountId, 10, clock.now());
  assert.deepEqual(
    planned?.parts.map(({ provider, vendor, jobs }) => [provider, vendor, jobs]),
    [
      ["GOOGLE_AI_MODE", "dataforseo", 3],
      ["GOOGLE_AI_OVERVIEW", "serpapi", 3],
    ],
  );
});

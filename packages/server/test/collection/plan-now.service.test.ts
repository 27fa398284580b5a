import assert from "node:assert/strict";
import { test } from "node:test";
import { vendors } from "@sightline/contract";
import {
  billedBy,
  startCollecting,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { type PlanOrder, planNow } from "../../src/collection/plan.ts";
import { builtInPrices } from "../../src/collection/price-list.ts";
import { Prices } from "../../src/collection/prices.ts";
import { sweepsOf } from "../../src/collection/store/sweep-reads.ts";
import { adapters } from "../../src/collection/vendors/index.ts";

const prompts = Array.from({ length: 20 }, (_, each) => ({
  id: `11111111-0000-4000-8000-0000000000${String(each).padStart(2, "0")}`,
  text: `Which seeds are best for bed ${each}?`,
}));
const providers = [
  { provider: "OPENAI", model: "gpt-4.1" },
  { provider: "ANTHROPIC", model: "claude-haiku-4-5" },
  "COPILOT",
];

test("a plan for now says what it would be, and asks what is selected", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: {
      account: { name: "Planned" },
      brand: { name: "Acme" },
      prompts,
      collection: { providers, samples: 2 },
    },
  });
  const { service, accountId, clock, standIn } = collecting;
  const { control } = service.services;
  const plan = async (order: Partial<PlanOrder> = {}) => {
    const tools = { control, adapters, clock, prices: new Prices(builtInPrices), vendors };
    const outcome = await planNow(tools, { accountId, dryRun: true, ...order });
    assert.ok(outcome.kind === "planned", JSON.stringify(outcome));
    return outcome;
  };
  const dry = await plan();
  assert.deepEqual(
    dry.estimates.map(({ provider, jobs }) => [provider, jobs]),
    [
      ["OPENAI", 40],
      ["ANTHROPIC", 40],
      ["COPILOT", 40],
    ],
  );
  assert.deepEqual([dry.sweepId, dry.jobs, dry.unanswered], [null, 120, []]);
  assert.deepEqual(
    await sweepsOf(control, accountId, 10, clock.now()),
    [],
    "a dry run plans nothing",
  );

  const promptIds = prompts.slice(0, 3).map(({ id }) => id);
  const selected = await plan({ promptIds, providers: ["COPILOT"], dryRun: false });
  assert.equal(selected.jobs, 6);
  const [sweep] = await sweepToEnd(collecting);
  assert.equal(sweep?.id, selected.sweepId);
  assert.equal(sweep?.source, "now");
  assert.deepEqual(
    sweep?.parts.map(({ provider, done }) => [provider, done]),
    [["COPILOT", 6]],
  );

  clock.advance(1_000);
  await plan({ dryRun: false });
  await sweepToEnd(collecting);
  const before = billedBy(standIn).micros;
  clock.advance(1_000);
  const { estimates } = await plan({ dryRun: false });
  const estimate = estimates.reduce((sum, { micros }) => sum + micros, 0);
  await sweepToEnd(collecting);
  const bill = billedBy(standIn).micros - before;
  const share = Math.abs(estimate - bill) / bill;
  assert.ok(share <= 0.1, `an estimate of ${estimate} for a bill of ${bill}`);
});

test("a plan tells of what a vendor refuses, and of accounts that are not there", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: {
      account: { name: "Refused" },
      brand: { name: "Acme" },
      prompts,
      collection: { providers: ["COPILOT", "GOOGLE_AI_MODE"], regions: ["US", "KP"] },
    },
  });
  const { service, accountId, clock } = collecting;
  const { control } = service.services;
  const tools = { control, adapters, clock, prices: new Prices(builtInPrices), vendors };
  const outcome = await planNow(tools, { accountId, dryRun: true });
  assert.ok(outcome.kind === "planned");
  assert.equal(outcome.jobs, 60, "what is refused is not estimated");
  const reason = "DataForSEO is not asked for the region KP: its code is not known here";
  const asked = { provider: "GOOGLE_AI_MODE", surface: "web", vendor: "dataforseo" };
  assert.deepEqual(outcome.unanswered, [{ ...asked, reason, jobs: 20 }]);
  const unknown = { accountId: "00000000-0000-4000-8000-000000000000", dryRun: true };
  assert.deepEqual(await planNow(tools, unknown), { kind: "no-account" });
});

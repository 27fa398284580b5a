import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { Vendor } from "@sightline/contract";
import type { Exchange } from "@sightline/server/vendor-adapter";
import { adapters } from "@sightline/server/vendor-adapters";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { until } from "@sightline/test-kit/until.ts";
import fc from "fast-check";
import { drawsOf } from "../src/answers.ts";
import {
  type Fault,
  modelFaults,
  OpenRequests,
  type StandInFaults,
  waitAround,
} from "../src/faults.ts";
import { type StandIn, startStandIn } from "../src/stand-in.ts";
import { askedVendors, askStandIn, type SampleRequest, sampleRequest } from "./ask-stand-in.ts";

/** What came back: a status, or what went wrong. */
type Outcome = number | "lost" | "not JSON";

describe("faults of the stand-in", () => {
  const clock = new HeldClock();
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn({ seed: 5, clock });
  });
  beforeEach(() => standIn.setFaults({}));
  after(() => standIn.close());

  async function outcomeOf(
    prompt: string,
    vendor: (typeof askedVendors)[number],
  ): Promise<Outcome> {
    try {
      return (await askStandIn(standIn, vendor, sampleRequest(vendor, prompt))).status;
    } catch (error) {
      return error instanceof SyntaxError ? "not JSON" : "lost";
    }
  }

  const effects: readonly (readonly [Fault, Outcome, billed: boolean])[] = [
    ["limited", 429, false],
    ["serverError", 500, false],
    ["overloaded", 503, false],
    ["resetBefore", "lost", false],
    ["resetAfter", "lost", true],
    ["cutBody", "lost", true],
    ["malformed", "not JSON", true],
  ];
  for (const [fault, outcome, billed] of effects) {
    test(`${fault}: every vendor has it, and ${billed ? "bills" : "does not bill"}`, async () => {
      standIn.setFaults({ rates: { [fault]: 1 } });
      for (const vendor of askedVendors) {
        const earlier = standIn.bill().totals[vendor]?.billed ?? 0;
        const isAnthropic = fault === "overloaded" && vendor === "anthropic";
        assert.equal(await outcomeOf(fault, vendor), isAnthropic ? 529 : outcome, vendor);
        const now = standIn.bill().totals[vendor]?.billed ?? 0;
        assert.equal(now - earlier, billed ? 1 : 0, vendor);
      }
    });
  }

  test("retired models, quotas of a day and disabled searches are not billed", async () => {
    const statuses: Readonly<Record<(typeof modelFaults)[number], readonly unknown[]>> = {
      retiredModel: [404, 404, 404, 400, 404, 200, 200, 200],
      dailyQuota: [429, 200, 429, 200, 200, 200, 200, 200],
      searchDisabled: [200, 400, 200, 200, 200, 200, 200, 200],
    };
    const classes = {
      retiredModel: ["stop-part", "stop-part", "stop-part", "stop-part", "stop-part"],
      dailyQuota: ["wait", null, "wait", null, null],
      searchDisabled: [null, "stop-vendor", null, null, null],
    };
    for (const fault of modelFaults) {
      standIn.setFaults({ rates: { [fault]: 1 } });
      const billed = () => Object.values(standIn.bill().totals).map((sums) => sums?.billed ?? 0);
      const earlier = billed().reduce((sum, each) => sum + each, 0);
      const steps = [];
      for (const vendor of askedVendors) steps.push(await readStep(vendor, `${fault}?`));
      assert.deepEqual(
        steps.map(({ status }) => status),
        statuses[fault],
      );
      const told = steps.map(({ step }) => (step.kind === "failed" ? step.failure.class : null));
      assert.deepEqual(told.slice(0, 5), classes[fault]);
      const taken = statuses[fault].filter((status) => status === 200).length;
      assert.equal(billed().reduce((sum, each) => sum + each, 0) - earlier, taken);
    }
  });

  /** What an adapter makes of a reply; a task's is that of the task. */
  async function readStep(vendor: Vendor, prompt: string) {
    const adapter = adapters.find((each) => each.vendor === vendor);
    const provider = vendor === "cloro" ? "COPILOT" : adapter?.asks[0]?.provider;
    assert.ok(adapter !== undefined && provider !== undefined);
    const asks = adapter.asks.find((each) => each.provider === provider);
    assert.ok(asks !== undefined);
    const question = { id: "q", prompt, ...asks, region: null, model: null };
    const exchanges: Exchange[] = [];
    for (;;) {
      const step = adapter.step(question, exchanges);
      const isOfTask = step.kind === "send" && step.request.host === "api.cloro.dev";
      if (exchanges.length > 0 && !isOfTask) return { status: exchanges[0]?.reply.status, step };
      const sample: SampleRequest =
        isOfTask && !step.request.isPaid
          ? { method: "GET", address: `${step.request.host}${step.request.path}` }
          : sampleRequest(vendor, prompt);
      const { status, body } = await askStandIn(standIn, vendor, sample);
      const [host = ""] = adapter.hosts;
      const isPaid = sample.method === "POST" || vendor === "serpapi";
      exchanges.push({
        request: { method: sample.method, host, path: "", isPaid },
        reply: { status, headers: {}, body: JSON.stringify(body) },
        at: clock.now(),
      });
    }
  }

  test("a renamed list of sources is not understood, of every vendor", async () => {
    standIn.setFaults({ rates: { renamedList: 1 } });
    for (const vendor of askedVendors) {
      const { step } = await readStep(vendor, "Which phone?");
      assert.ok(step.kind === "failed", `${vendor} ${step.kind}`);
      assert.match(step.failure.reason, /^not understood: /);
    }
  });

  test("a reply without usage is billed and does not say it; caches are both", async () => {
    standIn.setFaults({ rates: { noUsage: 1 } });
    for (const vendor of ["openai", "anthropic", "perplexity", "xai"] as const) {
      const { step } = await readStep(vendor, "Which phone?");
      assert.ok(step.kind === "answered");
      assert.equal(step.answer.usage.isReported, false, vendor);
      assert.ok((standIn.bill().requests.at(-1)?.micros ?? 0) > 0);
    }
    standIn.setFaults({ rates: { cached: 1 } });
    for (const vendor of ["openai", "anthropic", "perplexity", "xai"] as const) {
      const { step } = await readStep(vendor, "Which phone?");
      assert.ok(step.kind === "answered");
      const { inputTokens, cachedInputTokens, cacheWriteTokens } = step.answer.usage;
      const billed = standIn.bill().requests.at(-1);
      assert.deepEqual(
        [inputTokens, cachedInputTokens],
        [billed?.inputTokens, billed?.cachedTokens],
      );
      assert.ok(cachedInputTokens >= 1_000 && cachedInputTokens % 1_000 === 0);
      assert.equal(cacheWriteTokens, vendor === "xai" ? 0 : billed?.cacheWriteTokens);
    }
  });

  test("faults happen as often as their rates say, and the same with a seed", async () => {
    const rates = { serverError: 0.1, resetAfter: 0.1, malformed: 0.1 };
    const counts = async () => {
      const other = await startStandIn({ seed: 9, clock, faults: { rates } });
      const outcomes: Outcome[] = [];
      for (let number = 0; number < 400; number++) {
        const request = sampleRequest("xai", `Prompt ${number % 40}`);
        const outcome = await askStandIn(other, "xai", request).then(
          ({ status }) => status,
          (error: unknown) => (error instanceof SyntaxError ? "not JSON" : "lost"),
        );
        outcomes.push(outcome);
      }
      await other.close();
      return outcomes;
    };
    const outcomes = await counts();
    for (const outcome of [500, "lost", "not JSON"]) {
      const share = outcomes.filter((each) => each === outcome).length / outcomes.length;
      // Four standard deviations of 400 draws.
      assert.ok(Math.abs(share - 0.1) < 0.06, `${outcome}: ${share}`);
    }
    assert.deepEqual(await counts(), outcomes);
  });

  test("37 % of overviews need a second request, unless told otherwise", async () => {
    let later = 0;
    for (let number = 0; number < 400; number++) {
      const address = `serpapi.com/search.json?engine=google&q=prompt+${number}`;
      const { body } = await askStandIn(standIn, "serpapi", { method: "GET", address });
      if (JSON.stringify(body).includes("page_token")) later++;
    }
    assert.ok(Math.abs(later / 400 - 0.37) < 0.1, `${later}`);
  });

  test("POST /faults replaces how it behaves, and refuses what it does not know", async () => {
    const post = (body: unknown) =>
      fetch(`${standIn.url}/faults`, { method: "POST", body: JSON.stringify(body) });
    const faults: StandInFaults = { vendors: { openai: { rates: { limited: 1 } } } };
    assert.deepEqual(await (await post(faults)).json(), faults);
    const asked = () => askStandIn(standIn, "openai", sampleRequest("openai", "switched"));
    const { status, headers } = await asked();
    assert.deepEqual([status, headers.get("retry-after")], [429, "1"]);
    for (const wrong of [{ rates: { limited: 2 } }, { rate: 1 }, { vendors: { nobody: {} } }, 7]) {
      assert.equal((await post(wrong)).status, 400);
    }
    assert.deepEqual(await (await fetch(`${standIn.url}/faults`)).json(), faults);
    await post({});
    assert.equal((await asked()).status, 200);
  });

  test("more requests than a vendor takes are refused until it has room", async () => {
    clock.advance(1_000);
    standIn.setFaults({ vendors: { openai: { limits: { perSecond: 2 } } } });
    const statuses = async (count: number) => {
      const found = [];
      for (let number = 0; number < count; number++) found.push(await outcomeOf("many", "openai"));
      return found;
    };
    assert.deepEqual(await statuses(3), [200, 200, 429]);
    assert.equal(await outcomeOf("many", "xai"), 200);
    clock.advance(1_000);
    assert.deepEqual(await statuses(3), [200, 200, 429]);
    clock.advance(1_000);
    standIn.setFaults({ vendors: { openai: { limits: { inFlight: 0 } } } });
    const { status, headers } = await askStandIn(
      standIn,
      "openai",
      sampleRequest("openai", "none"),
    );
    assert.deepEqual([status, headers.get("retry-after")], [429, "1"]);
  });

  test("requests under way count until they end", () => {
    const open = new OpenRequests();
    const limits = { inFlight: 2 };
    assert.deepEqual([open.begin(limits, 0), open.begin(limits, 0)], [null, null]);
    assert.equal(open.begin(limits, 5_000), 1_000);
    open.end();
    assert.equal(open.begin(limits, 5_000), null);
  });

  test("what waits for its reply is lost at the end, and not billed", async () => {
    const other = await startStandIn({ clock, faults: { latencyMs: 3_600_000 } });
    const request = sampleRequest("openai", "slow");
    const lost = assert.rejects(askStandIn(other, "openai", request), TypeError);
    await until("the request arrives", () => other.bill().totals.openai ?? null);
    await other.close();
    await lost;
    assert.equal(other.bill().totals.openai?.billed, 0);
  });

  test("waits are around their median, and one in a hundred is above four times it", () => {
    const waits = Array.from({ length: 4_000 }, (_, number) =>
      waitAround(1_000, drawsOf("wait", number)),
    ).sort((one, other) => one - other);
    const median = waits[2_000] ?? 0;
    assert.ok(Math.abs(median - 1_000) < 60, `${median}`);
    const above = waits.filter((wait) => wait > 4_000).length / waits.length;
    assert.ok(above > 0.004 && above < 0.02, `${above}`);
    assert.equal(waitAround(0, drawsOf("none")), 0);
  });

  test("draws are even, and of their key alone", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer())), fc.string(), (key, name) => {
        const drawn = drawsOf(...key).of(name);
        assert.ok(drawn >= 0 && drawn < 1);
        assert.equal(drawsOf(...key).of(name), drawn);
        assert.match(
          drawsOf(...key).uuid(name),
          /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/,
        );
      }),
    );
  });
});

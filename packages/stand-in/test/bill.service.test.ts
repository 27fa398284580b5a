import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Vendor } from "@sightline/contract";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";
import { microsOf } from "../src/prices.ts";
import { startStandIn } from "../src/stand-in.ts";
import { askedVendors, askStandIn, sampleRequest } from "./ask-stand-in.ts";

const program = fileURLToPath(new URL("./run-providers.ts", import.meta.url));

test("amounts follow from the published prices", () => {
  const consumed = { inputTokens: 10_000, outputTokens: 1_000, searches: 2 };
  const cases: readonly (readonly [Vendor, string, number])[] = [
    ["openai", "gpt-6.2-sol-2026-11-17", 20_000 + 10_000 + 20_000],
    ["openai", "gpt-5-mini", 2_500 + 2_000 + 20_000],
    ["anthropic", "claude-sonnet-5-5", 20_000 + 10_000 + 20_000],
    ["anthropic", "claude-sonnet-4-6", 30_000 + 15_000 + 20_000],
    ["gemini", "gemini-2.5-flash", 3_000 + 2_500 + 35_000],
    ["gemini", "gemini-3.8-flash", 7_500 + 3_750 + 28_000],
    ["perplexity", "perplexity/sonar", 2_500 + 2_500 + 5_000],
    ["xai", "grok-4.6", 20_000 + 6_000 + 10_000],
  ];
  for (const [vendor, model, micros] of cases) {
    assert.equal(microsOf(vendor, { ...consumed, model }), micros, `${vendor} ${model}`);
  }
});

test("the bill adds up, by vendor and by prompt, and names the jobs that are named", async (t) => {
  const standIn = await startStandIn({ clock: new HeldClock() });
  t.after(() => standIn.close());
  const prompts = ["One?", "Two?", "One?"];
  for (const vendor of askedVendors) {
    for (const prompt of prompts) await askStandIn(standIn, vendor, sampleRequest(vendor, prompt));
  }
  const { totals, prompts: byPrompt, requests } = standIn.bill();
  assert.equal(requests.length, 3 * askedVendors.length);
  for (const vendor of askedVendors) {
    const own = requests.filter((request) => request.vendor === vendor);
    const sums = byPrompt.filter((each) => each.vendor === vendor);
    assert.deepEqual(
      sums.map(({ prompt, received, billed }) => [prompt, received, billed]),
      [
        ["One?", 2, 2],
        ["Two?", 1, 1],
      ],
    );
    const micros = own.reduce((sum, request) => sum + request.micros, 0);
    assert.equal(totals[vendor]?.micros, micros);
    assert.equal(
      sums.reduce((sum, each) => sum + each.micros, 0),
      micros,
    );
    assert.ok(micros > 0);
  }
  const references = new Set(requests.map(({ reference }) => reference));
  assert.deepEqual(references, new Set([null, "job 1"]));
  const shown = await fetch(`${standIn.url}/bill`);
  assert.deepEqual(await shown.json(), { totals, prompts: byPrompt });
  assert.deepEqual(await (await fetch(`${standIn.url}/bill/requests`)).json(), requests);
});

test("the bill names prompts as meant, also where they are encoded", async (t) => {
  const standIn = await startStandIn({ clock: new HeldClock() });
  t.after(() => standIn.close());
  for (const keyword of ["1 %2B 1 of 100 %25", "one+one", "100 %"]) {
    await askStandIn(standIn, "dataforseo", sampleRequest("dataforseo", keyword));
  }
  const prompts = standIn.bill().requests.map(({ prompt }) => prompt);
  assert.deepEqual(prompts, ["1 + 1 of 100 %", "one one", "100 %"]);
});

test("what vendors say that a reply cost is what is billed", async (t) => {
  const standIn = await startStandIn({ clock: new HeldClock() });
  t.after(() => standIn.close());
  const said: Record<string, RegExp> = {
    perplexity: /"total_cost":([\d.e-]+)/,
    dataforseo: /"cost":([\d.e-]+)/,
    xai: /"cost_in_usd_ticks":(\d+)/,
  };
  for (const vendor of ["perplexity", "dataforseo", "xai"] as const) {
    for (const number of [1, 2, 3, 4, 5]) {
      const { body } = await askStandIn(standIn, vendor, sampleRequest(vendor, `Prompt ${number}`));
      const cost = Number(JSON.stringify(body).match(said[vendor] ?? /$/)?.[1]);
      const micros = Math.round(vendor === "xai" ? cost / 10_000 : cost * 1e6);
      assert.equal(standIn.bill().requests.at(-1)?.micros, micros);
    }
  }
});

test("amounts are whole millionths of a dollar before they are rounded", async (t) => {
  const standIn = await startStandIn({ clock: new HeldClock() });
  t.after(() => standIn.close());
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("openai", "anthropic", "gemini", "perplexity", "xai" as const),
      fc.string({ minLength: 1 }),
      async (vendor, prompt) => {
        await askStandIn(standIn, vendor, sampleRequest(vendor, prompt));
        const billed = standIn.bill().requests.at(-1);
        assert.deepEqual([billed?.prompt, billed?.vendor], [prompt, vendor]);
        assert.equal((billed?.inputTokens ?? 1) % 100, 0);
        assert.equal((billed?.outputTokens ?? 1) % 100, 0);
      },
    ),
    { numRuns: 50 },
  );
});

test("another stand-in goes on from a bill's file, and skips a cut line", async (t) => {
  const billFile = newBillFile(t);
  const clock = new HeldClock();
  const first = await startStandIn({ clock, billFile });
  const { body } = await askStandIn(first, "cloro", sampleRequest("cloro", "One?"));
  const id = JSON.stringify(body).match(/"id":"([^"]+)"/)?.[1];
  const replies = [await askStandIn(first, "openai", sampleRequest("openai", "One?"))];
  const earlier = first.bill();
  await first.close();
  appendFileSync(billFile, '{"kind":"billed","vendor":"ope');

  const second = await startStandIn({ clock, billFile });
  t.after(() => second.close());
  assert.deepEqual(second.bill(), earlier);
  const address = `api.cloro.dev/v1/async/task/${id}`;
  const task = await askStandIn(second, "cloro", { method: "GET", address });
  assert.match(JSON.stringify(task.body), /"status":"COMPLETED"/);
  // The prompt's number goes on too: its next answer is another one.
  replies.push(await askStandIn(second, "openai", sampleRequest("openai", "One?")));
  assert.equal(new Set(replies.map((reply) => JSON.stringify(reply.body))).size, 2);
  const lines = readFileSync(billFile, "utf8").split("\n");
  assert.equal(lines.filter((line) => line.includes('"billed"')).length, 4);
});

test("kill -9 loses nothing that was replied to", async (t) => {
  const billFile = newBillFile(t);
  const child = spawn(process.execPath, [program, "--bill", billFile, "--seed", "4"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const [printed] = await once(child.stdout, "data");
  const url = String(printed).match(/SIGHTLINE_VENDOR_STAND_IN=(\S+)/)?.[1];
  assert.ok(url);
  for (const vendor of askedVendors)
    await askStandIn({ url }, vendor, sampleRequest(vendor, "One?"));
  child.kill("SIGKILL");
  await once(child, "close");
  const after = await startStandIn({ billFile });
  t.after(() => after.close());
  const { totals } = after.bill();
  const counts = askedVendors.map((vendor) => [totals[vendor]?.received, totals[vendor]?.billed]);
  assert.deepEqual(counts, Array(askedVendors.length).fill([1, 1]));
});

test("tasks/providers says what is wrong with its options", async () => {
  for (const options of [["--port", "65536"], ["--what"]]) {
    const child = spawn(process.execPath, [program, ...options], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [[text], [code]] = await Promise.all([once(child.stderr, "data"), once(child, "close")]);
    assert.equal(code, 2);
    assert.match(String(text), /usage: tasks\/providers/);
  }
});

/** A file that is not there yet, in a folder that ends with the test. */
function newBillFile(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "bill.ndjson");
}

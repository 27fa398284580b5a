import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { after, before, describe, type TestContext, test } from "node:test";
import type { Vendor } from "@sightline/contract";
import type { Fault } from "../src/faults.ts";
import { type StandIn, startStandIn } from "../src/stand-in.ts";
import { askStandIn, type SampleRequest, sampleRequest } from "./ask-stand-in.ts";
import { documentedReplies } from "./documented-replies.ts";
import { shapeOf } from "./shape-of.ts";

const samples = new URL("../../../../shared/data/provider-samples/", import.meta.url);
/** Where the replies of a vendor's own API are recorded. */
const folders = { openai: "OPENAI", anthropic: "ANTHROPIC", gemini: "GEMINI", xai: "GROK" };
/** Of another API of the same vendor. */
const otherApi = /interactions/;

/** What adapters cannot do without. */
const needed: Readonly<Record<Exclude<Vendor, "reader">, readonly string[]>> = {
  openai: [
    "status string",
    "model string",
    "output[message].content[output_text].text string",
    "output[message].content[output_text].annotations[url_citation].url string",
    "output[message].content[output_text].annotations[url_citation].start_index number",
    "output[message].content[output_text].annotations[url_citation].end_index number",
    "output[message].content[refusal].refusal string",
    "output[web_search_call].action.query string",
    "output[web_search_call].action.sources[url].url string",
    "usage.input_tokens number",
    "usage.output_tokens number",
  ],
  anthropic: [
    "stop_reason string",
    "model string",
    "content[text].text string",
    "content[text].citations[web_search_result_location].url string",
    "content[server_tool_use].input.query string",
    "content[web_search_tool_result].content[web_search_result].url string",
    "content[web_search_tool_result].content.error_code string",
    "usage.server_tool_use.web_search_requests number",
  ],
  gemini: [
    "candidates[].content.parts[].text string",
    "candidates[].finishReason string",
    "candidates[].groundingMetadata.groundingChunks[].web.uri string",
    "candidates[].groundingMetadata.groundingSupports[].segment.startIndex number",
    "candidates[].groundingMetadata.groundingSupports[].segment.endIndex number",
    "candidates[].groundingMetadata.groundingSupports[].groundingChunkIndices[] number",
    "candidates[].groundingMetadata.searchEntryPoint.renderedContent string",
    "candidates[].groundingMetadata.webSearchQueries[] string",
    "modelVersion string",
    "usageMetadata.promptTokenCount number",
    "usageMetadata.candidatesTokenCount number",
  ],
  perplexity: [
    "output[search_results].results[].url string",
    "output[search_results].queries[] string",
    "output[message].content[output_text].annotations[url_citation].url string",
    "usage.cost.total_cost number",
  ],
  xai: [
    "output[message].content[output_text].annotations[url_citation].url string",
    "output[web_search_call].arguments string",
    "citations[] string",
    "usage.cost_in_usd_ticks number",
  ],
  dataforseo: [
    "tasks[].status_code number",
    "tasks[].cost number",
    "tasks[].result[ai_mode].items[ai_overview].markdown string",
    "tasks[].result[ai_mode].items[ai_overview].references[ai_overview_reference].url string",
    "tasks[].result[organic].items[ai_overview].markdown string",
    "tasks[].result[organic].items[ai_overview].items null",
    "tasks[].result[organic].items[ai_overview].asynchronous_ai_overview boolean",
  ],
  serpapi: [
    "header string",
    "text_blocks[paragraph].snippet string",
    "references[].link string",
    "ai_overview.page_token string",
    "ai_overview.text_blocks[list].list[].reference_indexes[] number",
  ],
  cloro: [
    "task.id string",
    "task.status string",
    "response.text string",
    "response.sources[].url string",
    "response.citationPills[].url string",
    "response.searchQueries[] string",
    "response.aioverview.text string",
  ],
};

describe("shapes of the stand-in's replies", () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  after(() => standIn.close());

  for (const [vendor, folder] of Object.entries(folders) as [keyof typeof folders, string][]) {
    test(`${vendor}: every field is recorded, or documented and known as that`, async (t) => {
      const sent = await shapesSent(standIn, vendor);
      assert.deepEqual(
        needed[vendor].filter((path) => !sent.has(path)),
        [],
      );
      const recorded = recordedShapes(t, folder);
      if (recorded === null) return;
      const documented = documentedShapes(vendor);
      const unknown = [...sent].filter((path) => !recorded.has(path) && !documented.has(path));
      assert.deepEqual(unknown, []);
    });
  }

  for (const vendor of ["perplexity", "dataforseo", "serpapi", "cloro"] as const) {
    test(`${vendor}: every field is documented; no reply of it is recorded`, async () => {
      const sent = await shapesSent(standIn, vendor);
      assert.deepEqual(
        needed[vendor].filter((path) => !sent.has(path)),
        [],
      );
      const documented = documentedShapes(vendor);
      assert.deepEqual(
        [...sent].filter((path) => !documented.has(path)),
        [],
      );
    });
  }
});

function documentedShapes(vendor: Vendor): ReadonlySet<string> {
  return new Set((documentedReplies[vendor] ?? []).flatMap((reply) => [...shapeOf(reply)]));
}

/** Null, said plainly, where the recordings are not at hand: they are kept elsewhere. */
function recordedShapes(t: TestContext, folder: string): ReadonlySet<string> | null {
  const place = new URL(`${folder}/`, samples);
  if (!existsSync(place)) {
    t.diagnostic(`not compared: there are no recorded replies at ${place.pathname}`);
    return null;
  }
  const files = readdirSync(place).filter((file) => file.endsWith(".json") && !otherApi.test(file));
  const replies = files.map((file) => {
    const read: unknown = JSON.parse(readFileSync(new URL(file, place), "utf8"));
    const isExchange = typeof read === "object" && read !== null && "uri" in read;
    return isExchange && "response" in read ? read.response : read;
  });
  return new Set(replies.flatMap((reply) => [...shapeOf(reply)]));
}

/** All that a vendor's replies have, over prompts, kinds of pages and faults inside a 200. */
async function shapesSent(standIn: StandIn, vendor: Vendor): Promise<ReadonlySet<string>> {
  const faults: readonly (Fault | null)[] = [
    ...([null, "refused", "incomplete", "pauseTurn", "searchError"] as const),
    ...(["absent", "secondRequest"] as const),
  ];
  const sent = new Set<string>();
  for (const fault of faults) {
    standIn.setFaults({ rates: { secondRequest: 0, ...(fault === null ? {} : { [fault]: 1 }) } });
    for (const request of requestsOf(vendor)) {
      const { status, body } = await askStandIn(standIn, vendor, request);
      assert.equal(status, 200);
      for (const path of shapeOf(body)) sent.add(path);
      for (const path of await shapeOfTask(standIn, body)) sent.add(path);
    }
  }
  return sent;
}

/** The shape of what a task gives, where the reply names one. */
async function shapeOfTask(standIn: StandIn, body: unknown): Promise<ReadonlySet<string>> {
  const id = JSON.stringify(body).match(/"task":\{"id":"([^"]+)"/)?.[1];
  if (id === undefined) return new Set();
  const address = `api.cloro.dev/v1/async/task/${id}`;
  return shapeOf((await askStandIn(standIn, "cloro", { method: "GET", address })).body);
}

function requestsOf(vendor: Vendor): readonly SampleRequest[] {
  const prompts = ["What is the best anvil?", "Wo kauft man Ambosse?", "anvils", "Anvil or not?"];
  const usual = prompts.map((prompt) => sampleRequest(vendor, prompt));
  if (vendor === "dataforseo") {
    const address = "api.dataforseo.com/v3/serp/google/organic/live/advanced";
    return [...usual, ...usual.map((request) => ({ ...request, address }))];
  }
  if (vendor === "serpapi") {
    return usual.flatMap((request) => [
      request,
      { ...request, address: request.address.replace("google_ai_mode", "google") },
      { ...request, address: request.address.replace("google_ai_mode", "bing_copilot") },
    ]);
  }
  if (vendor !== "cloro") return usual;
  const include = { markdown: true, searchQueries: true };
  const task = (taskType: string, payload: object): SampleRequest => ({
    method: "POST",
    address: "api.cloro.dev/v1/async/task",
    body: { taskType, payload: { country: "US", include, ...payload } },
  });
  return [
    ...usual,
    task("CHATGPT", { prompt: "anvils" }),
    task("PERPLEXITY", { prompt: "anvils" }),
    task("GOOGLE", { query: "anvils", include: { aioverview: { markdown: true } } }),
  ];
}

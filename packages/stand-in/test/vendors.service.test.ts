import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { Vendor } from "@sightline/contract";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { z } from "zod";
import { type StandIn, startStandIn } from "../src/stand-in.ts";
import { askedVendors, askStandIn, type SampleRequest, sampleRequest } from "./ask-stand-in.ts";

const prompt = "Which anvil is the best?";

describe("the vendors of the stand-in", () => {
  const clock = new HeldClock();
  let standIn: StandIn;
  const ask = (vendor: Vendor, request: SampleRequest & { readonly credential?: string }) =>
    askStandIn(standIn, vendor, request);
  before(async () => {
    standIn = await startStandIn({
      clock,
      brands: [{ name: "Zwölf & Söhne", domain: "12.example" }],
    });
  });
  beforeEach(() => standIn.setFaults({}));
  after(() => standIn.close());

  test("each answers a prompt, or takes it as a task, and names a given brand", async () => {
    for (const vendor of askedVendors) {
      const { status, body } = await ask(vendor, sampleRequest(vendor, prompt));
      assert.equal(status, 200, vendor);
      const shown = vendor === "cloro" ? await taskResult(body) : body;
      assert.match(JSON.stringify(shown), /Zwölf & Söhne/, vendor);
    }
  });

  test("each refuses a wrong credential as the real one does, and bills nothing", async () => {
    const before = standIn.bill().requests.length;
    const found = await Promise.all(
      askedVendors.map(async (vendor) => {
        const wrong = { ...sampleRequest(vendor, prompt), credential: "wrong:secret" };
        return [vendor, (await ask(vendor, wrong)).status];
      }),
    );
    // Google and xAI reply with 400.
    assert.deepEqual(Object.fromEntries(found), {
      openai: 401,
      anthropic: 401,
      gemini: 400,
      perplexity: 401,
      xai: 400,
      dataforseo: 401,
      serpapi: 401,
      cloro: 401,
    });
    assert.equal(standIn.bill().requests.length, before);
  });

  test("each refuses a request that it does not take, and knows its addresses alone", async () => {
    for (const vendor of askedVendors) {
      const good = sampleRequest(vendor, prompt);
      const bad = { ...good, ...(good.method === "POST" ? { body: { input: 1 } } : {}) };
      const address = good.address.replace(/([?&])q=.*$/, "$1");
      const { status, body } = await ask(vendor, { ...bad, address });
      if (vendor === "dataforseo") assert.match(JSON.stringify(body), /"status_code":40501/);
      else assert.equal(status, 400, vendor);
      const [host] = good.address.split("/");
      assert.equal((await ask(vendor, { ...good, address: `${host}/v9/none` })).status, 404);
    }
    const unknown = { method: "GET", address: "api.example.com/v1" } as const;
    assert.equal((await ask("openai", unknown)).status, 404);
  });

  test("an account without money gets the vendor's own error, and nothing is billed", async () => {
    const found = [];
    const before = standIn.bill().requests.length;
    for (const vendor of askedVendors) {
      standIn.setFaults({ vendors: { [vendor]: { outOfMoney: true } } });
      const { status, body } = await ask(vendor, sampleRequest(vendor, prompt));
      found.push([vendor, status]);
      assert.match(JSON.stringify(body), /quota|credit|Payment|searches/i);
    }
    assert.deepEqual(Object.fromEntries(found), {
      openai: 429,
      anthropic: 400,
      gemini: 429,
      perplexity: 401,
      xai: 429,
      dataforseo: 402,
      serpapi: 429,
      cloro: 403,
    });
    assert.equal(standIn.bill().requests.length, before);
  });

  test("Gemini's supports are bytes of the text, and its links lead to the pages", async () => {
    const { body } = await ask("gemini", sampleRequest("gemini", prompt));
    const [candidate] = geminiSchema.parse(body).candidates;
    assert.ok(candidate);
    const [{ text }] = candidate.content.parts;
    const { groundingSupports, groundingChunks } = candidate.groundingMetadata;
    assert.ok(groundingSupports.length >= 2);
    for (const { segment } of groundingSupports) {
      const bytes = Buffer.from(text).subarray(segment.startIndex, segment.endIndex);
      assert.equal(bytes.toString("utf8"), segment.text);
    }
    for (const { web } of groundingChunks) {
      const { host, pathname } = new URL(web.uri);
      assert.equal(host, "vertexaisearch.cloud.google.com");
      const link = { method: "GET", address: `${host}${pathname}` } as const;
      const { status, headers } = await ask("gemini", link);
      assert.equal(status, 302);
      const page = new URL(headers.get("location") ?? "");
      assert.ok(page.hostname.endsWith(web.title), `${page.hostname} ${web.title}`);
      assert.equal((await ask("gemini", { ...link, address: `${host}/other` })).status, 404);
    }
  });

  test("what Anthropic paused goes on when it is sent back", async () => {
    standIn.setFaults({ rates: { pauseTurn: 1 } });
    const request = sampleRequest("anthropic", prompt);
    const paused = messageSchema.parse((await ask("anthropic", request)).body);
    assert.equal(paused.stop_reason, "pause_turn");
    assert.equal(
      paused.content.some(({ type }) => type === "text"),
      false,
    );
    const sent = z.looseObject({ messages: z.array(z.unknown()) }).parse(request.body);
    const messages = [...sent.messages, { role: "assistant", content: paused.content }];
    const reply = await ask("anthropic", { ...request, body: { ...sent, messages } });
    const ended = messageSchema.parse(reply.body);
    assert.equal(ended.stop_reason, "end_turn");
    assert.ok(ended.content.every(({ type }) => type === "text"));
  });

  test("an overview that loads later is got by its token, within four minutes", async () => {
    standIn.setFaults({ rates: { secondRequest: 1 } });
    const address = `serpapi.com/search.json?engine=google&q=${encodeURIComponent(prompt)}`;
    const first = await ask("serpapi", { method: "GET", address });
    const { page_token } = overviewSchema.parse(first.body).ai_overview;
    assert.ok(page_token);
    const second = {
      method: "GET",
      address: `serpapi.com/search.json?engine=google_ai_overview&page_token=${page_token}`,
    } as const;
    const { text_blocks } = overviewSchema.parse((await ask("serpapi", second)).body).ai_overview;
    assert.ok((text_blocks?.length ?? 0) > 1);
    clock.advance(4 * 60_000 + 1);
    const late = overviewSchema.parse((await ask("serpapi", second)).body).ai_overview;
    assert.deepEqual([late.text_blocks, typeof late.error], [undefined, "string"]);
    const made = { ...second, address: second.address.slice(0, -4) };
    assert.equal((await ask("serpapi", made)).status, 400);
  });

  test("DataForSEO loads a later overview when that is asked for, and charges it", async () => {
    const address = "api.dataforseo.com/v3/serp/google/organic/live/advanced";
    const cost = async (later: number, load: boolean) => {
      standIn.setFaults({ rates: { secondRequest: later } });
      const body = [{ keyword: prompt, location_code: 2840, load_async_ai_overview: load }];
      const [task] = taskSchema.parse(
        (await ask("dataforseo", { method: "POST", address, body })).body,
      ).tasks;
      const overview = task?.result?.[0]?.items.find(({ type }) => type === "ai_overview");
      return [task?.cost, overview?.markdown === null];
    };
    assert.deepEqual(await cost(1, false), [0.002, true]);
    assert.deepEqual(await cost(1, true), [0.004, false]);
    assert.deepEqual(await cost(0, true), [0.002, false]);
  });

  test("tasks of Cloro and DataForSEO are queued, run and end by the clock", async () => {
    standIn.setFaults({ tasks: { queueMs: 60_000, runMs: 60_000 } });
    const keyed = { ...sampleRequest("cloro", prompt) };
    const body = { ...z.looseObject({}).parse(keyed.body), idempotencyKey: "job 7" };
    const created = cloroSchema.parse((await ask("cloro", { ...keyed, body })).body);
    assert.equal((await ask("cloro", { ...keyed, body })).status, 409);
    const { tasks } = taskSchema.parse(
      (
        await ask("dataforseo", {
          method: "POST",
          address: "api.dataforseo.com/v3/serp/google/ai_mode/task_post",
          body: [{ keyword: prompt, location_code: 2840 }],
        })
      ).body,
    );
    assert.equal(tasks[0]?.status_code, 20100);
    const get = `api.dataforseo.com/v3/serp/google/ai_mode/task_get/advanced/${tasks[0]?.id}`;
    const states = new Set<string>();
    // A wait is at most some times its median.
    for (let tries = 0; tries < 200 && !states.has("COMPLETED 20000"); tries++) {
      const { task } = cloroSchema.parse(await taskReply(created.task.id));
      const [page] = taskSchema.parse(
        (await ask("dataforseo", { method: "GET", address: get })).body,
      ).tasks;
      states.add(`${task.status} ${page?.status_code}`);
      clock.advance(10_000);
    }
    const seen = [...states].join(", ");
    for (const state of [/QUEUED/, /PROCESSING/, /40602/, /40601/, /COMPLETED 20000/]) {
      assert.match(seen, state);
    }
    const gone = { method: "GET", address: "api.cloro.dev/v1/async/task/none" } as const;
    assert.equal((await ask("cloro", gone)).status, 404);
  });

  test("the same requests with the same seed have the same replies, others do not", async () => {
    const texts = async (seed: number) => {
      const other = await startStandIn({ seed, clock });
      const requests = [1, 2, 3].map(() => sampleRequest("openai", prompt));
      const bodies: string[] = [];
      for (const each of requests) {
        bodies.push(JSON.stringify((await askStandIn(other, "openai", each)).body));
      }
      await other.close();
      return bodies;
    };
    const [one, again, another] = [await texts(1), await texts(1), await texts(2)];
    assert.deepEqual(one, again);
    assert.equal(new Set([...one, ...another]).size, 6);
  });

  async function taskReply(id: string): Promise<unknown> {
    const address = `api.cloro.dev/v1/async/task/${id}`;
    return (await ask("cloro", { method: "GET", address })).body;
  }

  async function taskResult(body: unknown): Promise<unknown> {
    return taskReply(cloroSchema.parse(body).task.id);
  }
});

const geminiSchema = z.object({
  candidates: z.array(
    z.object({
      content: z.object({ parts: z.tuple([z.object({ text: z.string() })]) }),
      groundingMetadata: z.object({
        groundingChunks: z.array(
          z.object({ web: z.object({ title: z.string(), uri: z.string() }) }),
        ),
        groundingSupports: z.array(
          z.object({
            segment: z.object({
              startIndex: z.number().default(0),
              endIndex: z.number(),
              text: z.string(),
            }),
          }),
        ),
      }),
    }),
  ),
});
const messageSchema = z.object({
  stop_reason: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
});
const overviewSchema = z.object({
  ai_overview: z.object({
    page_token: z.string().optional(),
    text_blocks: z.array(z.unknown()).optional(),
    error: z.string().optional(),
  }),
});
const taskSchema = z.object({
  tasks: z.array(
    z.object({
      id: z.string(),
      status_code: z.number(),
      cost: z.number(),
      result: z
        .array(
          z.object({
            items: z.array(
              z.object({ type: z.string(), markdown: z.string().nullable().optional() }),
            ),
          }),
        )
        .nullable(),
    }),
  ),
});
const cloroSchema = z.object({ task: z.object({ id: z.string(), status: z.string() }) });

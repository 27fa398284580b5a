import assert from "node:assert/strict";
import { test } from "node:test";
import { providers, vendorsOf } from "@sightline/contract";
import type { VendorQuestion, VendorRequest } from "../adapter.ts";
import { adapters } from "./index.ts";

/** Page vendors' requests are with the tests of documented pages. */
const ofApis = adapters.filter(({ asks }) => asks.every(({ surface }) => surface === "api"));

const prompt = "Which phone is best?";
const credential = "secret-credential";

function asked(vendor: string, fields: Partial<VendorQuestion> = {}) {
  const adapter = adapters.find((each) => each.vendor === vendor);
  const [asks] = adapter?.asks ?? [];
  assert.ok(adapter !== undefined && asks !== undefined);
  const id = "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0";
  const question = { id, prompt, ...asks, region: null, model: null, ...fields };
  const step = adapter.step(question, []);
  assert.equal(step.kind, "send");
  return { adapter, question, request: step.request };
}

const inGermany = { region: "DE" };
const germany = { type: "approximate", country: "DE" };

/** The whole requests, as the vendors document them. */
const requests: Readonly<Record<string, VendorRequest>> = {
  openai: {
    method: "POST",
    host: "api.openai.com",
    path: "/v1/responses",
    body: {
      model: "gpt-6.2-sol",
      input: prompt,
      tools: [{ type: "web_search", user_location: germany }],
      include: ["web_search_call.action.sources"],
      max_output_tokens: 8_000,
      max_tool_calls: 10,
      store: false,
    },
    isPaid: true,
    withinMs: 300_000,
  },
  anthropic: {
    method: "POST",
    host: "api.anthropic.com",
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01" },
    body: {
      model: "claude-sonnet-5-5",
      max_tokens: 8_000,
      messages: [{ role: "user", content: prompt }],
      tools: [
        {
          type: "web_search_20250305",
          name: "web_search",
          max_uses: 5,
          user_location: germany,
        },
      ],
    },
    isPaid: true,
    withinMs: 300_000,
  },
  perplexity: {
    method: "POST",
    host: "api.perplexity.ai",
    path: "/v1/responses",
    body: {
      preset: "fast",
      input: prompt,
      tools: [{ type: "web_search", user_location: { country: "DE" } }],
      max_output_tokens: 8_000,
      store: false,
    },
    isPaid: true,
    withinMs: 180_000,
  },
};

test("the first request of a question in a region", () => {
  for (const [vendor, request] of Object.entries(requests)) {
    assert.deepEqual(asked(vendor, inGermany).request, request);
  }
});

test("Gemini and Grok, which take no region, refuse one", () => {
  assert.deepEqual(asked("gemini").request, {
    method: "POST",
    host: "generativelanguage.googleapis.com",
    path: "/v1beta/models/gemini-3.8-flash:generateContent",
    body: {
      contents: [{ role: "user", parts: [{ text: prompt }] }],
      tools: [{ googleSearch: {} }],
      generationConfig: { maxOutputTokens: 8_000 },
    },
    isPaid: true,
    withinMs: 180_000,
  });
  assert.deepEqual(asked("xai").request, {
    method: "POST",
    host: "api.x.ai",
    path: "/v1/responses",
    body: {
      model: "grok-4.7",
      input: [{ role: "user", content: prompt }],
      tools: [{ type: "web_search" }],
      include: ["web_search_call.action.sources"],
      max_output_tokens: 8_000,
      store: false,
    },
    isPaid: true,
    withinMs: 300_000,
  });
  const refusals = ofApis.map(({ vendor, refusal }) => {
    assert.equal(refusal(asked(vendor).question), null);
    return [vendor, refusal(asked(vendor, inGermany).question)];
  });
  assert.deepEqual(refusals, [
    ["openai", null],
    ["anthropic", null],
    ["gemini", "The Gemini API takes no region. Ask GEMINI without regions."],
    ["perplexity", null],
    ["xai", "xAI's HTTP API takes no region. Ask GROK without regions."],
  ]);
});

test("without a region no country is sent, and Perplexity's preset keeps its tools", () => {
  for (const { vendor } of ofApis) {
    const body = JSON.stringify(asked(vendor).request.body);
    assert.doesNotMatch(body, /country/);
    // OpenAI would search as from the United States without it.
    const hasPlace = body.includes('"user_location":{"type":"approximate"}');
    assert.equal(hasPlace, vendor === "openai");
    assert.equal(body.includes('"tools"'), vendor !== "perplexity");
  }
});

test("a city and a state are sent as the vendors that take them name them", () => {
  const place = { region: "US", state: "California", city: "San Francisco" };
  const sent = { country: "US", region: "California", city: "San Francisco" };
  for (const { vendor } of ofApis) {
    const body = JSON.stringify(asked(vendor, place).request.body);
    const type = vendor === "perplexity" ? {} : { type: "approximate" };
    const location = JSON.stringify({ user_location: { ...type, ...sent } }).slice(1, -1);
    assert.equal(body.includes(location), ["openai", "anthropic", "perplexity"].includes(vendor));
  }
});

test("a question's model is asked instead of the default", () => {
  for (const { vendor } of ofApis) {
    const { path, body } = asked(vendor, { model: "maker/a?b" }).request;
    const isInPath = path === "/v1beta/models/maker%2Fa%3Fb:generateContent";
    assert.equal(isInPath, vendor === "gemini");
    assert.equal(JSON.stringify(body).includes('"model":"maker/a?b"'), vendor !== "gemini");
  }
  const { body } = asked("perplexity", { model: "maker/a?b" }).request;
  assert.match(JSON.stringify(body), /"tools":\[{"type":"web_search"}\]/);
});

test("a credential is in the header field of its vendor and nowhere else", () => {
  const fields = ofApis.map(({ vendor }) => {
    const { adapter, request } = asked(vendor);
    assert.doesNotMatch(JSON.stringify(request), new RegExp(credential));
    const { path, headers } = adapter.authorize(request, credential);
    assert.equal(path, request.path);
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      assert.equal(headers[name], value);
    }
    const holding = Object.entries(headers).filter(([, value]) => value.includes(credential));
    return [vendor, ...holding.flat()];
  });
  assert.deepEqual(fields, [
    ["openai", "authorization", `Bearer ${credential}`],
    ["anthropic", "x-api-key", credential],
    ["gemini", "x-goog-api-key", credential],
    ["perplexity", "authorization", `Bearer ${credential}`],
    ["xai", "authorization", `Bearer ${credential}`],
  ]);
});

test("what a vendor is asked for is what workspace files may name it for, and can be sent", () => {
  for (const adapter of adapters) {
    for (const { provider, surface } of adapter.asks) {
      assert.ok(vendorsOf[provider][surface]?.includes(adapter.vendor));
      const { question, request } = asked(adapter.vendor, { provider, surface });
      assert.equal(adapter.refusal(question), null);
      assert.doesNotMatch(JSON.stringify(request.body ?? request.path), /undefined/);
      const tasks = JSON.stringify(request.body ?? "").includes("taskType");
      assert.equal(tasks, adapter.vendor === "cloro", `${adapter.vendor} ${provider}`);
    }
  }
  assert.equal(vendorsOf.ANTHROPIC.web, undefined);
  const cloro = adapters.find(({ vendor }) => vendor === "cloro");
  const question = { ...asked("cloro").question, provider: "ANTHROPIC" } as const;
  assert.equal(cloro?.refusal(question), "Cloro has no page of ANTHROPIC");
});

test("each vendor is there once, and asks a known provider over listed hosts", () => {
  const vendors = adapters.map(({ vendor }) => vendor);
  assert.equal(new Set(vendors).size, vendors.length);
  for (const { vendor, hosts, asks } of adapters) {
    assert.ok(hosts.includes(asked(vendor).request.host));
    assert.ok(asks.every(({ provider }) => providers.includes(provider)));
  }
});

test("the region in effect is the question's, else what the vendor assumes", () => {
  const assumed = adapters.flatMap(({ vendor, asks, regionOf }) =>
    asks.map((ask) => {
      const { question } = asked(vendor);
      assert.equal(regionOf({ ...question, ...ask, ...inGermany }), "DE");
      return [vendor, ask.provider, regionOf({ ...question, ...ask })];
    }),
  );
  assert.deepEqual(
    assumed.filter(([, , region]) => region !== null),
    [
      ["dataforseo", "GOOGLE_AI_MODE", "US"],
      ["dataforseo", "GOOGLE_AI_OVERVIEW", "US"],
      ...["GEMINI", "OPENAI", "PERPLEXITY", "GROK", "COPILOT"].map((page) => ["cloro", page, "US"]),
      ["serpapi", "GOOGLE_AI_MODE", "US"],
      ["serpapi", "GOOGLE_AI_OVERVIEW", "US"],
    ],
  );
  // Google's pages are requested for the country, named or not.
  for (const { vendor } of adapters.filter((each) => /dataforseo|serpapi/.test(each.vendor))) {
    assert.deepEqual(asked(vendor).request, asked(vendor, { region: "US" }).request);
  }
});

import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { call, httpClient, type Told } from "@sightline/server/test/assistant.ts";
import { type AfterHook, sampleIds, startSample } from "@sightline/server/test/sample-account.ts";
import { tools } from "../src/tools.ts";

let client: Client;

// One service for all: no tool changes anything.
const hooks: (() => Promise<void>)[] = [];
const whole: AfterHook = { after: (hook) => void hooks.unshift(hook) };
before(async () => {
  const { service, token } = await startSample(whole);
  client = await httpClient(whole, { url: await service.listen(), token });
});
after(async () => {
  for (const hook of hooks) await hook();
});

const acme = { id: sampleIds.acme, name: "Acme", role: "brand" } as const;
const globex = { id: sampleIds.globex, name: "Globex", role: "competitor" } as const;
const initech = { id: sampleIds.initech, name: "Initech", role: "competitor" } as const;
const nullNote =
  "null means that nothing was measured there (no answers; for rank, no mention). It is not 0.";

const answersNote = "Answers exist from 2026-01-05 to 2026-01-07, and at no other time.";

/** A call that must go well. */
async function told(name: string, given: object = {}): Promise<Told> {
  const reply = await call(client, name, given);
  assert.equal(reply.isError, false, reply.text);
  tools.find((tool) => tool.name === name)?.output.parse(reply.data);
  return reply;
}

/** A list begins each conversation, and costs the model as many tokens. */
const listBytesMax = 12_250;

test("at most eight tools, all read-only, with arguments described, in a short list", async () => {
  const list = await client.listTools();
  assert.ok(JSON.stringify(list).length < listBytesMax, `${JSON.stringify(list).length} bytes`);
  assert.deepEqual(
    list.tools.map(({ name }) => name),
    [
      "describe_workspace",
      "compare_visibility",
      "time_series",
      "break_down",
      "top_sources",
      "show_answers",
      "find_prompts",
      "explain_metric",
    ],
  );
  for (const { name, annotations, description, inputSchema } of list.tools) {
    assert.equal(annotations?.readOnlyHint, true, name);
    assert.equal(annotations.destructiveHint, false, name);
    assert.equal(inputSchema["additionalProperties"], false, name);
    if (name !== "explain_metric") assert.match(description ?? "", /are data, never instr/, name);
    assert.match(description ?? "", /Costs one call|Reads no data/, name);
  }
  assert.match(client.getInstructions() ?? "", /describe_workspace first/);
});

test("describe_workspace", async () => {
  const { text, data } = await told("describe_workspace");
  assert.deepEqual(data, {
    today: "2026-06-01",
    brand: { id: acme.id, name: "Acme" },
    competitors: [
      { id: globex.id, name: "Globex" },
      { id: initech.id, name: "Initech" },
    ],
    topics: [
      { id: sampleIds.hosting, name: "Hosting" },
      { id: sampleIds.storage, name: "Storage" },
    ],
    totals: { competitors: 2, topics: 2, prompts: 2, brandedPrompts: 1, answers: 3 },
    firstAnswer: "2026-01-05T08:00:00.000Z",
    lastAnswer: "2026-01-07T00:00:00.000Z",
    lastImport: "2026-06-01T12:00:00.000Z",
    providers: ["OPENAI", "GROK"],
    regions: ["DE", "US"],
    notes: [],
  });
  assert.equal(
    text,
    "Today is 2026-06-01. The brand is Acme, with 2 competitors, 2 topics and 2 prompts. " +
      "3 answers, from 2026-01-05T08:00:00.000Z to 2026-01-07T00:00:00.000Z.",
  );
});

test("compare_visibility: two days that are a bucket each, and their change", async () => {
  const { text, data } = await told("compare_visibility", {
    period: "2026-01-07",
    compareWith: "2026-01-05",
    competitors: ["globex"],
    metrics: ["visibility", "rank"],
  });
  const bucket = "2026-01-01T00:00:00.000Z";
  const one = (value: number | null) => [{ bucket, value }];
  assert.deepEqual(data, {
    interval: "monthly",
    now: { from: "2026-01-07T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
    before: { from: "2026-01-05T00:00:00.000Z", to: "2026-01-06T00:00:00.000Z" },
    entities: [
      {
        ...acme,
        metrics: [
          { metric: "visibility", now: one(0), before: one(1), change: -1 },
          { metric: "rank", now: one(null), before: one(1.5), change: null },
        ],
      },
      {
        ...globex,
        metrics: [
          { metric: "visibility", now: one(1), before: one(0.5), change: 0.5 },
          { metric: "rank", now: one(null), before: one(1), change: null },
        ],
      },
    ],
    notes: [nullNote],
  });
  assert.equal(
    text,
    "Acme: visibility 0.0 %, before 100.0 %; Globex: visibility 100.0 %, before 50.0 %.",
  );
});

test("compare_visibility: one question for periods that follow each other", async () => {
  const given = { period: "2026-W02", metrics: ["mentions"] };
  const follows = await told("compare_visibility", given);
  const named = await told("compare_visibility", { ...given, compareWith: "2026-W01" });
  assert.deepEqual(follows.data, named.data);
  const week = (monday: string, value: number | null) => [
    { bucket: `${monday}T00:00:00.000Z`, value },
  ];
  const metrics = (value: number) => [
    {
      metric: "mentions",
      now: week("2026-01-05", value),
      before: week("2025-12-29", null),
      change: null,
    },
  ];
  assert.deepEqual(follows.data, {
    interval: "weekly",
    now: { from: "2026-01-05T00:00:00.000Z", to: "2026-01-12T00:00:00.000Z" },
    before: { from: "2025-12-29T00:00:00.000Z", to: "2026-01-05T00:00:00.000Z" },
    entities: [
      { ...acme, metrics: metrics(2 / 3) },
      { ...globex, metrics: metrics(1 / 3) },
      { ...initech, metrics: metrics(0) },
    ],
    notes: [answersNote, nullNote],
  });
});

test("compare_visibility: buckets before the first answer are not shown", async () => {
  const { data } = await told("compare_visibility", {
    period: "2025-12-20/2026-01-10",
    metrics: ["visibility"],
    competitors: [globex.id.toUpperCase()],
  });
  assert.equal(data?.["interval"], "monthly");
  const [brand] = data["entities"] as readonly { readonly metrics: readonly object[] }[];
  assert.deepEqual(brand?.metrics, [
    {
      metric: "visibility",
      now: [{ bucket: "2026-01-01T00:00:00.000Z", value: 2 / 3 }],
      before: [], // before the first answer
      change: null,
    },
  ]);
  assert.deepEqual(data["notes"], [answersNote]);
});

test("time_series: measured zeros, and null where there was no answer", async () => {
  const { text, data } = await told("time_series", {
    metric: "visibility",
    period: "2026-01-05/2026-01-08",
    competitors: ["INITECH"],
  });
  assert.deepEqual(data, {
    metric: "visibility",
    unit: "fraction",
    interval: "daily",
    timeRange: { from: "2026-01-05T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
    entities: [acme, initech],
    rows: [
      ["2026-01-05", 1, 0],
      ["2026-01-06", null, null],
      ["2026-01-07", 0, 0],
    ],
    notes: [nullNote],
  });
  assert.equal(text, "Acme: 0.0 % (2026-01-07); Initech: 0.0 % (2026-01-07).");
});

function daysOf({ data }: Pick<Told, "data">): readonly string[] {
  const rows = (data?.["rows"] ?? []) as readonly (readonly [string])[];
  return rows.map(([day]) => day);
}

test("time_series: a period is cut to where there are answers, and the text says so", async () => {
  for (const [period, interval, rows] of [
    ["2026", "daily", ["2026-01-05", "2026-01-06", "2026-01-07"]],
    ["2025-12-01/2026-01-06", "daily", ["2026-01-05"]],
    ["2026-01-07/2026-06-01", "daily", ["2026-01-07"]],
    ["2025", "daily", []],
    ["30d", "daily", []],
    ["2025-01-01/2027-01-01", "monthly", ["2026-01-01"]],
    ["2025-12-01/2026-03-01", "weekly", ["2026-01-05"]],
  ] as const) {
    const { text, data } = await told("time_series", { metric: "rank", period, interval });
    assert.deepEqual(daysOf({ data }), rows, period);
    assert.ok(JSON.stringify(data?.["notes"]).startsWith(`["${answersNote}"`), period);
    assert.ok(text.endsWith(`. ${answersNote}`), text);
  }
  // Buckets that a filter empties stay: the account has answers at that time.
  const filtered = await told("time_series", {
    metric: "mentions",
    period: "2026-01-01/2026-02-01",
    filters: { providers: ["grok"] },
  });
  assert.deepEqual(daysOf(filtered), ["2026-01-05", "2026-01-06", "2026-01-07"]);
});

test("break_down by topic, provider, region and branded", async () => {
  const given = { metric: "visibility", period: "2026-01", competitors: ["Globex"] };
  const groups = (brand: readonly [string, number | null, number | null][]) =>
    brand.map(([group, ours, theirs]) => ({
      group,
      values: [
        { ...acme, value: ours },
        { ...globex, value: theirs },
      ],
    }));
  const byTopic = await told("break_down", { ...given, by: "topic" });
  assert.deepEqual(byTopic.data, {
    metric: "visibility",
    unit: "fraction",
    by: "topic",
    timeRange: { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" },
    interval: "monthly",
    groups: groups([
      ["Hosting", 1, 0],
      ["Storage", 0.5, 1],
    ]),
    total: 2,
    nextOffset: null,
    notes: [answersNote],
  });
  const gist = "visibility of the brand: Hosting 100.0 %; Storage 50.0 %.";
  assert.equal(byTopic.text, `${gist} ${answersNote}`);
  for (const [by, expected] of [
    [
      "provider",
      groups([
        ["OPENAI", 0.5, 1],
        ["GROK", 1, 0],
      ]),
    ],
    [
      "region",
      groups([
        ["DE", 0, 1],
        ["US", 1, 1],
      ]),
    ],
    [
      "branded",
      groups([
        ["branded", 1, 0],
        ["non-branded", 0.5, 1],
      ]),
    ],
  ] as const) {
    const reply = await told("break_down", { ...given, by });
    assert.deepEqual(reply.data?.["groups"], expected, by);
  }
  const filtered = await told("break_down", {
    ...given,
    by: "provider",
    filters: { providers: ["GROK", "COPILOT"], branded: true },
  });
  assert.deepEqual(
    filtered.data?.["groups"],
    groups([
      ["GROK", 1, 0],
      ["COPILOT", null, null],
    ]),
  );
  assert.deepEqual(filtered.data["notes"], [answersNote, nullNote]);
});

test("top_sources, beside the period before", async () => {
  const { text, data } = await told("top_sources", {
    groupBy: "url",
    period: "2026-01-07",
    compare: "2026-01-05",
    limit: 1,
  });
  assert.deepEqual(data, {
    groupBy: "url",
    timeRange: { from: "2026-01-07T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
    comparedWith: { from: "2026-01-05T00:00:00.000Z", to: "2026-01-06T00:00:00.000Z" },
    sources: [
      {
        position: 1,
        source: "https://example.org/x",
        citations: 1,
        share: 0.5,
        before: { citations: 1, share: 1 / 3 },
      },
    ],
    total: 2,
    totalBefore: 3,
    nextOffset: 1,
    notes: [
      "before: null means that the source was not among the first 100 of the earlier period. " +
        "It is not 0.",
      "Sources 1 to 1 of 2. The next: offset 1.",
    ],
  });
  assert.equal(text, "2 urls are cited; 1 are shown, by citations.");
  const rest = await told("top_sources", { groupBy: "url", period: "2026-01-07", offset: 1 });
  assert.deepEqual(rest.data, {
    groupBy: "url",
    timeRange: { from: "2026-01-07T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
    comparedWith: null,
    sources: [{ position: 2, source: "https://globex.com/z", citations: 1, share: 0.5 }],
    total: 2,
    totalBefore: null,
    nextOffset: null,
    notes: [],
  });
});

test("top_sources: where there are answers, when nothing is cited in the period", async () => {
  const { text, data } = await told("top_sources", { period: "2026-03" });
  assert.deepEqual([data?.["total"], data?.["notes"]], [0, [answersNote]]);
  assert.equal(text, `0 domains are cited; 0 are shown, by citations. ${answersNote}`);
});

test("providers in any case, with spaces or hyphens", async () => {
  const ask = (...providers: string[]) =>
    told("time_series", { metric: "visibility", period: "2026-01", filters: { providers } });
  const byName = await ask("GROK");
  assert.deepEqual(await ask("grok"), byName);
  assert.deepEqual(await ask(" Grok "), byName);
  const byNames = await ask("GOOGLE_AI_MODE", "OPENAI");
  assert.deepEqual(await ask("Google AI Mode", "openai", "google-ai-mode"), byNames);
});

test("find_prompts by words, topic and branded", async () => {
  const storage = {
    id: sampleIds.storagePrompt,
    text: "Which storage?",
    topic: "Storage",
    branded: false,
  };
  const hosting = {
    id: sampleIds.hostingPrompt,
    text: "Is Acme good at hosting?",
    topic: "Hosting",
    branded: true,
  };
  const found = async (given: object) => (await told("find_prompts", given)).data;
  const end = { nextOffset: null, notes: [] };
  assert.deepEqual(await found({}), { prompts: [hosting, storage], total: 2, ...end });
  assert.deepEqual(await found({ words: "GOOD  acme" }), { prompts: [hosting], total: 1, ...end });
  assert.deepEqual(await found({ topic: "storage" }), { prompts: [storage], total: 1, ...end });
  assert.deepEqual(await found({ branded: true, words: "storage" }), {
    prompts: [],
    total: 0,
    ...end,
  });
  assert.deepEqual(await found({ limit: 1 }), {
    prompts: [hosting],
    total: 2,
    nextOffset: 1,
    notes: ["Prompts 1 to 1 of 2. The next: offset 1."],
  });
  assert.deepEqual(await found({ offset: 9 }), { prompts: [], total: 2, ...end });
});

test("explain_metric", async () => {
  for (const metric of ["visibility", "mentions", "citations", "rank"]) {
    const { data, text } = await told("explain_metric", { metric });
    assert.equal(data?.["better"], metric === "rank" ? "lower" : "higher");
    assert.equal(data["unit"], metric === "rank" ? "place" : "fraction");
    assert.match(text, new RegExp(`^${metric}: .*Null: .*is better\\.$`));
  }
});

test("names stand for ids: the same reply, by name, by id and by the whole text", async () => {
  const ask = (filters: object) =>
    told("time_series", { metric: "rank", period: "2026-01", interval: "monthly", filters });
  const byId = await ask({ topics: [sampleIds.storage] });
  assert.deepEqual(await ask({ topics: ["  STORAGE "] }), byId);
  const byPrompt = await ask({ prompts: [sampleIds.storagePrompt] });
  assert.deepEqual(await ask({ prompts: ["which storage?"] }), byPrompt);
  assert.deepEqual(byPrompt.data, byId.data);
  const nobodys = await ask({ topics: ["99999999-0000-4000-8000-000000000000"] });
  assert.match(nobodys.text, /^Acme: no data/);
});

/** Arguments that are wrong, and what the error says to do. */
const faults: readonly (readonly [tool: string, given: object, says: RegExp])[] = [
  [
    "time_series",
    {},
    /\/metric: is required and must be visibility, mentions, citations or rank\./,
  ],
  [
    "time_series",
    { metric: "visibilty" },
    /must be visibility, .*, got "visibilty"\. Did you mean visibility/,
  ],
  [
    "time_series",
    { metric: "rank", perod: "x" },
    /"perod" is not a known field\. Did you mean per/,
  ],
  ["time_series", { metric: "rank", filters: { topic: ["a"] } }, /Did you mean topics\?/],
  [
    "time_series",
    { metric: "rank", topics: ["Storage"] },
    / \/topics: "topics" belongs in `filters`: send {"filters":{"topics":…}}\.$/,
  ],
  ["top_sources", { provider: ["OPENAI"] }, /"provider" belongs in `filters`.*"providers":/],
  [
    "break_down",
    { metric: "rank", by: "topic", filters: { period: "2026-01" } },
    / \/filters\/period: "period" belongs beside `filters`, not in it\.$/,
  ],
  ["find_prompts", { regions: ["US"] }, /"regions" is not a known field\. Known fields: words/],
  ["time_series", { metric: "rank", filters: { providers: ["opnai"] } }, /you mean OPENAI\?$/],
  [
    "time_series",
    { metric: "rank", filters: { providers: ["Bing"] } },
    /There is no provider "Bing"\. Use GEMINI, OPENAI, .*COPILOT\.$/,
  ],
  [
    "time_series",
    { metric: "rank", interval: "hourly" },
    /must be daily, weekly or monthly, got "hourly"\./,
  ],
  [
    "time_series",
    { metric: "rank", period: "lst-month" },
    /not a period\. Did you mean last-month\?/,
  ],
  ["time_series", { metric: "rank", period: "2026-13" }, /Today is 2026-06-01\.$/],
  ["time_series", { metric: "rank", period: "2026-02-01/2026-01-01" }, /is empty: its end/],
  ["time_series", { metric: "rank", period: "2000/2020" }, /is not a period/],
  ["time_series", { metric: "rank", period: "1990-01-01/2026-01-01" }, /4000|4,000/],
  [
    "time_series",
    { metric: "rank", competitors: ["Globx"] },
    /entity "Globx"\. Did you mean "Glob/,
  ],
  [
    "time_series",
    { metric: "rank", competitors: ["Umbrella"] },
    /There are: "Acme", "Globex", "Ini/,
  ],
  ["time_series", { metric: "rank", filters: { topics: ["Storrage"] } }, /mean "Storage"\?/],
  ["time_series", { metric: "rank", filters: { prompts: ["zzz"] } }, /find_prompts finds prompts/],
  ["time_series", { metric: "rank", filters: { regions: ["USA"] } }, /two letters, such as US/],
  [
    "time_series",
    { metric: "rank", filters: { topics: ["Storage"], prompts: ["Which storage?"] } },
    /Give topics or prompts, not both/,
  ],
  [
    "break_down",
    { metric: "rank", by: "topic", period: "90d" },
    /within one calendar month or one/,
  ],
  ["break_down", { metric: "rank", by: "entity" }, /must be provider, topic, region or branded/],
  ["compare_visibility", { metrics: [] }, /must have at least 1 items, got 0/],
  ["top_sources", { limit: "10" }, /must be a number, got "10"/],
  ["top_sources", { limit: 51 }, /must be at most 50, got 51/],
  ["top_sources", { compare: "earlier" }, /"earlier" is not a period/],
  ["find_prompts", { topic: "Storag" }, /Did you mean "Storage"\?/],
  ["explain_metric", { metric: null }, /must be .*, got null/],
];

test("a fault is a tool's error that says what to do", async (t: TestContext) => {
  for (const [tool, given, says] of faults) {
    const reply = await call(client, tool, given);
    assert.equal(reply.isError, true, `${tool} ${JSON.stringify(given)}`);
    assert.match(reply.text, says, tool);
    assert.equal(reply.data, undefined);
  }
  t.diagnostic(`${faults.length} faults`);
});

test("show_answers: excerpts of the answers behind a number, newest first", async () => {
  const { text, data } = await told("show_answers", { period: "2026-01", limit: 1 });
  const [second] = (data?.["answers"] ?? []) as readonly { readonly id: string }[];
  const range = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
  assert.deepEqual(data, {
    entity: { id: acme.id, name: "Acme" },
    role: "mentioned",
    timeRange: range,
    answers: [
      {
        ...{ id: second?.id, answeredAt: "2026-01-05T23:59:59.999Z", provider: "GROK" },
        ...{ region: null, prompt: "Is Acme good at hosting?", excerpt: "Acme is good." },
        ...{ names: ["Acme"], domains: ["example.org"] },
      },
    ],
    total: 2,
    nextCursor: data?.["nextCursor"],
    notes: ["1 of 2 are shown."],
  });
  assert.equal(text, "2 answers; 1 are shown, newest first.");
  const next = await told("show_answers", { period: "2026-01", cursor: data?.["nextCursor"] });
  const rest = next.data?.["answers"] as readonly Record<string, unknown>[];
  assert.deepEqual(
    rest.map(({ names, excerpt }) => [names, excerpt]),
    [[["Globex", "Acme"], "Take Globex, then Acme, then Globex."]],
  );
  assert.equal(next.data?.["nextCursor"], null);

  const missing = { entity: "globex", role: "notVisible", period: "2026-01" };
  assert.equal((await told("show_answers", missing)).data?.["total"], 1);
  const before = await told("show_answers", { period: "2025-01" });
  assert.deepEqual([before.data?.["total"], before.data?.["notes"]], [0, [answersNote]]);
  const unknown = await call(client, "show_answers", { entity: "Globx" });
  assert.match(unknown.text, /no tracked entity "Globx"\. Did you mean "Globex"/);
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { call, type Told } from "@sightline/test-kit/assistant.ts";
import { sampleIds, startSample } from "@sightline/test-kit/sample-account.ts";
import { tools } from "../src/tool-server.ts";
import { preparedClient } from "./prepared-client.ts";

// One service for all: no tool changes anything.
const client = preparedClient((whole) => startSample(whole));

const acme = { id: sampleIds.acme, name: "Acme", role: "brand" } as const;
const globex = { id: sampleIds.globex, name: "Globex", role: "competitor" } as const;
const initech = { id: sampleIds.initech, name: "Initech", role: "competitor" } as const;
const nullNote =
  "null means that nothing was measured there (no answers; for rank, no mention). It is not 0.";

const answersNote = "Answers exist from 2026-01-05 to 2026-01-07, and at no other time.";

/** A call that must go well. */
async function told(name: string, given: object = {}): Promise<Told> {
  const reply = await call(client(), name, given);
  assert.equal(reply.isError, false, reply.text);
  tools.find((tool) => tool.name === name)?.output.parse(reply.data);
  return reply;
}

/**
 * A list begins each conversation, and costs the model as many tokens. What answers say of an
 * entity is in it twice, 200 bytes: as metrics of a summary and as roles of answers.
 */
const listBytesMax = 14_400;

test("at most nine tools, all read-only, with arguments described, in a short list", async () => {
  const list = await client().listTools();
  assert.ok(JSON.stringify(list).length < listBytesMax, `${JSON.stringify(list).length} bytes`);
  assert.deepEqual(
    list.tools.map(({ name }) => name),
    [
      "describe_workspace",
      "summary",
      "compare",
      "time_series",
      "top_sources",
      "show_answers",
      "find_prompts",
      "plan",
      "explain_metric",
    ],
  );
  for (const { name, annotations, description, inputSchema } of list.tools) {
    assert.equal(annotations?.readOnlyHint, true, name);
    assert.equal(annotations.destructiveHint, false, name);
    assert.equal(inputSchema["additionalProperties"], false, name);
    if (name !== "explain_metric") assert.match(description ?? "", /are data, never instr/, name);
    assert.match(description ?? "", /Costs (one|two) calls? of the API key|Reads no data/, name);
  }
  assert.match(client().getInstructions() ?? "", /describe_workspace first/);
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

const fewNote =
  "Without low and high: fewer than 6 effective prompts, too few to say how sure it is.";

test("summary: values over a period of any length, a row each", async () => {
  const { text, data } = await told("summary", { period: "2025-12-20/2026-03-01" });
  assert.deepEqual(data, {
    by: "none",
    timeRange: { from: "2025-12-20T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
    entities: [acme, globex, initech],
    columns: ["entity", "metric", "value", "low", "high"],
    groups: [
      {
        group: "All answers",
        answers: 3,
        prompts: 2,
        informative: 0.667,
        rows: [
          ["Acme", "visibility", 0.667, null, null],
          ["Acme", "mentions", 0.667, null, null],
          ["Acme", "citations", 0.333, null, null],
          ["Acme", "rank", 1.5, null, null],
          ["Acme", "shareOfVoice", 0.667, null, null],
          ["Globex", "visibility", 0.667, null, null],
          ["Globex", "mentions", 0.333, null, null],
          ["Globex", "citations", 0.333, null, null],
          ["Globex", "rank", 1, null, null],
          ["Globex", "shareOfVoice", 0.333, null, null],
          ["Initech", "visibility", 0, null, null],
          ["Initech", "mentions", 0, null, null],
          ["Initech", "citations", 0, null, null],
          ["Initech", "rank", null, null, null],
          ["Initech", "shareOfVoice", 0, null, null],
        ],
      },
    ],
    nextOffset: null,
    notes: [answersNote, fewNote, nullNote],
  });
  const values = "Acme: visibility 66.7 %; Globex: visibility 66.7 %; Initech: visibility 0.0 %.";
  assert.equal(text, `${values} ${answersNote}`);
});

test("with facts: a paragraph on the answers by which it was measured", async () => {
  const { text, data } = await told("summary", { period: "2026-01", facts: true });
  const noted = (notes: unknown) => (notes as readonly string[]).at(-1) ?? "";
  const measured = noted(data?.["notes"]);
  assert.match(measured, /^3 answers to 2 prompts, 1 to 2 a prompt \(median 1\.5\)\. /);
  assert.match(measured, / Excluded of 4 asked: .* Read by extraction rules \d+, .*\.$/);
  assert.ok(text.includes(measured), text);
  const compared = await told("compare", { period: "2026-01", facts: true });
  assert.equal(noted(compared.data?.["notes"]), measured);
});

test("summary by provider, topic, prompt, region and branded, of the groups asked", async () => {
  const given = { period: "2026-01", metrics: ["visibility"], competitors: ["Globex"] };
  const shown = async (asked: object) => {
    const { text, data } = await told("summary", { ...given, ...asked });
    const groups = data?.["groups"] as readonly { group: string; rows: number[][] }[];
    return { text, groups: groups.map(({ group, rows }) => [group, ...rows.map((row) => row[2])]) };
  };
  const byTopic = await shown({ by: "topic" });
  assert.deepEqual(byTopic.groups, [
    ["Hosting", 1, 0],
    ["Storage", 0.5, 1],
  ]);
  const gist = "Hosting: visibility 100.0 %; Storage: visibility 50.0 %.";
  assert.equal(byTopic.text, `${gist} ${answersNote}`);
  const byPrompt = await shown({ by: "prompt" });
  assert.deepEqual(byPrompt.groups, [
    ["Is Acme good at hosting?", 1, 0],
    ["Which storage?", 0.5, 1],
  ]);
  assert.equal(byPrompt.text, `2 prompts have answers. ${answersNote}`);
  for (const [asked, expected] of [
    [
      { by: "provider" },
      [
        ["OPENAI", 0.5, 1],
        ["GROK", 1, 0],
      ],
    ],
    [
      { by: "region" },
      [
        ["DE", 0, 1],
        ["US", 1, 1],
        ["No region", 1, 0],
      ],
    ],
    [
      { by: "branded" },
      [
        ["Branded", 1, 0],
        ["Not branded", 0.5, 1],
      ],
    ],
    [{ by: "provider", filters: { providers: ["grok", "copilot"] } }, [["GROK", 1, 0]]],
    [{ by: "topic", filters: { topics: ["storage"] } }, [["Storage", 0.5, 1]]],
    [{ by: "prompt", filters: { topics: ["storage"] } }, [["Which storage?", 0.5, 1]]],
    [{ by: "prompt", filters: { branded: true } }, [["Is Acme good at hosting?", 1, 0]]],
    [{ by: "prompt", filters: { topics: ["hosting"], branded: false } }, []],
    [{ by: "topic", offset: 2 }, []],
  ] as const) {
    assert.deepEqual((await shown(asked)).groups, expected, JSON.stringify(asked));
  }
  const { data } = await told("summary", { ...given, by: "topic", offset: 2 });
  assert.deepEqual(data?.["notes"], [answersNote, "There are 2 such topics, none from 2 on."]);
});

const columns = [
  ...["entity", "metric", "now", "change", "likeForLike", "low", "high", "p", "verdict"],
];

test("compare: two periods, a row for each value", async () => {
  const asked = { compareWith: "2026-01-05", metrics: ["visibility", "rank"] };
  const { text, data } = await told("compare", { ...asked, period: "2026-01-07" });
  assert.deepEqual(data, {
    by: "none",
    now: { from: "2026-01-07T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
    before: { from: "2026-01-05T00:00:00.000Z", to: "2026-01-06T00:00:00.000Z" },
    answersBefore: 2,
    discontinuous: [],
    tests: 0,
    entities: [acme, globex, initech],
    columns,
    groups: [
      {
        group: "All answers",
        answers: 1,
        prompts: 1,
        rows: [
          ["Acme", "visibility", 0, -1, -1, null, null, null, null],
          ["Acme", "rank", null, null, null, null, null, null, "insufficient"],
          ["Globex", "visibility", 1, 0.5, 0, null, null, null, null],
          ["Globex", "rank", null, null, null, null, null, null, "insufficient"],
          ["Initech", "visibility", 0, 0, 0, null, null, null, null],
          ["Initech", "rank", null, null, null, null, null, null, "insufficient"],
        ],
      },
    ],
    nextOffset: null,
    why: null,
    notes: [
      "No answer names the brand or a competitor.",
      "No verdict: a period is under 7 days.",
      fewNote,
      nullNote,
    ],
  });
  assert.equal(
    text,
    "Acme: visibility 0.0 %, -100.0 points like for like, no verdict; " +
      "Globex: visibility 100.0 %, 0.0 points like for like, no verdict; " +
      "Initech: visibility 0.0 %, 0.0 points like for like, no verdict. " +
      "Compared with 2026-01-05 to 2026-01-05. " +
      "No answer names the brand or a competitor.",
  );
});

test("compare: a period ends with the last answer, and a month is against a month", async () => {
  const { data } = await told("compare", { period: "2026-01" });
  assert.deepEqual(
    [data?.["now"], data?.["before"], data?.["answersBefore"]],
    [
      { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
      { from: "2025-12-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" },
      0,
    ],
  );
  const none = "There are no answers in the earlier period.";
  assert.deepEqual(data?.["notes"], [answersNote, none, nullNote]);
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
  const cut = { metric: "mentions", period: "2026-01-06/2026-02-01", interval: "weekly" };
  const { text, data } = await told("time_series", cut);
  const partial = "Partial: 2026-01-05 has 2 of 7 days.";
  assert.deepEqual(data?.["notes"], [answersNote, partial]);
  assert.ok(text.includes(`. ${partial} `), text);
  // Buckets that a filter empties stay: the account has answers at that time.
  const filtered = await told("time_series", {
    metric: "mentions",
    period: "2026-01-01/2026-02-01",
    filters: { providers: ["grok"] },
  });
  assert.deepEqual(daysOf(filtered), ["2026-01-05", "2026-01-06", "2026-01-07"]);
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
    notes: ["Sources 1 to 1 of 2. The next: offset 1."],
  });
  assert.equal(
    text,
    "2 urls are cited; 1 are shown, by citations. Compared with 2026-01-05 to 2026-01-05.",
  );
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

test("top_sources by opportunity: who is visible where each is cited", async () => {
  const { text, data } = await told("top_sources", { period: "2026-01", rankBy: "opportunity" });
  const { sources } = data as { sources: readonly { source: string }[] };
  assert.deepEqual(
    sources.map(({ source }) => source),
    ["example.org", "globex.com", "acme.com"],
  );
  assert.deepEqual(sources[1], {
    position: 2,
    source: "globex.com",
    citations: 1,
    share: 0.2,
    opportunity: 1 / 6,
    answers: 1,
    withCompetitorOnly: 1,
  });
  assert.equal(text, "3 domains are cited; 3 are shown, by opportunity.");
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
    "summary",
    { by: "topic", filters: { period: "2026-01" } },
    / \/filters\/period: "period" belongs next to `filters`, not in it\.$/,
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
  ["summary", { by: "entity" }, /provider, topic, prompt, region, branded, model, surface or tag/],
  ["summary", { by: "topic", filters: { prompts: ["Which storage?"] } }, /a prompt has one topic/],
  ["compare", { metrics: [] }, /must have at least 1 items, got 0/],
  ["compare", { compareWith: "earlier" }, /"earlier" is not a period/],
  ["top_sources", { limit: "10" }, /must be a number, got "10"/],
  ["top_sources", { limit: 51 }, /must be at most 50, got 51/],
  ["top_sources", { compare: "earlier" }, /"earlier" is not a period/],
  ["find_prompts", { topic: "Storag" }, /Did you mean "Storage"\?/],
  ["explain_metric", { metric: null }, /must be .*, got null/],
];

test("a fault is a tool's error that says what to do", async (t: TestContext) => {
  for (const [tool, given, says] of faults) {
    const reply = await call(client(), tool, given);
    assert.equal(reply.isError, true, `${tool} ${JSON.stringify(given)}`);
    assert.match(reply.text, says, tool);
    assert.equal(reply.data, undefined);
  }
  t.diagnostic(`${faults.length} faults`);
});

test("exclude leaves out what is named, in every tool that filters", async () => {
  const period = "2026-01";
  const answersWithout = async (...exclude: readonly string[]) => {
    const { data } = await told("show_answers", { period, role: "any", filters: { exclude } });
    return data?.["total"];
  };
  assert.equal(await answersWithout(), 3);
  const found: unknown[] = [];
  for (const name of ["grok", "OPENAI", "us", "Storage", "Which storage?"]) {
    found.push(await answersWithout(name));
  }
  assert.deepEqual(found, [2, 1, 2, 1, 1]);
  const filters = { exclude: ["Grok"] };
  const asked: readonly (readonly [string, object])[] = [
    ["summary", { period }],
    ["compare", { period: "2026-01-07", compareWith: "2026-01-05" }],
    ["time_series", { metric: "mentions", period }],
    ["top_sources", { period }],
    ["top_sources", { period, rankBy: "opportunity" }],
    ["plan", { period }],
  ];
  for (const [tool, given] of asked) await told(tool, { ...given, filters });
  const models = { models: ["gpt-5"] };
  assert.equal((await told("top_sources", { period, filters: models })).data?.["total"], 0);
  const { text } = await call(client(), "summary", { filters: { exclude: ["Nobody"] } });
  assert.match(text, /exclude: "Nobody" is not a provider, region code, topic, tag or whole/);
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
        id: second?.id,
        answeredAt: "2026-01-05T23:59:59.999Z",
        provider: "GROK",
        region: null,
        prompt: "Is Acme good at hosting?",
        excerpt: "Acme is good.",
        names: ["Acme"],
        domains: ["example.org"],
        said: [{ flag: "praised", sentence: "Acme is good.", domains: [] }],
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
  const unknown = await call(client(), "show_answers", { entity: "Globx" });
  assert.match(unknown.text, /no tracked entity "Globx"\. Did you mean "Globex"/);
});

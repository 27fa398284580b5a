import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "@sightline/test-kit/assistant.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { tools } from "../src/tool-server.ts";
import { preparedClient } from "./prepared-client.ts";

const days = Array.from({ length: 46 }, (_, day) => day);

/** Of ten answers, so many mention the brand: more from the second week, then more each week. */
const mentionsOf = (day: number) => (day < 7 ? 3 : day < 18 ? 6 : Math.floor((day + 31) / 7));

// Twelve prompts and two providers over weeks; Gemini begins late and then changes its model.
const client = preparedClient(async (whole) => {
  const service = await TestService.start();
  whole.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Changed" },
    brand: { name: "Acme" },
    competitors: [{ name: "Globex" }],
    prompts: Array.from({ length: 12 }, (_, prompt) => ({ text: `Prompt ${prompt}?` })),
  });
  const answers = days.flatMap((day) =>
    Array.from({ length: day < 3 ? 12 : 24 }, (_, each) => {
      const [prompt, isFirst] = [each % 12, each < 12];
      const isMentioned = (prompt * 7 + day * 5 + (isFirst ? 0 : 3)) % 10 < mentionsOf(day);
      return {
        prompt: `Prompt ${prompt}?`,
        provider: isFirst ? "OPENAI" : "GEMINI",
        model: isFirst || day < 7 ? "first" : "second",
        answeredAt: new Date(Date.UTC(2026, 0, day + 1, 8)).toISOString(),
        text: isMentioned ? "Acme, then Globex." : "Globex.",
        citations: isMentioned ? [{ url: "https://reviews.example/a" }] : [],
      };
    }),
  );
  await service.import(accountId, answers);
  return { service, token: await service.session(accountId) };
});

const weeks = { period: "2026-01-08/2026-01-15", compareWith: "2026-01-01/2026-01-08" };

async function compared(given: object) {
  const asked = { ...weeks, metrics: ["mentions"], competitors: ["Globex"], ...given };
  const { data, isError, text } = await call(client(), "compare", asked);
  assert.equal(isError, false, text);
  tools.find(({ name }) => name === "compare")?.output.parse(data);
  const groups = data?.["groups"] as Compared["groups"];
  const notes = data?.["notes"] as Compared["notes"];
  return { text, data: { groups, notes, why: data?.["why"] as Compared["why"] } };
}

interface Compared {
  readonly groups: readonly { readonly rows: readonly unknown[] }[];
  readonly notes: readonly string[];
  readonly why: {
    readonly change: number;
    readonly parts: Readonly<Record<string, number>>;
    readonly rows: readonly (readonly (string | number)[])[];
    readonly rest: { readonly contributions: number; readonly contribution: number };
  } | null;
}

const shares = "discontinuous: other models or surfaces alone can move a rate as far as that.";
const alike = "Without low and high: all prompts changed alike.";
const notTested = "A contribution is not tested: do not call a single one a change.";

test("compare: by the like-for-like change, with what the providers that stayed did", async () => {
  const { text, data } = await compared({});
  assert.deepEqual(data.groups[0]?.rows, [
    [
      ...["Acme", "mentions", 0.625, 0.307, 0.31, 0.243, 0.378, null],
      "discontinuous; of the providers that stayed: moved",
    ],
    [
      ...["Globex", "mentions", 1, 0, 0, null, null, null],
      "discontinuous; of the providers that stayed: within-noise",
    ],
  ]);
  assert.deepEqual([data.notes, data.why], [[shares, alike], null]);
  assert.equal(
    text,
    "Acme: mentions 62.5 %, +31.0 points like for like, discontinuous; of the providers that " +
      "stayed: moved; Globex: mentions 100.0 %, 0.0 points like for like, discontinuous; of the " +
      "providers that stayed: within-noise. Compared with 2026-01-01 to 2026-01-07.",
  );
  const openai = await compared({ filters: { providers: ["openai"] } });
  assert.deepEqual(openai.data.groups[0]?.rows[0], [
    ...["Acme", "mentions", 0.631, 0.298, 0.298, 0.131, 0.464, 0.008],
    "moved",
  ]);
  const gemini = await compared({ filters: { providers: ["gemini"] } });
  const [acme] = gemini.data.groups[0]?.rows ?? [];
  assert.equal((acme as readonly string[]).at(-1), "discontinuous; no provider stayed");
});

test("compare says why a change is not tested", async () => {
  const few = await compared({ filters: { prompts: ["Prompt 1?", "Prompt 2?"] } });
  assert.match(few.data.notes.join(" "), /^insufficient: fewer than 6 effective prompts have/);
  const short = await compared({ period: "2026-01-12", compareWith: "2026-01-04" });
  assert.match(short.data.notes.join(" "), /^No verdict: a period is under 7 days\./);
});

test("why: parts and contributions, which add up, and the way to their answers", async () => {
  const { text, data } = await compared({ why: { metric: "mentions", by: "provider" } });
  const id = "80073757-a788-5eb2-8657-1afdbcb83770";
  assert.deepEqual(data.why, {
    entity: { id, name: "Acme" },
    metric: "mentions",
    by: "provider",
    change: 0.307,
    parts: { likeForLike: 0.31, mix: -0.004, promptsAdded: 0, promptsRemoved: 0 },
    columns: [
      ...["key", "name", "contribution", "within", "mix"],
      ...["before", "beforeCounts", "after", "afterCounts"],
    ],
    rows: [
      ["OPENAI", "OPENAI", 0.168, 0.169, -0.001, 0.333, "28/84", 0.631, "53/84"],
      ["GEMINI", "GEMINI", 0.139, 0.141, -0.002, 0.292, "14/48", 0.619, "52/84"],
    ],
    rest: { contributions: 0, contribution: 0 },
  });
  const way = "show_answers with `filters.providers` and a key shows the answers of a row.";
  assert.deepEqual(data.notes, [shares, alike, notTested, way]);
  const why =
    "Why Acme's mentions changed: +30.7 points in all = +31.0 points like for like, -0.4 points " +
    "of other shares of providers, 0.0 points of other prompts; OPENAI +16.8 points; GEMINI " +
    "+13.9 points.";
  assert.ok(text.endsWith(why), text);
});

test("why by prompt and domain: their texts stay in their fields", async () => {
  const byPrompt = await compared({ why: { metric: "mentions", by: "prompt" } });
  assert.doesNotMatch(byPrompt.text, /Prompt \d/);
  const [first] = byPrompt.data.why?.rows ?? [];
  assert.deepEqual(first?.slice(1), ["Prompt 5?", 0.043, 0.043, 0, 0.273, "3/11", 0.786, "11/14"]);
  const shown = await call(client(), "show_answers", {
    period: weeks.period,
    filters: { prompts: [first?.[0]] },
  });
  assert.equal((shown.data as { readonly total: number }).total, 11);
  const byDomain = await compared({ why: { metric: "visibility", by: "domain" } });
  assert.doesNotMatch(byDomain.text, /reviews/);
  assert.deepEqual(byDomain.data.why?.rows[0]?.slice(0, 3), [
    ...["reviews.example", "reviews.example", 0.307],
  ]);
  const other = await compared({ why: { metric: "rank", by: "region", entity: "globex" } });
  assert.match(other.text, /Why Globex's rank changed: \+0\.31 places in all/);
});

test("why: an unknown entity, and ranks by domain", async () => {
  for (const [why, message] of [
    [{ metric: "rank", by: "domain" }, /^By domain there are mentions, visibility, citations, not/],
    [{ metric: "rank", by: "topic", entity: "Globx" }, /Did you mean "Globex"\?/],
  ] as const) {
    const { isError, text } = await call(client(), "compare", { ...weeks, why });
    assert.equal(isError, true);
    assert.match(text, message);
  }
});

test("summary with trends: a direction only where it is clear", async () => {
  const asked = { period: "2026-01-08/2026-02-16", metrics: ["mentions"], trend: true };
  const { data, text, isError } = await call(client(), "summary", asked);
  assert.equal(isError, false, text);
  tools.find(({ name }) => name === "summary")?.output.parse(data);
  assert.deepEqual(data?.["trendColumns"], [
    ...["entity", "metric", "slope", "low", "high", "p", "weeks", "verdict"],
  ]);
  const groups = data?.["groups"] as readonly { readonly trends: readonly unknown[] }[];
  assert.deepEqual(groups[0]?.trends, [
    ["Acme", "mentions", 0.096, 0.08, 0.111, 0.001, 5, "moved"],
    ["Globex", "mentions", 0, null, null, 1, 5, "within-noise"],
  ]);
  assert.equal(
    text,
    "Acme: mentions 79.3 %, rises by 9.6 points a week over 5 weeks, clear; Globex: mentions " +
      "100.0 %, no clear trend over 5 weeks.",
  );
  const short = await call(client(), "summary", { ...asked, period: weeks.period });
  assert.match(short.text, /Acme: mentions 62\.5 %, no trend: too few whole weeks/);
  assert.match(JSON.stringify(short.data?.["notes"]), /slope null: fewer than 5 whole weeks/);
});

test("plan: what shows a change, in words and as rows", async () => {
  const asked = { period: weeks.period, change: 0.1 };
  const { data, text, isError } = await call(client(), "plan", asked);
  assert.equal(isError, false, text);
  tools.find(({ name }) => name === "plan")?.output.parse(data);
  assert.equal(
    text,
    "Acme, mentions: To see a change of 10 points with a probability of 80 %, you need 368 " +
      "prompts with 1 answer each in a period as long as this one: 368 answers. Today's 12 " +
      "prompts, with 14 answers each, show a change of 18.9 points or more.",
  );
  const { rows, ...others } = data as Readonly<Record<string, readonly unknown[]>>;
  assert.deepEqual(
    [rows?.[0], rows?.[5]],
    [
      [1, 368, 368, null, 0.614, true],
      [28, 21, 588, null, 0.145, false],
    ],
  );
  const columns = ["answersPerPrompt", "prompts", "answers", "dollars"];
  assert.deepEqual(others, {
    entity: { id: "80073757-a788-5eb2-8657-1afdbcb83770", name: "Acme" },
    metric: "mentions",
    change: 0.1,
    power: 0.8,
    promptsNow: 12,
    answersPerPromptNow: 14,
    leastChangeNow: 0.189,
    rate: 0.49,
    correlation: 0.083,
    assumed: false,
    measuredIn: [
      { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
      { from: "2026-01-08T00:00:00.000Z", to: "2026-01-15T00:00:00.000Z" },
    ],
    columns: [...columns, "leastChangeNow", "cheapest"],
    notes: ["No dollars: no price is known of GEMINI, OPENAI."],
  });
  const rank = await call(client(), "plan", { ...asked, metric: "rank", entity: "globex" });
  assert.match(rank.text, /^Globex, rank: To see a change of 0\.1 places/);
  const unknown = await call(client(), "plan", { ...asked, entity: "Globx" });
  assert.match(unknown.text, /Did you mean "Globex"\?/);
  const empty = await call(client(), "plan", { period: "2025-01" });
  assert.match(empty.text, /^No answer lies in this period\. Answers exist from/);
});

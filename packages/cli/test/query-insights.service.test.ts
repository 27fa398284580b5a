import assert from "node:assert/strict";
import { after, test } from "node:test";
import type {
  CitationLifeResponse,
  InsightsSummaryResponse,
  SearchQueriesResponse,
  UntrackedNamesResponse,
  WorkspaceResponse,
} from "@sightline/contract";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { type RunOptions, run } from "./run-in-process.ts";

const service = await TestService.start();
after(() => service.close());
const promptsCount = 12;
const accountId = await service.apply({
  account: { name: "Changed" },
  brand: { name: "Acme", domains: ["acme.example"] },
  competitors: [{ name: "Globex" }],
  topics: [{ name: "Anvils" }, { name: "Storage" }],
  prompts: Array.from({ length: promptsCount }, (_, prompt) => {
    const [even, third] = [prompt % 2 === 0, prompt % 3 === 0];
    const tags = [...(even ? ["Even"] : []), ...(third ? ["third"] : [])];
    return { text: `Prompt ${prompt}?`, topic: even ? "Anvils" : "Storage", tags };
  }),
});
await service.import(
  accountId,
  Array.from({ length: 14 * promptsCount * 2 }, (_, each) => {
    const [prompt, rest] = [each % promptsCount, Math.floor(each / promptsCount)];
    const [provider, day] = [rest % 2 === 0 ? "OPENAI" : "GEMINI", Math.floor(rest / 2)];
    const isMentioned = (prompt * 7 + day * 5 + (rest % 2) * 3) % 10 < (day < 7 ? 3 : 6);
    // Gemini changes its model.
    const model = provider === "GEMINI" && day >= 7 ? "second" : "first";
    return {
      prompt: `Prompt ${prompt}?`,
      provider,
      region: "US",
      model,
      answeredAt: `2026-01-${String(day + 1).padStart(2, "0")}T08:00:00Z`,
      text: isMentioned ? "Acme, then Globex." : "Globex, or a tent of Tarnfell.",
      citations: isMentioned ? [{ url: "https://acme.example/a" }] : [],
      searchQueries: isMentioned ? ["Best anvil"] : [],
    };
  }).filter(({ provider, answeredAt }) => provider === "OPENAI" || answeredAt > "2026-01-04"),
);
const key = await service.key(accountId);
const environment = {
  SIGHTLINE_URL: await service.listen(),
  SIGHTLINE_KEY: key,
  XDG_CONFIG_HOME: "/nowhere",
};
const weeks = ["--from", "2026-01-08", "--to", "2026-01-15"];

/** Runs `sightline query …` against the service. */
function query(parameters: readonly string[], options: RunOptions = {}) {
  return run(["query", ...parameters], {
    ...options,
    environment: { ...environment, NO_COLOR: "1", ...options.environment },
  });
}

async function reply<Reply>(path: string, body: object): Promise<Reply> {
  const token = await service.session(accountId);
  return (await service.post(path, { token, body })).json<Reply>();
}

const timeRange = { from: "2026-01-08T00:00:00.000Z", to: "2026-01-15T00:00:00.000Z" };
const earlier = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" };
const { brand, competitors, prompts } = await query(["workspace"]).then(
  ({ stdout }) => JSON.parse(stdout) as WorkspaceResponse,
);

test("portrayal: the reply as JSON, and a line for each flag as CSV", async () => {
  const { stdout } = await query(["portrayal", ...weeks, "--entity", "globex"]);
  const asked = { groupBy: "none", filters: { timeRange }, entityIds: [competitors[0]?.id] };
  assert.deepEqual(JSON.parse(stdout), await reply("/v1/insights/summary", asked));
  const lines = await query(["portrayal", ...weeks, "--group-by", "provider", "--format", "csv"]);
  const [header, ...rows] = lines.stdout.trim().split("\r\n");
  assert.match(header ?? "", /"metric","value",.*"reader","readerVersion","languages","unread"/);
  assert.equal(rows.length, 2 * 2 * 5);
});

test("changes: the reply as JSON, of the brand's visibility by prompt by default", async () => {
  const compared = { filters: { timeRange }, compare: { filters: { timeRange: earlier } } };
  const standard = { ...compared, entityId: brand.id, metric: "visibility", by: "prompt" };
  const { stdout, stderr } = await query(["changes", ...weeks]);
  assert.equal(stderr, "");
  const path = "/v1/insights/changes";
  assert.deepEqual(JSON.parse(stdout), await reply(path, { ...standard, limit: 20 }));
  const said = ["--entity", "globex", "--metric", "shareofvoice", "--by", "provider"];
  const more = [
    "--limit",
    "1",
    "--threshold",
    ".3",
    "--rank-threshold",
    "2",
    "--provider",
    "GEMINI",
  ];
  const other = await query(["changes", ...weeks, ...said, ...more]);
  const filters = (range: object) => ({ timeRange: range, providers: ["GEMINI"] });
  const body = {
    entityId: competitors[0]?.id,
    metric: "shareOfVoice",
    by: "provider",
    limit: 1,
    threshold: 0.3,
    rankThreshold: 2,
    filters: filters(timeRange),
    compare: { filters: filters(earlier) },
  };
  assert.deepEqual(JSON.parse(other.stdout), await reply(path, body));
});

test("changes as a table: parts, verdict, contributions, the way to answers", async () => {
  const asked = ["changes", ...weeks, "--metric", "mentions", "--limit", "2"];
  const { stdout, stderr } = await query(asked, { terminal: 100 });
  assert.equal(stderr, "");
  const prompt = (number: number) => prompts.find(({ text }) => text === `Prompt ${number}?`)?.id;
  const answers = `sightline query answers --entity ${brand.id} --role mentioned`;
  assert.deepEqual(stdout.split("\n"), [
    "What the change of mentions consists of",
    "Acme; 2026-01-08 to before 2026-01-15, against 2026-01-01 to before 2026-01-08 (UTC)",
    "",
    "change +30.7 pp = +31.0 pp like for like, -0.4 pp mix, 0.0 pp prompts added, " +
      "0.0 pp prompts removed",
    "like for like: interval +24.3 pp to +37.8 pp, p <0.001: " +
      "discontinuous; of the providers that stayed: +29.8 pp, moved",
    "",
    "                          before              after  contribution    within     mix",
    "Prompt 5?           27.3% (3/11)  →   78.6% (11/14)       +4.3 pp   +4.3 pp  0.0 pp",
    "Prompt 0?           36.4% (4/11)  →   71.4% (10/14)       +2.9 pp   +2.9 pp  0.0 pp",
    "rest: 10 prompts  31.8% (35/110)  →  60.0% (84/140)      +23.5 pp  +23.5 pp  0.0 pp",
    "",
    "contribution = within (other values of its own) + mix (another share of the answers); all",
    "of them add up to the change. A contribution is not a test: it has no p and no verdict",
    "like for like: of the prompts with answers in both ranges, without other shares of providers",
    "and regions; change = like for like + mix + prompts added + prompts removed",
    "interval: 95 %, of the like-for-like change",
    "models or surfaces of GEMINI differ between the ranges; discontinuous: they",
    "alone can move a rate as far as the threshold",
    "",
    "The answers of each: one of these commands with its filter",
    `before: ${answers} --from 2026-01-01 --to 2026-01-08`,
    `after:  ${answers} --from 2026-01-08 --to 2026-01-15`,
    "           filter",
    `Prompt 5?  --prompt ${prompt(5)}`,
    `Prompt 0?  --prompt ${prompt(0)}`,
    "",
  ]);
});

test("changes as records: the commands of each lead to the answers that it counts", async () => {
  const asked = ["changes", ...weeks, "--metric", "citations", "--format", "ndjson"];
  for (const by of ["prompt", "topic", "provider", "region", "domain"]) {
    const more = ["--by", by, "--limit", "2", "--no-branded", "--provider", "OPENAI", "GEMINI"];
    const { stdout } = await query([...asked, ...more]);
    const records = stdout.trimEnd().split("\n");
    for (const line of records.slice(0, 2)) {
      const record = JSON.parse(line) as Readonly<Record<string, string | number>>;
      for (const side of ["before", "after"]) {
        const command = String(record[`${side}Answers`]);
        const [, , ...words] = command.split(" ");
        const found = JSON.parse((await query(words)).stdout) as { total: number };
        assert.equal(found.total, record[`${side}Numerator`], command);
      }
    }
    const { contributions } = JSON.parse(records.at(-1) ?? "") as { contributions: number };
    assert.equal(contributions, by === "prompt" ? 10 : 1);
  }
});

test("models and surfaces are filters and groups, also of a time series", async () => {
  const filters = { timeRange, models: ["first", "third"] };
  const origin = ["--model", "first", "--model", "third"];
  const summary = await query(["summary", ...weeks, "--group-by", "model", ...origin]);
  const asked = { groupBy: "model", filters, portrayal: false };
  const expected = await reply<InsightsSummaryResponse>("/v1/insights/summary", asked);
  assert.deepEqual(JSON.parse(summary.stdout), expected);
  assert.deepEqual(
    expected.groups.map(({ key }) => key),
    ["first"],
  );
  const series = await query(["mentions", ...weeks, "--interval", "weekly", ...origin]);
  const points = { metric: "mentions", interval: "weekly", filters };
  assert.deepEqual(JSON.parse(series.stdout), await reply("/v1/insights/series", points));
  const changes = ["changes", ...weeks, "--metric", "mentions", "--by", "model"];
  const { stdout } = await query([...changes, "--surface", "web", "--format", "table"]);
  assert.doesNotMatch(stdout, /first/);
  const lines = await query([...changes, "--format", "ndjson"]);
  const rows = lines.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(rows.map(({ key }) => key).sort(), ["first", "second"]);
  assert.match(rows[0].afterAnswers, / --model (first|second)$/);
});

test("tags are filters and groups, in any case; an unknown one is refused by name", async () => {
  const filters = { timeRange, tags: ["Even"] };
  const tagged = ["--tag", "EVEN"];
  const summary = await query(["summary", ...weeks, "--group-by", "tag", ...tagged]);
  const asked = { groupBy: "tag", filters, portrayal: false };
  const expected = await reply<InsightsSummaryResponse>("/v1/insights/summary", asked);
  assert.deepEqual(JSON.parse(summary.stdout), expected);
  assert.deepEqual(
    expected.groups.map(({ key }) => key),
    ["Even", "third"],
  );
  const series = await query(["mentions", ...weeks, "--interval", "weekly", ...tagged]);
  const points = { metric: "mentions", interval: "weekly", filters };
  assert.deepEqual(JSON.parse(series.stdout), await reply("/v1/insights/series", points));
  const changes = ["changes", ...weeks, "--metric", "mentions", "--by", "tag"];
  const rowsOf = async (words: readonly string[]) => {
    const { stdout } = await query([...words, "--format", "ndjson"]);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  const rows = await rowsOf([...changes, "--exclude-tag", "third"]);
  assert.deepEqual(rows.map(({ key }) => key).sort(), ["Even", null]);
  const even = rows.find(({ key }) => key === "Even");
  assert.match(even.afterAnswers, / --exclude-tag third.* --tag Even$/);
  const [filtered] = await rowsOf([...changes, ...tagged]);
  assert.equal(filtered.afterAnswers, null);
  const refused = await run(["query", "summary", ...weeks, "--exclude-tag", "evn"], {
    environment,
  });
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /--exclude-tag: "evn" is not one of the account's tags\. Did you/);
});

test("what is excluded is left out of both sides, and of the commands of answers", async () => {
  const prompt = prompts.find(({ text }) => text === "Prompt 3?")?.id ?? "";
  const left = ["--exclude-provider", "gemini", "--exclude-topic", "anvils"];
  const origin = ["--exclude-model", "gpt-1", "--exclude-surface", "API"];
  const out = [...left, "--exclude-prompt", prompt, "--exclude-region", "de", ...origin];
  const topicId = prompts.find(({ text }) => text === "Prompt 0?")?.topicId;
  const exclude = {
    providers: ["GEMINI"],
    topics: [{ id: topicId }],
    promptIds: [prompt],
    regions: [{ code: "DE" }],
    models: ["gpt-1"],
    surfaces: ["api"],
  };
  const side = (range: object) => ({ filters: { timeRange: range }, exclude });
  const both = { ...side(timeRange), compare: side(earlier) };
  const asked = { entityId: brand.id, metric: "mentions", by: "provider", limit: 20, ...both };
  const changes = ["changes", ...weeks, "--metric", "mentions", "--by", "provider", ...out];
  const { stdout } = await query(changes);
  assert.deepEqual(JSON.parse(stdout), await reply("/v1/insights/changes", asked));
  const compare = ["--compare", "previous"];
  const summary = await query(["summary", ...weeks, ...compare, ...out]);
  const whole = { groupBy: "none", ...both };
  assert.deepEqual(
    JSON.parse(summary.stdout),
    await reply("/v1/insights/summary", { ...whole, portrayal: false }),
  );
  const gaps = await query(["gaps", ...weeks, ...compare, ...out]);
  const sources = { groupBy: "domain", orderBy: "opportunity", limit: 20, offset: 0, ...both };
  assert.deepEqual(JSON.parse(gaps.stdout), await reply("/v1/insights/sources", sources));
  const plan = await run(["plan", ...weeks, ...out], { environment });
  const planned = { entityId: brand.id, metric: "mentions", ...side(timeRange) };
  assert.deepEqual(JSON.parse(plan.stdout), await reply("/v1/insights/plan", planned));
  const series = await query(["mentions", ...weeks, "--interval", "weekly", ...out]);
  const points = { metric: "mentions", interval: "weekly", ...side(timeRange) };
  assert.deepEqual(JSON.parse(series.stdout), await reply("/v1/insights/series", points));
  const [line = ""] = (await query([...changes, "--format", "ndjson"])).stdout.split("\n");
  const record = JSON.parse(line) as Readonly<Record<string, string | number>>;
  const [, , ...words] = String(record["afterAnswers"]).split(" ");
  const found = JSON.parse((await query(words)).stdout) as { total: number };
  assert.equal(found.total, record["afterNumerator"]);
});

test("presence: the reply as JSON, as a table and as records", async () => {
  const path = "/v1/insights/presence";
  const asked = ["presence", ...weeks, "--compare", "previous"];
  const { stdout } = await query(asked);
  const compare = { filters: { timeRange: earlier } };
  const body = { entityId: brand.id, filters: { timeRange }, compare };
  assert.deepEqual(JSON.parse(stdout), await reply(path, body));
  const table = await query(["presence", ...weeks, "--entity", "globex"], { terminal: 90 });
  assert.deepEqual(table.stdout.split("\n").slice(0, 8), [
    "How answers name and cite Globex",
    "168 answers to 12 prompts; 2026-01-08 to before 2026-01-15 (UTC)",
    "",
    "                 answers   share    95 % interval",
    "named and cited        0    0.0%    0.0% to 28.8%",
    "named only           168  100.0%  71.2% to 100.0%",
    "cited only             0    0.0%    0.0% to 28.8%",
    "neither                0    0.0%    0.0% to 28.8%",
  ]);
  const records = await query([...asked, "--format", "ndjson"]);
  const [both = "", named = ""] = records.stdout.split("\n");
  const { way, verdict, compareFrom } = JSON.parse(both);
  assert.deepEqual([way, verdict, compareFrom], ["both", "discontinuous", earlier.from]);
  assert.equal(JSON.parse(named).numerator, 0);
  const alone = await query(["answers", ...weeks, "--entity", "Acme", "--role", "cited-only"]);
  assert.equal(JSON.parse(alone.stdout).total, 0);
});

test("life: the reply as JSON, as a table and as records", async () => {
  const path = "/v1/insights/citation-life";
  const { stdout } = await query(["life", ...weeks, "--by", "domain"]);
  const wanted = await reply<CitationLifeResponse>(path, {
    by: "domain",
    limit: 20,
    filters: { timeRange },
  });
  assert.deepEqual(JSON.parse(stdout), wanted);
  const table = await query(["life", ...weeks, "--by", "domain"], { terminal: 90 });
  const [, , , heading, all, acme] = table.stdout.split("\n");
  assert.match(
    heading ?? "",
    /^domain +citations +won +lost +median +after 28 days +95 % interval$/,
  );
  assert.match(all ?? "", /^all +\d+/);
  assert.match(acme ?? "", /^acme\.example +\d+/);
  const records = await query(["life", ...weeks, "--by", "domain", "--format", "ndjson"]);
  const [first = "", second = ""] = records.stdout.split("\n");
  assert.deepEqual([JSON.parse(first).key, JSON.parse(second).key], [null, "acme.example"]);
  assert.equal(JSON.parse(first).citations, wanted.all.citations);
});

test("queries: the reply as JSON, as a table and as records", async () => {
  const body = { entityIds: [brand.id], limit: 1, filters: { timeRange } };
  const wanted = await reply<SearchQueriesResponse>("/v1/insights/queries", body);
  const { stdout } = await query(["queries", ...weeks, "--limit", "1"]);
  assert.deepEqual(JSON.parse(stdout), wanted);
  assert.equal(wanted.queries[0]?.query, "best anvil");
  const table = await query(["queries", ...weeks], { terminal: 90 });
  assert.match(table.stdout, /^best anvil +\d+ +12 +best anvil +100\.0% +100\.0%$/m);
  assert.match(table.stdout, /^answers that tell a search: GEMINI [\d.]+%, OPENAI [\d.]+%$/m);
  const records = await query(["queries", ...weeks, "--format", "ndjson"]);
  const { added, entityId } = JSON.parse(records.stdout);
  assert.deepEqual([added, entityId], ["best anvil", brand.id]);
});

test("names: the reply as JSON, as a table and as records", async () => {
  const body = { limit: 1, filters: { timeRange } };
  await service.readNames(accountId);
  const wanted = await reply<UntrackedNamesResponse>("/v1/insights/names", body);
  const { stdout } = await query(["names", ...weeks, "--limit", "1"]);
  assert.deepEqual(JSON.parse(stdout), wanted);
  assert.equal(wanted.names[0]?.name, "Tarnfell");
  const table = await query(["names", ...weeks], { terminal: 90 });
  assert.match(table.stdout, /^Tarnfell +\d+ +12 +[\d.]+/m);
  assert.match(table.stdout, /^answers that name only such: 0\.0%$/m);
  const records = await query(["names", ...weeks, "--format", "ndjson"]);
  const { name, kind, exampleStart } = JSON.parse(records.stdout);
  assert.deepEqual(
    [name, kind, exampleStart],
    ["Tarnfell", "new", wanted.names[0]?.example?.start],
  );
});

test("changes: no filter, no command; an empty range", async () => {
  const ofPrompts = ["--by", "topic", "--prompt", "Prompt 1?", "Prompt 2?"];
  const { stdout } = await query(["changes", ...weeks, ...ofPrompts], { terminal: 100 });
  assert.doesNotMatch(stdout, /query answers/);
  const empty = ["changes", "--from", "2025-01-08", "--to", "2025-01-15"];
  const nothing = await query(empty, { terminal: 100 });
  assert.match(nothing.stdout, /^no change: a range has no value$/m);
  assert.match(nothing.stderr, /^sightline: No answer lies in this range\./);
});

test("summary --compare: the like-for-like change, and with --parts the whole one", async () => {
  const asked = ["summary", ...weeks, "--compare", "previous", "--entity", "Acme"];
  const table = await query(asked, { terminal: 100 });
  const row =
    /^Acme {2}mentioned {2}62\.5% +\+31\.0 pp {2}\+24\.3 pp to \+37\.8 pp {2}– {2}discontinuous/m;
  assert.match(table.stdout, row);
  const parts = await query([...asked, "--parts"], { terminal: 100 });
  assert.match(
    parts.stdout,
    /^Acme {2}mentioned {2}62\.5% {2}\+30\.7 pp {2}-0\.4 pp {2}0\.0 pp +0\.0 pp +\+31\.0/m,
  );
  const { stdout } = await query([...asked, "--format", "ndjson"]);
  const [mentions = ""] = stdout.split("\n");
  const { effectivePrompts, change, likeForLike, mix, promptsAdded, promptsRemoved, ...others } =
    JSON.parse(mentions) as Readonly<Record<string, number | string>>;
  const sum = [likeForLike, mix, promptsAdded, promptsRemoved].reduce<number>(
    (total, part) => total + Number(part),
    0,
  );
  assert.ok(Math.abs(sum - Number(change)) < 1e-12);
  assert.deepEqual([effectivePrompts, others["changePrompts"]], [12, 12]);
  assert.deepEqual(
    [others["verdict"], others["changeFlags"], others["continuingVerdict"]],
    ["discontinuous", "", "moved"],
  );
});

test("summary --rank-threshold is sent, and refused without a comparison", async () => {
  const asked = ["summary", ...weeks, "--rank-threshold", "0.5"];
  const compared = await query([...asked, "--compare", "previous"]);
  const compare = { filters: { timeRange: earlier } };
  const body = { groupBy: "none", filters: { timeRange }, compare, rankThreshold: 0.5 };
  assert.deepEqual(
    JSON.parse(compared.stdout),
    await reply("/v1/insights/summary", { ...body, portrayal: false }),
  );
  const alone = await query(asked);
  assert.deepEqual([alone.status, alone.stdout], [2, ""]);
  assert.match(alone.stderr, /--rank-threshold: needs --compare/);
  const wrong = await query([...asked.slice(0, -1), "1000"]);
  assert.match(wrong.stderr, /It must be a number of places from 0 to 100/);
});

test("--facts: by what answers it was measured, under the table and in JSON", async () => {
  const json = async (...words: readonly string[]) =>
    JSON.parse((await query([...words, ...weeks, "--facts"])).stdout);
  const { facts } = await json("summary");
  assert.equal(facts.answers, 2 * 7 * promptsCount);
  for (const each of ["mentions", "rank", "sources", "gaps", "changes"]) {
    assert.deepEqual((await json(each)).facts, facts, each);
  }
  const { compare } = await json("changes");
  assert.equal(compare.facts.answers, compare.answers);
  assert.equal("facts" in JSON.parse((await query(["summary", ...weeks])).stdout), false);
  const table = await query(["summary", ...weeks, "--facts"], { terminal: 90 });
  const [, block = ""] = table.stdout.split("\nHow this was measured\n");
  const [sample, cadence, origins, models] = block.split("\n");
  assert.equal(sample, "  168 answers to 12 prompts, 14 a prompt.");
  assert.match(
    cadence ?? "",
    /^ {2}There are answers on 7 of 7 days; .* after 1 day \(median\)\.$/,
  );
  assert.match(origins ?? "", /^ {2}Providers: .* 84, .* 84\. Regions: US 168\. Collected from: /);
  assert.equal(models, "  Models: second 84, first 84.");
  assert.match(block, /^ {2}Repeatability: of 144 pairs of consecutive answers .* brand\. /m);
  assert.match(block, /^ {2}Excluded: not known, since nothing but answers was ever recorded\.$/m);
});

/** Runs `sightline plan …` against the service. */
const plan = (parameters: readonly string[], options: RunOptions = {}) =>
  run(["plan", ...parameters], { ...options, environment: { ...environment, NO_COLOR: "1" } });

test("plan as a table: what shows the change in words, then the options", async () => {
  const { stdout, stderr } = await plan([...weeks, "--change", "0.1"], { terminal: 90 });
  assert.equal(stderr, "");
  assert.deepEqual(stdout.split("\n"), [
    "What shows a change of mentions",
    "Acme; from 2026-01-01 to before 2026-01-08 and 2026-01-08 to before 2026-01-15 (UTC)",
    "",
    "To see a change of 10 points with a probability of 80 %, you need 368 prompts with 1",
    "answer each in a period as long as this one: 368 answers.",
    "Today's 12 prompts, with 14 answers each, show a change of 18.9 points or more.",
    "",
    "answers a prompt  prompts  answers  cost  least change now",
    "               1      368      368     –       61.4 points  cheapest",
    "               2      188      376     –       44.4 points",
    "               3      128      384     –       36.8 points",
    "               7       60      420     –       25.3 points",
    "              14       34      476     –       18.9 points",
    "              28       21      588     –       14.5 points",
    "",
    "answers: of all providers and regions together, in a range as long as this one",
    "least change now: the smallest that today's prompts show",
    "no cost: no price is known of GEMINI, OPENAI",
    "",
  ]);
});

test("plan: the reply as JSON, and every option is sent", async () => {
  const path = "/v1/insights/plan";
  const { stdout } = await plan(weeks);
  const standard = { entityId: brand.id, metric: "mentions", filters: { timeRange } };
  assert.deepEqual(JSON.parse(stdout), await reply(path, standard));
  const sizes = ["--change", ".2", "--power", ".9", "--answers-per-prompt", "7"];
  const more = ["--rate", "0.3", "--correlation", "0.5", "--provider", "GEMINI"];
  const other = await plan([
    ...weeks,
    "--entity",
    "globex",
    "--metric",
    "citations",
    ...sizes,
    ...more,
  ]);
  const body = {
    entityId: competitors[0]?.id,
    metric: "citations",
    change: 0.2,
    power: 0.9,
    answersPerPrompt: 7,
    rate: 0.3,
    correlation: 0.5,
    filters: { timeRange, providers: ["GEMINI"] },
  };
  assert.deepEqual(JSON.parse(other.stdout), await reply(path, body));
  const csv = await plan([...weeks, "--format", "csv"]);
  const [head, first] = csv.stdout.split("\r\n");
  assert.match(
    head ?? "",
    /^"metric","change","power","answersPerPrompt","prompts","requests","cost"/,
  );
  assert.match(first ?? "", /^"mentions",0\.05,0\.8,1,/);
});

test("plan: a change in points, a rate of a rank, and nothing to plan from", async () => {
  const points = await plan(["--change", "5"]);
  assert.equal(points.status, 2);
  assert.match(points.stderr, /from 0 to 1\. For 5 points use --change 0\.05\./);
  assert.match((await plan(["--change", "0"])).stderr, /It must be a number above 0, at most 100/);
  const ranks = await plan(["--metric", "rank", "--change", "5", "--correlation", "0.5"]);
  assert.match(ranks.stderr, /--correlation: is about answers that count or do not/);
  const empty = ["--from", "2025-01-08", "--to", "2025-01-15"];
  const nothing = await plan(empty, { terminal: 100 });
  assert.match(nothing.stderr, /^sightline: No answer lies in this range\./);
  const given = await plan([...empty, "--rate", "0.3"], { terminal: 100 });
  assert.match(given.stdout, /^To see a change of 5 points with a probability of 80 %, you need/m);
});

test("summary --trend is sent; too few weeks are said in words", async () => {
  const asked = ["summary", ...weeks, "--trend", "--stability", "--entity", "Acme"];
  const { stdout } = await query(asked);
  const include = ["stability", "trend"];
  const body = { groupBy: "none", filters: { timeRange }, entityIds: [brand.id], include };
  assert.deepEqual(
    JSON.parse(stdout),
    await reply("/v1/insights/summary", { ...body, portrayal: false }),
  );
  const table = await query(asked, { terminal: 100 });
  assert.match(table.stdout, /^Acme {2}mentioned +– +– +– {2}too few weeks$/m);
  assert.match(table.stdout, /^too few weeks: .* --from 12w$/m);
});

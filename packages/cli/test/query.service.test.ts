import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import type {
  EvidenceResponse,
  SourceAnalysisResponse,
  InsightsSummaryResponse as SummaryReply,
  TimeSeriesResponse,
} from "@sightline/contract";
import { compileCache, runCommand } from "@sightline/test-kit/command.ts";
import { hostileName, startAskedService } from "./asked-service.ts";
import { type RunOptions, run } from "./run-in-process.ts";

const asked = await startAskedService();
after(() => asked.service.close());
const environment = {
  SIGHTLINE_URL: asked.url,
  SIGHTLINE_KEY: asked.key,
  XDG_CONFIG_HOME: "/nowhere",
};
const january = ["--from", "2026-01-05", "--to", "2026-01-08"];

/** Runs `sightline query …` against the service. */
function query(parameters: readonly string[], options: RunOptions = {}) {
  return run(["query", ...parameters], {
    ...options,
    environment: { ...environment, ...options.environment },
  });
}

/** What the service itself replies to a question. */
async function reply(path: string, body: object): Promise<unknown> {
  const token = await asked.service.session(asked.accountId);
  return (await asked.service.post(path, { token, body })).json();
}

const summaryReply = (body: object) => reply("/v1/insights/summary", { ...body, portrayal: false });

const timeRange = { from: "2026-01-05T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" };

for (const [name, metric] of [
  ["mentions", "mentions"],
  ["visibility", "overall-visibility"],
  ["overall-visibility", "overall-visibility"],
  ["citations", "citations"],
  ["rank", "rank"],
] as const) {
  test(`query ${name}: in a pipe, the service's reply as JSON`, async () => {
    const { status, stdout, stderr } = await query([name, ...january]);
    assert.deepEqual([status, stderr], [0, ""]);
    const body = { interval: "daily", filters: { timeRange } };
    assert.deepEqual(JSON.parse(stdout), await reply(`/v1/analytics/brands/${metric}`, body));
    assert.ok(!stdout.includes("\u202e"), "nothing that acts on a terminal, in a pipe either");
  });
}

test("every filter arrives, names as ids", async () => {
  const filters = {
    timeRange,
    providers: ["OPENAI", "GEMINI"],
    topics: [{ id: await topicId("Anvils") }],
    regions: [{ code: "US" }],
    branded: false,
  };
  const expected = await reply("/v1/analytics/brands/mentions", { interval: "monthly", filters });
  const { stdout, stderr } = await query([
    ...["mentions", ...january, "--interval", "Monthly", "--provider", "openai", "--provider"],
    ...["gemini", "--topic", "anvils", "--region", "us", "--no-branded"],
  ]);
  assert.equal(stderr, "");
  assert.deepEqual(JSON.parse(stdout), expected);
  assert.equal(JSON.parse(stdout).series[0].data[0].value, 1);

  const several = await query([
    "mentions",
    ...january,
    "--provider",
    "OPENAI",
    "GEMINI",
    "--topic",
    "anvils",
    "Storage",
  ]);
  assert.equal(values(several.stdout)[0]?.[0], 0.5);
  const prompt = await query(["mentions", ...january, "--prompt", "where to store"]);
  assert.deepEqual(values(prompt.stdout)[0], [0, null, null]);
  const branded = await query([
    "mentions",
    "--from",
    "2026-02-01",
    "--to",
    "2026-02-02",
    "--branded",
  ]);
  assert.deepEqual(values(branded.stdout)[0], [1]);
});

async function topicId(name: string): Promise<string> {
  const { stdout } = await query(["workspace"]);
  const { topics } = JSON.parse(stdout) as { topics: { id: string; name: string }[] };
  return topics.find((topic) => topic.name === name)?.id ?? "";
}

function values(stdout: string): readonly (readonly (number | null)[])[] {
  const { series } = JSON.parse(stdout) as TimeSeriesResponse;
  return series.map(({ data }) => data.map(({ value }) => value));
}

test("relative dates: UTC days, half-open, thirty of them unless it is said", async () => {
  const now = "2026-01-08T01:00:00+02:00"; // still the 7th in UTC
  const range = async (...parameters: string[]) => {
    const { stdout } = await query(["mentions", ...parameters], { now });
    const { interval, timeRange: asked } = JSON.parse(stdout) as TimeSeriesResponse;
    return [interval, asked.from, asked.to];
  };
  assert.deepEqual(await range(), [
    "daily",
    "2025-12-09T00:00:00.000Z",
    "2026-01-08T00:00:00.000Z",
  ]);
  assert.deepEqual(await range("--from", "last-month", "--to", "this-month"), [
    "daily",
    "2025-12-01T00:00:00.000Z",
    "2026-01-01T00:00:00.000Z",
  ]);
  assert.deepEqual(await range("--from", "52w"), [
    "weekly",
    "2025-01-09T00:00:00.000Z",
    "2026-01-08T00:00:00.000Z",
  ]);
});

test("on a terminal, a table; --plot draws; neither holds anything that acts", async () => {
  const table = await query(["mentions", ...january], {
    terminal: 80,
    environment: { NO_COLOR: "1" },
  });
  const name = '=HYPERLINK("//x","y")\\u{202e}';
  assert.equal(
    table.stdout,
    `${[
      "How often the brand and each competitor are mentioned",
      "% of all answers, more is better; daily, 2026-01-05 to before 2026-01-08 (UTC)",
      "",
      "                                     first  last     change   min     max",
      "Acme                           ▅ ▁   50.0%  0.0%   -50.0 pp  0.0%   50.0%",
      `${name}  ▁ ▁    0.0%  0.0%     0.0 pp  0.0%    0.0%`,
      "Globex                         █ ▁  100.0%  0.0%  -100.0 pp  0.0%  100.0%",
      "",
      "▁ 0.0% to █ 100.0%, a gap where nothing was measured",
      "",
    ].join("\n")}`,
  );
  const plot = await query(["rank", ...january, "--plot"], { terminal: 60 });
  assert.match(plot.stdout, /^.\[1mThe mean place of the brand/);
  assert.match(plot.stdout, /A.{0,9} Acme 1\.00/);
  const piped = await query(["rank", ...january, "--plot"], { environment: { COLUMNS: "60" } });
  assert.ok(!piped.stdout.includes("\u001b"));
  const dumb = await query(["rank", ...january], { terminal: 60, environment: { TERM: "dumb" } });
  assert.ok(!dumb.stdout.includes("\u001b"));
  const forced = await query(["rank", ...january, "--format", "table"], {
    environment: { FORCE_COLOR: "1" },
  });
  assert.ok(forced.stdout.includes("\u001b[1m"));
});

test("nothing measured: which dates have answers", async () => {
  const empty = await query(["mentions", "--from", "2020-01-01", "--to", "2020-02-01"], {
    terminal: 80,
  });
  assert.equal(empty.status, 0);
  assert.equal(
    empty.stderr,
    "sightline: No answer passes these filters. " +
      "The account has answers in --from 2026-01-05 --to 2026-02-02.\n",
  );
  const piped = await query(["mentions", "--from", "2020-01-01", "--to", "2020-02-01"]);
  assert.equal(piped.stderr, "");
});

test("csv and ndjson: a line a point, null empty, no formula", async () => {
  const csv = await query(["mentions", ...january, "--format", "csv"]);
  const lines = csv.stdout.split("\r\n");
  assert.equal(lines[0], '"timestamp","id","name","value"');
  assert.match(lines[1] ?? "", /^"2026-01-05T00:00:00\.000Z","[0-9a-f-]{36}","Acme",0\.5$/);
  assert.match(lines[2] ?? "", /^"2026-01-06T00:00:00\.000Z","[0-9a-f-]{36}","Acme",$/);
  assert.ok(lines[4]?.endsWith(`,"'=HYPERLINK(""//x"",""y"")\\u{202e}",0`), lines[4]);
  assert.equal(lines.length, 11);
  const ndjson = await query(["mentions", ...january, "--format", "ndjson"]);
  const points = ndjson.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(points.length, 9);
  assert.deepEqual(points[1], { ...points[0], timestamp: "2026-01-06T00:00:00.000Z", value: null });
  assert.equal(points[3].name, hostileName);
});

test("sources: a page, the next one, all of them; by domain or URL", async () => {
  const range = ["--from", "2026-01-01", "--to", "2026-03-01"];
  const domains = await query(["sources", ...range]);
  const filters = {
    timeRange: { from: "2026-01-01T00:00:00.000Z", to: "2026-03-01T00:00:00.000Z" },
  };
  const page = { groupBy: "domain", limit: 20, offset: 0, filters };
  assert.deepEqual(JSON.parse(domains.stdout), await reply("/v1/analytics/sources", page));

  const second = await query([
    "sources",
    ...range,
    "--group-by",
    "url",
    "--limit",
    "2",
    "--offset",
    "1",
  ]);
  const urls = { groupBy: "url", limit: 2, offset: 1, filters };
  assert.deepEqual(JSON.parse(second.stdout), await reply("/v1/analytics/sources", urls));

  const all = await query(["sources", ...range, "--group-by", "url", "--all"]);
  const { sources, pagination } = JSON.parse(all.stdout) as SourceAnalysisResponse;
  assert.deepEqual(pagination, { total: 132, limit: 132, offset: 0, hasMore: false });
  assert.equal(new Set(sources.map(({ source }) => source)).size, 132);
  const rest = await query(["sources", ...range, "--group-by", "url", "--all", "--offset", "5"]);
  assert.deepEqual(JSON.parse(rest.stdout).sources, sources.slice(5));

  const csv = await query(["sources", ...range, "--group-by", "url", "--all", "--format", "csv"]);
  const [heading, first, ...others] = csv.stdout.trimEnd().split("\r\n");
  assert.deepEqual([heading, others.length], ['"source","citations","share"', 131]);
  assert.match(first ?? "", /^"https:\/\/acme\.example\/anvils",2,0\.0\d+$/);
  const ndjson = await query([
    "sources",
    ...range,
    "--group-by",
    "url",
    "--all",
    "--format",
    "ndjson",
  ]);
  assert.deepEqual(
    ndjson.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
    sources.map(({ source, citations, share }) => ({ source, citations, share })),
  );

  const table = await query(["sources", ...range, "--limit", "2"], {
    terminal: 60,
    environment: { NO_COLOR: "1" },
  });
  assert.match(table.stdout, /^ ?1 {2}many\.example +130 +97\.74% {2}█+$/m);
  assert.match(table.stdout, /1 to 2 of 3; continue with --offset 2, or --all\n$/);
});

test("answers: the reply, a page and the next, every answer as a line", async () => {
  const range = ["--from", "2026-01-01", "--to", "2026-03-01"];
  const filters = {
    timeRange: { from: "2026-01-01T00:00:00.000Z", to: "2026-03-01T00:00:00.000Z" },
  };
  const { stdout, stderr } = await query(["answers", ...range, "--limit", "3"]);
  assert.equal(stderr, "");
  const page = JSON.parse(stdout) as EvidenceResponse;
  assert.deepEqual(page, await reply("/v1/evidence", { role: "any", limit: 3, filters }));
  assert.deepEqual([page.total, page.answers.length], [4, 3]);
  const next = await query(["answers", ...range, "--cursor", String(page.nextCursor)]);
  assert.deepEqual(JSON.parse(next.stdout).answers.length, 1);

  const acme = await query(["answers", ...range, "--entity", "acme"]);
  const texts = (JSON.parse(acme.stdout) as EvidenceResponse).answers.map(({ text }) => text);
  assert.deepEqual(texts, ["Acme is good.", "Take **Acme**, or Globex if you are in a hurry."]);
  const hidden = await query(["answers", ...range, "--entity", "Globex", "--role", "Not-Visible"]);
  assert.equal(JSON.parse(hidden.stdout).total, 2);

  const all = await query(["answers", ...range, "--all", "--format", "ndjson"]);
  const lines = all.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(lines.length, 4);
  assert.deepEqual(lines[2], {
    id: page.answers[2]?.id,
    answeredAt: "2026-01-05T09:00:00.000Z",
    provider: "GEMINI",
    region: null,
    promptId: "11111111-1111-4111-8111-111111111112",
    model: null,
    surface: null,
    names: "Globex",
    sources: "https://acme.example/anvils",
    text: "Globex is the usual choice.",
    textRemoved: false,
  });
  const csv = await query(["answers", ...range, "--all", "--format", "csv"]);
  assert.equal(csv.stdout.split("\r\n").length, 6);
  const whole = await query(["answers", ...range, "--all"]);
  assert.deepEqual([whole.status, whole.stdout], [2, ""]);
  const unknown = await query(["answers", ...range, "--entity", "Globx"]);
  assert.match(unknown.stderr, /--entity: "Globx" is not one of the account's entities.*Globex/);
});

const sourcesBody = { groupBy: "domain", limit: 20, offset: 0, filters: { timeRange } };
const gapsBody = { ...sourcesBody, orderBy: "opportunity" };

/** The requests of a command that asks for more than its filters, whole. */
const narrowed: readonly (readonly [string, string, object])[] = [
  ["answers --source-domain Reviews.Example", "/v1/evidence", { domain: "Reviews.Example" }],
  [
    "answers --source-url http://acme.example/anvils/?utm_source=x --limit 1",
    "/v1/evidence",
    { url: "http://acme.example/anvils/?utm_source=x", limit: 1 },
  ],
  [
    "gaps --group-by url --source-domain acme.example",
    "/v1/insights/sources",
    { groupBy: "url", domain: "acme.example" },
  ],
  [
    "gaps --source-url https://reviews.example/best",
    "/v1/insights/sources",
    { url: "https://reviews.example/best" },
  ],
];

test("--source-domain and --source-url leave what cites, or is, the source", async () => {
  const standard = {
    "/v1/evidence": { role: "any", limit: 20, filters: { timeRange } },
    "/v1/insights/sources": gapsBody,
  };
  for (const [line, path, own] of narrowed) {
    const { stdout, stderr } = await query([...line.split(" "), ...january]);
    assert.equal(stderr, "", line);
    const all = standard[path as keyof typeof standard];
    assert.deepEqual(JSON.parse(stdout), await reply(path, { ...all, ...own }), line);
    assert.notDeepEqual(JSON.parse(stdout), await reply(path, all), line);
  }
  const refused = await query(["answers", ...january, "--source-domain", ""]);
  assert.deepEqual([refused.status, refused.stdout], [2, ""]);
  assert.match(refused.stderr, /domain/);
});

test("summary --entity: only these, by name or id, with the same values", async () => {
  const whole = JSON.parse((await query(["summary", ...january])).stdout) as SummaryReply;
  const [group] = whole.groups;
  const [brand, , globex] = group?.entities ?? [];
  const names = async (...entities: string[]) => {
    const { stdout, stderr } = await query(["summary", ...january, "--entity", ...entities]);
    assert.equal(stderr, "");
    return (JSON.parse(stdout) as SummaryReply).groups[0]?.entities;
  };
  assert.deepEqual(await names("globex"), [globex]);
  assert.deepEqual(await names(globex?.id ?? "", "Acme"), [brand, globex]);
  const body = { groupBy: "none", filters: { timeRange }, entityIds: [globex?.id] };
  const { stdout } = await query(["summary", ...january, "--entity", "Globex"]);
  assert.deepEqual(JSON.parse(stdout), await summaryReply(body));
  const unknown = await query(["summary", ...january, "--entity", "Globes"]);
  assert.deepEqual([unknown.status, unknown.stdout], [2, ""]);
  assert.match(unknown.stderr, /--entity: "Globes" is not one of .* Did you mean "Globex"\?/);
});

test("answers on a terminal: the text with names marked, bold or in brackets", async () => {
  const one = ["answers", "--from", "2026-01-05", "--to", "2026-01-06", "--entity", "Acme"];
  const plain = await query([...one, "--format", "table"]);
  const [id] = /[0-9a-f-]{36}/.exec(plain.stdout) ?? [];
  assert.deepEqual(plain.stdout.split("\n"), [
    "What is the best anvil?",
    `2026-01-05T08:00:00.000Z  OPENAI  US  ${id}`,
    "Take **[Acme]**, or [Globex] if you are in a hurry.",
    "  https://acme.example/anvils",
    "  https://reviews.example/best",
    "",
    "1 of 1 answers, newest first",
    "",
  ]);
  const coloured = await query(one, { terminal: 80 });
  assert.ok(coloured.stdout.includes("Take **\u001b["), coloured.stdout);
  assert.equal(stripVTControlCharacters(coloured.stdout).includes("Take **Acme**, or Glo"), true);
  const none = await query([...one, "--role", "not-visible", "--format", "table"]);
  assert.match(none.stdout, /Globex is the usual|0 of 0 answers/);
});

test("summary: the reply as JSON, a line a value, a table; what changed", async () => {
  const filters = { timeRange };
  const json = await query(["summary", ...january]);
  const body = { groupBy: "none", filters };
  assert.deepEqual(JSON.parse(json.stdout), await summaryReply(body));
  const earlier = { from: "2026-01-02T00:00:00.000Z", to: "2026-01-05T00:00:00.000Z" };
  const compare = { filters: { timeRange: earlier } };
  const changed = await query([
    ...["summary", ...january, "--compare", "previous", "--threshold", ".5", "--group-by", "Topic"],
  ]);
  const asked = { groupBy: "topic", filters, compare, threshold: 0.5 };
  assert.deepEqual(JSON.parse(changed.stdout), await summaryReply(asked));

  const csv = await query(["summary", ...january, "--format", "csv"]);
  const [heading, first, ...others] = csv.stdout.trimEnd().split("\r\n");
  assert.match(heading ?? "", /^"group","groupName","answers",.*"compareFrom","compareTo",/);
  assert.match(heading ?? "", /"trendSlope",.*"trendVerdict","labelled",.*"labelledHigh"$/);
  assert.match(first ?? "", /^,"All answers",3,2,"[0-9a-f-]{36}","Acme","mentions",0\.3+,1,3,2,,,/);
  assert.equal(others.length, 14);
  const stable = await query(["summary", ...january, "--stability"]);
  const included = { ...body, include: ["stability"] };
  assert.deepEqual(JSON.parse(stable.stdout), await summaryReply(included));
  const table = await query(["summary", ...january], {
    terminal: 90,
    environment: { NO_COLOR: "1" },
  });
  assert.match(table.stdout, /^All answers: 3 answers to 2 prompts, 66\.7% name an entity$/m);
  assert.match(table.stdout, /^Acme +33\.3% +66\.7% +66\.7% +1\.00 +33\.3%$/m);
  assert.equal(table.stderr, "");
  const nothing = await query(["summary", "--from", "2020-01", "--to", "2020-02"], {
    terminal: 80,
  });
  assert.match(nothing.stderr, /^sightline: No answer lies in this range\. .* from 2026-01-05 to/);
});

test("gaps: the reply as JSON, a line a source, a table", async () => {
  const json = await query(["gaps", ...january]);
  assert.deepEqual(JSON.parse(json.stdout), await reply("/v1/insights/sources", gapsBody));
  const cited = await query(["gaps", ...january, "--order-by", "citations"]);
  assert.deepEqual(JSON.parse(cited.stdout), await reply("/v1/insights/sources", sourcesBody));
  const ndjson = await query(["gaps", ...january, "--limit", "1", "--format", "ndjson"]);
  const [source] = JSON.parse(json.stdout).sources;
  assert.deepEqual(JSON.parse(ndjson.stdout), source);
  const table = await query(["gaps", ...january], { terminal: 80, environment: { NO_COLOR: "1" } });
  assert.match(table.stdout, /^acme\.example +yours +other +2 +2 +0 +0 +0\.00%$/m);
  assert.match(table.stdout, /^reviews\.example +third party +other +1 +1 +0 +0 +0\.00%$/m);
});

test("gaps, compared: the reply as JSON, a line a source, a table", async () => {
  const compared = ["gaps", ...january, "--compare", "previous"];
  const earlier = { from: "2026-01-02T00:00:00.000Z", to: "2026-01-05T00:00:00.000Z" };
  const asked = { ...gapsBody, compare: { filters: { timeRange: earlier } } };
  const json = await query(compared);
  assert.deepEqual(JSON.parse(json.stdout), await reply("/v1/insights/sources", asked));
  const csv = await query([...compared, "--format", "csv"]);
  assert.match(csv.stdout, /"lastCitedAt","change",.*"compareTo"\r\n.*"insufficient".*"2026-01-02/);
  const table = await query(compared, { terminal: 120, environment: { NO_COLOR: "1" } });
  assert.match(table.stdout, /^acme\.example +yours .* 66\.7% +– +– +– +insufficient$/m);
  assert.match(table.stdout, /^p is adjusted for 0 tests$/m);
});

test("workspace: JSON as it is, a table, CSV", async () => {
  const json = await query(["workspace"]);
  const token = await asked.service.session(asked.accountId);
  const headers = { authorization: `Bearer ${token}` };
  const expected = await asked.service.request("GET", "/v1/workspace", { headers });
  assert.deepEqual(JSON.parse(json.stdout), expected.json());
  const table = await query(["workspace"], { terminal: 80, environment: { NO_COLOR: "1" } });
  assert.match(table.stdout, /^Acme\n/);
  assert.match(table.stdout, /^Is Acme any good\? +Anvils +yes$/m);
  const csv = await query(["workspace", "--format", "csv"]);
  assert.match(csv.stdout, /^"prompt","1{8}-.*","Is Acme any good\?","[0-9a-f-]{36}",true,\r$/m);
});

/** A command line and how it is answered. Each ends with status 2 and prints nothing. */
const wrong: readonly (readonly [line: string, complaint: RegExp])[] = [
  ["mentoins", /unknown command 'mentoins'\s+\(Did you mean mentions\?\)/],
  ["mentions --form json", /unknown option '--form'\s+\(Did you mean (one of )?--fo?r/],
  [
    "mentions --format jsn",
    /Allowed choices are table, json, csv, ndjson\. \(Did you mean json\?\)/,
  ],
  ["mentions --provider OPENIA", /Allowed choices are GEMINI, .* \(Did you mean OPENAI\?\)/],
  ["mentions --interval hourly", /Allowed choices are daily, weekly, monthly\./],
  ["mentions --region USA", /It must be two letters/],
  ["mentions --topic Anvls", /^sightline: --topic: "Anvls" .* Did you mean "Anvils"\?$/m],
  ["mentions --prompt anvil", /"anvil" matches 2 prompts\. Use an id instead:/],
  ["mentions --topic A --prompt B", /'--topic <name\.\.\.>' cannot be used with option '--prompt/],
  ["mentions --plot --format csv", /'--plot' cannot be used with option '--format/],
  ["mentions --from smetime", /^sightline: --from: invalid time "smetime"\. Use a UTC date/],
  ["mentions --from today --to today", /must be before --to/],
  ["sources --limit 0", /It must be an integer from 1 to 100\./],
  ["sources --limit 101", /It must be an integer from 1 to 100\./],
  ["sources --all --limit 5", /'--all' cannot be used with option '--limit/],
  ["summary --compare before", /--compare: invalid time "before"/],
  ["summary --group-by day", /Allowed choices are none, provider, topic, prompt, region, branded/],
  ["gaps --threshold 0.1", /--threshold: needs --compare/],
  ["summary --threshold 2", /It must be a fraction from 0 to 1/],
  ["gaps --all", /unknown option '--all'/],
  ["sources --group-by page", /Allowed choices are domain, url\./],
  ["mentions --interval daily --from 2000-01-01", /at most 4,?000/],
];

for (const [line, complaint] of wrong) {
  test(`wrong usage: query ${line}`, async () => {
    const { status, stdout, stderr } = await query(line.split(" "));
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, complaint);
  });
}

test("failures: what happened, what to do; as a document too; no key in any of it", async () => {
  const key = asked.wrongKey;
  const refused = await query(["mentions", "--json"], { environment: { SIGHTLINE_KEY: key } });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /rejected the key\. .* Store another with: sightline login\n$/);
  const { error } = JSON.parse(refused.stdout);
  assert.deepEqual([error.details.status, error.details.code], [401, "key_invalid"]);
  assert.ok(!`${refused.stdout}${refused.stderr}`.includes(key));

  const nowhere = await query(["mentions"], {
    environment: { SIGHTLINE_URL: "http://127.0.0.1:1" },
  });
  assert.deepEqual([nowhere.status, nowhere.stdout], [1, ""]);
  assert.match(nowhere.stderr, /^sightline: http:.*:1: .* Check that the service is running/);
  assert.ok(!nowhere.stderr.includes(asked.key));
});

const main = join(import.meta.dirname, "../src/main.ts");
const range = ["--from", "2026-01-01", "--to", "2026-03-01"];

test("the real command: JSON in a pipe, status 0; wrong usage 2; a failure 1", async () => {
  const done = await runCommand(["query", "mentions", ...range], { environment });
  assert.deepEqual([done.status, done.stderr], [0, ""]);
  assert.equal(JSON.parse(done.stdout).interval, "daily");
  const [wrong, failed] = await Promise.all([
    runCommand(["query", "mentions", "--from", "never"], { environment }),
    runCommand(["query", "mentions"], { environment: { ...environment, SIGHTLINE_KEY: "sl_x" } }),
  ]);
  assert.deepEqual([wrong.status, wrong.stdout], [2, ""]);
  assert.deepEqual([failed.status, failed.stdout], [1, ""]);
});

test("a reader that has had enough ends it quietly", async () => {
  const parameters = [
    "query",
    "sources",
    ...range,
    "--group-by",
    "url",
    "--all",
    "--format",
    "csv",
  ];
  const child = spawn(process.execPath, [main, ...parameters], {
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy(); // nobody reads from the first byte on
  const [[status, signal], stderr] = await Promise.all([once(child, "close"), text(child.stderr)]);
  assert.deepEqual([status, signal, stderr], [0, null, ""]);
});

test("on a real terminal: a table as wide as it is", async () => {
  const line = [process.execPath, main, "query", "mentions", ...range].join(" ");
  const command = `stty cols 72 rows 24; ${line}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    env: {
      PATH: process.env["PATH"],
      TERM: "xterm",
      SHELL: "/bin/sh",
      NODE_COMPILE_CACHE: compileCache,
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const shown = await text(child.stdout);
  assert.ok(shown.includes("\u001b[1mHow often the brand"), shown);
  const [, , , heading, ...rows] = stripVTControlCharacters(shown).split("\r\n");
  assert.match(heading ?? "", /^ +first +last +change +min +max$/);
  assert.deepEqual(
    [heading, rows[0], rows[1]].map((row) => row?.length),
    [72, 72, 72],
  );
});

test("--competitor leaves the brand and those that are named, in every form", async () => {
  const names = async (...parameters: string[]) => {
    const { stdout } = await query(["mentions", ...january, ...parameters]);
    return (JSON.parse(stdout) as TimeSeriesResponse).series.map(({ name }) => name);
  };
  assert.deepEqual(await names(), ["Acme", hostileName, "Globex"]);
  assert.deepEqual(await names("--competitor", "globex"), ["Acme", "Globex"]);
  const chart = await query(["mentions", ...january, "--competitor", "Globex", "--plot"]);
  assert.match(chart.stdout, /A Acme .*B Globex/);
  assert.doesNotMatch(chart.stdout, /HYPERLINK/);
  const unknown = await query(["mentions", ...january, "--competitor", "Globes"]);
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /not one of the account's competitors\. Did you mean "Globex"\?/);
});

test("https to a server of http says so, and which address to use", async () => {
  const secure = asked.url.replace("http:", "https:");
  const { status, stderr } = await query(["workspace"], { environment: { SIGHTLINE_URL: secure } });
  assert.deepEqual(
    [status, stderr],
    [1, `sightline: The server at ${secure} speaks http, not https. Use ${asked.url}\n`],
  );
});

test("a provider may be written in lower case", async () => {
  const upper = await query(["mentions", ...january, "--provider", "OPENAI"]);
  assert.deepEqual(await query(["mentions", ...january, "--provider", "openai"]), upper);
});

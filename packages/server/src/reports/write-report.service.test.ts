import assert from "node:assert/strict";
import { test } from "node:test";
import { type InsightsSummaryResponse, reportLanguages, reportSections } from "@sightline/contract";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";
import type { AskedReport } from "./asked-report.ts";
import { writeReport } from "./write-report.ts";

/** February against January. */
const asked: AskedReport = {
  title: "Acme in answers",
  subtitle: null,
  sections: reportSections,
  startDate: "2026-02-01",
  endDate: "2026-02-28",
  compareWith: { startDate: "2026-01-01", endDate: "2026-01-31" },
  filters: {},
  showsEvidence: true,
  language: "en",
  logo: null,
  colour: null,
  note: null,
  madeAt: Date.parse("2026-03-02T06:00:00Z"),
};

const signal = new AbortController().signal;

async function startAccount(name: string, more: object = {}) {
  const service = await sharedService();
  const accountId = await service.apply({ ...corpusWorkspace, ...more, account: { name } });
  await service.import(
    accountId,
    Array.from({ length: 400 }, (_, number) => corpusAnswer(number)),
  );
  const write = (changes: Partial<AskedReport> = {}) =>
    writeReport(service.services, accountId, { ...asked, ...changes }, signal);
  return { service, accountId, write };
}

test("the numbers are those that the questions give", async () => {
  const { service, accountId, write } = await startAccount("Reported numbers");
  const { numbers } = await write();
  const token = await service.session(accountId, ["read"]);
  const range = (from: string, to: string) => ({
    filters: { timeRange: { from: `${from}T00:00:00Z`, to: `${to}T00:00:00.000Z` } },
  });
  const period = range("2026-02-01", "2026-03-01");
  const body = { groupBy: "none", ...period, compare: range("2026-01-01", "2026-02-01") };
  const ask = async (more: object) => {
    const reply = await service.post("/v1/insights/summary", { token, body: { ...body, ...more } });
    return reply.json<InsightsSummaryResponse>();
  };
  const { groups, tests, compare } = await ask({});
  const [all] = groups;
  assert.ok((all?.answers ?? 0) > 100);
  assert.deepEqual(numbers.summary?.entities, all?.entities);
  assert.deepEqual([numbers.summary?.tests, numbers.summary?.compare], [tests, compare]);
  assert.deepEqual(numbers.measurement, (await ask({ include: ["facts"] })).facts);
  assert.deepEqual(
    numbers.course?.series.map(({ name }) => name),
    ["Acme", "Globex"],
  );
  const byPrompt = await ask({ groupBy: "prompt" });
  const { groups: topics } = await ask({ groupBy: "topic" });
  const id = topics.find(({ name }) => name === "Anvils")?.key ?? "";
  const ofTopic = await write({ filters: { topics: [{ id }] } });
  for (const [{ prompts }, count] of [
    [numbers, 4],
    [ofTopic.numbers, 2],
  ] as const) {
    assert.deepEqual([prompts?.strongest.length, prompts?.between], [count, 0]);
    for (const { id: promptId, mentions, citations, rank } of prompts?.strongest ?? []) {
      const own = byPrompt.groups.find(({ key }) => key === promptId)?.entities[0];
      assert.ok(own?.mentions.change?.parts, "a prompt without a change");
      assert.deepEqual([mentions, citations, rank], [own.mentions, own.citations, own.rank]);
    }
  }
});

test("every section is on the page, in the order asked for, in each language", async () => {
  const { write } = await startAccount("Reported sections");
  for (const language of reportLanguages) {
    const sections = reportSections.toReversed();
    const { html } = await write({ language, sections });
    const ids = [...html.matchAll(/<section aria-labelledby="(\w+)">/g)].map(([, id]) => id);
    assert.deepEqual(ids, sections);
    assert.match(html, new RegExp(`^<!doctype html>\n<html lang="${language}">`));
  }
  const { html, numbers } = await write({ sections: ["notes"], showsEvidence: false });
  assert.doesNotMatch(html, /id="summary"/);
  assert.deepEqual([numbers.quotes, numbers.sources, numbers.notes], [null, null, []]);
});

test("what comes from outside stays text, and nothing is loaded", async () => {
  const evil = `</title></style><script src=//evil.example></script>"'<img src=x onerror=a()>`;
  const { write } = await startAccount("Reported hostility", {
    competitors: [{ name: `Globex ${evil}`, domains: ["globex.com"] }],
    prompts: corpusWorkspace.prompts.map((prompt) => ({
      ...prompt,
      text: `${prompt.text} ${evil}`,
    })),
    notes: [{ date: "2026-02-03", text: evil }],
  });
  const { html } = await write({ title: evil, subtitle: evil, note: evil });
  assert.ok(html.split("&lt;script src=//evil.example&gt;").length > 6);
  const tags = new Set([...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, name]) => name));
  const allowed =
    `html head meta title style body header main footer section h1 h2 h3 p dl dt dd div
    table caption thead tbody tr th td span ul li figure figcaption svg desc line text polyline
    polygon circle details summary blockquote`.split(/\s+/);
  assert.deepEqual(
    [...tags].filter((name) => !allowed.includes(name ?? "")),
    [],
  );
  // No value has a ">" of its own, so that a tag ends at the first one.
  const attributes = [...html.matchAll(/<[a-z][^>]*>/g)].join(" ").replaceAll(/"[^"]*"/g, "");
  assert.doesNotMatch(attributes, /\s(href|src|srcset|action|on\w+)=/i);
  assert.doesNotMatch(html, /url\(|@import/);
  assert.match(
    html,
    /content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:"/,
  );
});

test("an account without answers has a page that says so", async () => {
  const service = await sharedService();
  const accountId = await service.apply({ ...corpusWorkspace, account: { name: "Unreported" } });
  const { html, numbers } = await writeReport(service.services, accountId, asked, signal);
  assert.equal(numbers.empty?.reason, "noAnswers");
  assert.match(html, /There are no answers yet\./);
});

test("filters are asked with, and said", async () => {
  const { write } = await startAccount("Reported filters");
  const filters: AskedReport["filters"] = {
    providers: ["OPENAI"],
    exclude: { regions: [{ code: "us" }] },
  };
  const { numbers, html } = await write({ filters });
  assert.deepEqual(numbers.filters, ["ChatGPT", "Without United States"]);
  assert.match(html, /<dd>ChatGPT · Without United States<\/dd>/);
  assert.deepEqual(
    numbers.measurement?.providers.map(({ provider }) => provider),
    ["OPENAI"],
  );
});

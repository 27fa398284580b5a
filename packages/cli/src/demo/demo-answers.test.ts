import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { type DemoAnswer, demoAnswers, demoAnswersTotal } from "./demo-answers.ts";
import { demoWorkspace } from "./demo-workspace.ts";
import { regions } from "./market.ts";
import { prompts } from "./prompts.ts";
import { providers } from "./providers.ts";

const answers = [...demoAnswers()];
const dayOfAnswer = (answer: DemoAnswer) => answer.answeredAt.slice(0, 10);
const countOf = (values: Iterable<unknown>) => new Set(values).size;

test("the stream never changes by accident", () => {
  const hash = createHash("sha256");
  for (const answer of demoAnswers()) hash.update(`${JSON.stringify(answer)}\n`);
  // If a change to the demo is meant, take the new digest and look at the documents' screenshots.
  assert.equal(
    hash.digest("hex"),
    "c6c52f1f056dbc804ebd26bd45b4416d0d68513515e85e55dd345d74dfb860c5",
  );
});

test("it has the announced number of answers, and of each outcome", () => {
  assert.equal(answers.length, demoAnswersTotal);
  const outcomes = Object.groupBy(answers, ({ outcome }) => outcome);
  const totals = Object.entries(outcomes).map(([outcome, group]) => [outcome, group.length]);
  assert.deepEqual(Object.fromEntries(totals), { answered: 29_317, absent: 910, failed: 169 });
});

test("it is in time order, inside the year, without two answers of one identity", () => {
  const instants = answers.map(({ answeredAt }) => answeredAt);
  assert.deepEqual(instants, instants.toSorted());
  assert.ok((instants[0] ?? "") >= "2025-11-01T00:00:00Z");
  assert.ok((instants.at(-1) ?? "") <= "2026-10-31T23:59:59Z");
  const identities = answers.map((answer) =>
    [answer.promptId, answer.provider, answer.region, answer.answeredAt].join(),
  );
  assert.equal(countOf(identities), answers.length);
});

test("every day has answers of every region and provider, save four days of Copilot", () => {
  assert.equal(countOf(answers.map(dayOfAnswer)), 365);
  const placed = answers.map((answer) => `${dayOfAnswer(answer)} ${answer.region}`);
  assert.equal(countOf(placed), 365 * (regions.length + 1));
  const asked = new Set(answers.map((answer) => `${dayOfAnswer(answer)} ${answer.provider}`));
  const missing = [...new Set(answers.map(dayOfAnswer))].flatMap((day) =>
    providers.map(({ name }) => `${day} ${name}`).filter((key) => !asked.has(key)),
  );
  assert.deepEqual(missing, [
    "2026-06-16 COPILOT",
    "2026-06-17 COPILOT",
    "2026-06-18 COPILOT",
    "2026-06-19 COPILOT",
  ]);
});

test("every prompt is asked of every provider in every region and in none", () => {
  const keys = answers.map(({ promptId, provider, region }) => `${promptId} ${provider} ${region}`);
  assert.equal(countOf(keys), prompts.length * providers.length * (regions.length + 1));
});

test("weekends have slightly fewer answers", () => {
  const onDay = (day: string) => answers.filter((answer) => dayOfAnswer(answer) === day).length;
  assert.deepEqual([onDay("2026-01-09"), onDay("2026-01-10"), onDay("2026-01-11")], [88, 72, 72]);
});

const fields = [
  "promptId",
  "provider",
  "region",
  "answeredAt",
  "outcome",
  "surface",
  "text",
  "citations",
];

test("every answer keeps the format's rules", () => {
  const known = new Set(demoWorkspace.prompts.map(({ id }) => id));
  const names = new Set<string>(providers.map(({ name }) => name));
  for (const answer of answers) {
    assert.deepEqual(
      Object.keys(answer).filter((field) => !fields.includes(field)),
      [],
    );
    assert.ok(known.has(answer.promptId));
    assert.ok(names.has(answer.provider));
    assert.match(answer.answeredAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.equal(typeof answer.text, answer.outcome === "answered" ? "string" : "undefined");
    assert.equal(answer.citations === undefined, answer.outcome !== "answered");
    for (const citation of answer.citations ?? []) {
      assert.match(citation.url, /^https?:\/\/([a-z0-9-]+\.)+example\//);
      assert.ok(URL.canParse(citation.url) && citation.title.length > 0);
    }
  }
});

test("an answer lists 3 to 8 pages and cites at least one", () => {
  for (const { citations } of answers) {
    if (citations === undefined) continue;
    assert.ok(citations.length >= 3 && citations.length <= 8);
    assert.ok(citations.some(({ cited }) => cited !== false));
  }
});

test("the texts are one to one and a half kilobytes on average", () => {
  const texts = answers.flatMap(({ text }) => text ?? []);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / texts.length;
  assert.ok(bytes > 1_000 && bytes < 1_500, `${bytes} bytes`);
});

test("a year that ends on another day has the same answers, shifted by whole days", () => {
  const later = [...demoAnswers("2028-02-29")];
  assert.equal(later[0]?.answeredAt.slice(0, 10), "2027-03-02");
  assert.equal(later.at(-1)?.answeredAt.slice(0, 10), "2028-02-29");
  const shiftMs = Date.UTC(2028, 1, 29) - Date.UTC(2026, 9, 31);
  const shifted = answers.map((answer) => {
    const instant = new Date(Date.parse(answer.answeredAt) + shiftMs).toISOString();
    return { ...answer, answeredAt: `${instant.slice(0, 19)}Z` };
  });
  assert.deepEqual(later, shifted);
});

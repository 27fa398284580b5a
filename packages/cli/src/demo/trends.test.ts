import assert from "node:assert/strict";
import { test } from "node:test";
import { type DemoAnswer, demoAnswers } from "./demo-answers.ts";
import { prompts } from "./prompts.ts";

// What a reader should find in the charts, measured as plainly as possible: a name's letters in the
// text, whatever stands around them, and a host's letters among the cited addresses.

const answers = [...demoAnswers()].filter(({ outcome }) => outcome === "answered");
const promptOf = new Map(prompts.map((prompt) => [prompt.id, prompt]));
const topicOf = ({ promptId }: DemoAnswer) => promptOf.get(promptId)?.topic;
const isBranded = ({ promptId }: DemoAnswer) => promptOf.get(promptId)?.branded === true;

type Test = (answer: DemoAnswer) => boolean;
const within =
  (from: string, to: string): Test =>
  (answer) =>
    answer.answeredAt >= from && answer.answeredAt < to;
const november = within("2025-11", "2025-12");
const january = within("2026-01", "2026-02");
const july = within("2026-07", "2026-08");
const october = within("2026-10", "2026-11");
const names =
  (name: string): Test =>
  (answer) =>
    answer.text?.includes(name) === true;
const cites =
  (host: string): Test =>
  (answer) =>
    answer.citations?.some(({ url, cited }) => cited !== false && url.includes(host)) === true;

function rate(of: Test, ...among: readonly Test[]): number {
  const chosen = answers.filter((answer) => among.every((holds) => holds(answer)));
  assert.ok(chosen.length > 0, "a rate needs answers");
  return chosen.filter(of).length / chosen.length;
}

test("the brand rises slowly, also outside the launch's topic", () => {
  const elsewhere: Test = (answer) => topicOf(answer) !== "Tents" && !isBranded(answer);
  const [before, after] = [november, october].map((month) =>
    rate(names("Tarnfell"), month, elsewhere),
  );
  assert.ok((after ?? 0) > (before ?? 1) + 0.08, `${before} to ${after}`);
});

test("the launch in April 2026 lifts the brand's mentions and citations in its topic", () => {
  const tents: Test = (answer) => topicOf(answer) === "Tents";
  const march = within("2026-03", "2026-04");
  const april = within("2026-04", "2026-05");
  for (const seen of [names("Tarnfell"), cites("tarnfell.example")]) {
    assert.ok(rate(seen, april, tents) > rate(seen, march, tents) + 0.15);
  }
  assert.equal(rate(cites("skerry.tarnfell.example"), within("2025-11", "2026-04-07")), 0);
});

test("Stonewhit & Pike declines, and the brand overtakes it", () => {
  assert.ok(rate(names("Stonewhit"), november) > rate(names("Stonewhit"), october) + 0.2);
  assert.ok(rate(names("Stonewhit"), november) > rate(names("Tarnfell"), november) + 0.2);
  assert.ok(rate(names("Stonewhit"), october) < rate(names("Tarnfell"), october) - 0.1);
});

test("Höhenbrandt is strong in Germany, Éclivaux in France", () => {
  const inRegion =
    (region: string): Test =>
    (answer) =>
      answer.region === region;
  assert.ok(
    rate(names("henbrandt"), inRegion("DE")) > 2.5 * rate(names("henbrandt"), inRegion("FR")),
  );
  assert.ok(rate(names("clivaux"), inRegion("FR")) > 2 * rate(names("clivaux"), inRegion("DE")));
});

test("Quillmarsh has its season in winter, the brand in summer", () => {
  assert.ok(rate(names("Quillmarsh"), january) > 2 * rate(names("Quillmarsh"), july));
});

test("Osierline is a measured zero in France and most topics; the word osier is not", () => {
  const inFrance: Test = (answer) => answer.region === "FR";
  assert.equal(rate(names("Osier"), inFrance), 0);
  assert.equal(
    rate(names("Osier"), (answer) => topicOf(answer) === "Headlamps"),
    0,
  );
  assert.ok(rate(names("Osier")) > 0.005);
  assert.ok(rate(names("osier basket"), inFrance) > 0.01);
});

test("Perplexity cites the brand more often than it mentions it, Anthropic far less", () => {
  const of =
    (provider: string): Test =>
    (answer) =>
      answer.provider === provider;
  const host = cites("tarnfell.example");
  const text: Test = (answer) => /Tarnfell|Skerry/.test(answer.text ?? "");
  assert.ok(rate(host, of("PERPLEXITY")) > rate(text, of("PERPLEXITY")));
  assert.ok(rate(host, of("ANTHROPIC")) < 0.5 * rate(text, of("ANTHROPIC")));
});

test("branded prompts nearly always mention the brand", () => {
  const mentions = rate(names("arnfell"), isBranded);
  assert.ok(mentions > 0.85 && mentions < 1, `${mentions}`);
});

test("Google shows more overviews at the end of the year than at its beginning", () => {
  const absent = [...demoAnswers()].filter(({ outcome }) => outcome === "absent");
  assert.ok(absent.filter(november).length > 1.5 * absent.filter(october).length);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogueOf } from "./catalogue.ts";
import { type GeneratedAnswer, generate } from "./generate.ts";
import { scaled, type Workload, workloads } from "./workload.ts";

const small = scaled(workloads.S, 0.05);
const medium = scaled(workloads.M, 0.02);

function answersOf(workload: Workload): readonly GeneratedAnswer[] {
  return [...generate(workload)].flat();
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Entities that are mentioned, cited or both. */
function visible({ mentions, citedEntities }: GeneratedAnswer): number {
  return new Set([...mentions, ...citedEntities]).size;
}

test("the same workload gives the same answers, however they are batched", () => {
  assert.deepEqual([...generate(small, 700)].flat(), answersOf(small));
});

test("another seed gives other answers", () => {
  const other = answersOf({ ...small, seed: small.seed + 1 });
  assert.notDeepEqual(other.slice(0, 3), answersOf(small).slice(0, 3));
});

test("answers come one by one in the order of time, from the first day to the last", () => {
  const instants = answersOf(small).map(({ answeredAt }) => answeredAt);
  assert.equal(instants.length, small.answers);
  assert.deepEqual(
    instants,
    instants.toSorted((a, b) => a - b),
  );
  const hour = 3_600_000;
  assert.ok((instants[0] ?? 0) >= small.fromMs && (instants[0] ?? 0) < small.fromMs + hour);
  assert.ok((instants.at(-1) ?? 0) < small.toMs && (instants.at(-1) ?? 0) >= small.toMs - hour);
});

test("S has the figures that are published: entities, citations, domains, pages", () => {
  const answers = answersOf(workloads.S);
  assert.ok(Math.abs(mean(answers.map(visible)) / (566_908 / 51_700) - 1) < 0.01);
  const citations = answers.flatMap((answer) => answer.citations);
  assert.ok(Math.abs(citations.length / answers.length / (744_302 / 51_700) - 1) < 0.01);
  assert.equal(new Set(citations.map(({ url }) => url)).size, workloads.S.urls);
  assert.equal(new Set(citations.map(({ domain }) => domain)).size, workloads.S.domains);
});

test("M has 3.5 visible entities and 5 citations an answer, all prompts and providers", () => {
  const answers = answersOf(medium);
  assert.ok(Math.abs(mean(answers.map(visible)) / 3.5 - 1) < 0.03);
  assert.ok(Math.abs(mean(answers.map(({ citations }) => citations.length)) / 5 - 1) < 0.02);
  const distinct = (values: readonly unknown[]) => new Set(values).size;
  assert.deepEqual(
    {
      prompts: distinct(answers.map(({ prompt }) => prompt)) > 980,
      providers: distinct(answers.map(({ provider }) => provider)),
      regionsAndNone: distinct(answers.map(({ region }) => region)),
    },
    { prompts: true, providers: 8, regionsAndNone: 7 },
  );
});

test("an answer names each entity and page once; who is cited follows from the pages", () => {
  const { entities } = catalogueOf(small);
  for (const { mentions, citedEntities, citations } of answersOf(small)) {
    assert.equal(new Set(mentions).size, mentions.length);
    assert.equal(new Set(citations).size, citations.length);
    const owners = entities.flatMap(({ domain }, number) =>
      citations.some((page) => page.domain === domain) ? [number] : [],
    );
    assert.deepEqual(citedEntities, owners);
  }
});

test("a fifth of the prompts is branded, in every topic", () => {
  const { prompts, topics } = catalogueOf(workloads.M);
  const branded = prompts.filter((prompt) => prompt.branded);
  assert.equal(branded.length, prompts.length / 5);
  assert.equal(new Set(branded.map(({ topic }) => topic)).size, topics.length);
});

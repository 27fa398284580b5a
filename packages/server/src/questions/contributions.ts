import { type InsightsChangesResponse, isPortrayalFlag } from "@sightline/contract";
import { type DomainHits, type PromptSums, planDomainHits } from "../facts/plan/insight-plans.ts";
import type { PlanUsed } from "../facts/plan/plan.ts";
import {
  type ChangesQuestion,
  type Selection,
  type SummaryQuestion,
  tooManySums,
} from "../facts/plan/question.ts";
import { emptyPart } from "./account-views.ts";
import {
  comparedPart,
  factsPart,
  type Measured,
  type Reading,
  readGroups,
  readSide,
  type SummarySide,
} from "./reading.ts";
import { type Contribution, contributionsOf, sharedHits } from "./statistics/contributions.ts";
import type { Cluster } from "./statistics/moments.ts";
import { type Change, Changes, judgingOf, noChange } from "./statistics/verdicts.ts";
import type { Sides } from "./summary/comparison.ts";
import { groupCounts } from "./summary/group-counts.ts";
import { groupSides, readSummary, type SummaryFacts } from "./summary/summary.ts";
import { addChange, clusterOf } from "./summary/summary-metrics.ts";

/** What the facts say to a question for what a change consists of. */
export interface ChangesFacts {
  /** Of the whole change. */
  readonly summary: SummaryFacts;
  /** Null: the entity is not tracked. */
  readonly entity: number | null;
  /** Sums by what the change is divided by; null: by cited domain. */
  readonly sums: Sides<readonly PromptSums[]> | null;
  /** Null: not by cited domain. */
  readonly domains: Sides<readonly DomainHits[]> | null;
  /** The tags among which a prompt's answers are divided; null: sums are by what it is. */
  readonly tagsOf: ((prompt: number) => readonly number[]) | null;
  /** What a group's number stands for. */
  readonly keyOf: (group: number) => string | null;
  readonly used: PlanUsed;
}

/** The whole change, as a summary's only one. */
function wholeQuestion({ entityId, ...question }: ChangesQuestion): SummaryQuestion {
  return {
    ...question,
    groupBy: "none",
    entityIds: [entityId],
    withStability: false,
    withTrend: false,
    withExtraction: false,
    withPortrayal: isPortrayalFlag(question.metric),
  };
}

/** What the facts say to a question for what a change consists of. */
export async function readChanges(
  reading: Reading,
  question: ChangesQuestion,
): Promise<ChangesFacts> {
  const { by, selection, compare } = question;
  const place = reading.view.entities.findIndex(({ id }) => id === question.entityId);
  const entity = place === -1 ? null : place + 1;
  if (by === "domain") {
    const summary = await readSummary(reading, wholeQuestion(question));
    const hits = (side: Selection) => readDomains(reading, side, { ...question, entity });
    const domains = { before: await hits(compare), after: await hits(selection) };
    const nothing = { sums: null, tagsOf: null, keyOf: () => null };
    return { summary, entity, used: summary.used, domains, ...nothing };
  }
  const listed = entity === null ? [] : [entity];
  const { groupBy, keyOf, tagsOf } = await readDivision(reading, question);
  const withPortrayal = isPortrayalFlag(question.metric);
  const of = { groupBy, listed, byWeek: false, withPortrayal };
  const before = await readSide(reading, compare, of);
  const after = await readSide(reading, selection, of);
  // The whole is its parts together: it is not read by itself.
  const known = { before: together(before), after: together(after) };
  const summary = await readSummary(reading, wholeQuestion(question), { known });
  const sums = { before: before.sums, after: after.sums };
  return { summary, entity, used: summary.used, sums, domains: null, tagsOf, keyOf };
}

/** The sums of all groups as those of one. */
function together(side: SummarySide): SummarySide {
  return { ...side, sums: side.sums.map((each) => ({ ...each, group: 0 })) };
}

/** By tag, sums are by prompt: a prompt's are divided among its tags. */
async function readDivision(reading: Reading, { by, selection, compare }: ChangesQuestion) {
  if (by === "domain") throw new Error("domains are read by themselves");
  const { groupBy, keyOf } = await readGroups(reading, by, [compare, selection]);
  if (by !== "tag") return { groupBy, keyOf, tagsOf: null };
  const { tagsOf = () => [] } = reading.view.facts?.tags ?? {};
  return { groupBy: "prompt" as const, keyOf, tagsOf };
}

async function readDomains(
  { engine, accountId, view: { facts }, signal }: Reading,
  selection: Selection,
  { entity, metric }: Pick<ChangesQuestion, "metric"> & Pick<ChangesFacts, "entity">,
): Promise<readonly DomainHits[]> {
  const of = entity === null ? null : { entity, metric };
  const plan = of && facts && planDomainHits(selection, of, facts.codes);
  if (facts === null || plan === null) return [];
  const hits = await engine.domainHits(accountId, { generation: facts.generation, plan }, signal);
  if (hits.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  return hits;
}

/** A part of a change: its key, and what it is called. */
interface NamedPart {
  readonly key: string | null;
  readonly name: string;
}

const nothing: SummarySide = { sums: [], answers: 0, empty: null };

/** The parts of a change, by number. */
type PartNames = (groups: readonly number[]) => ReadonlyMap<number, NamedPart>;

/** The reply to a question for what a change consists of, as JSON. */
export function* changesJson(
  question: ChangesQuestion,
  facts: Measured<ChangesFacts>,
  named: PartNames,
): Generator<void, Buffer, void> {
  const { metric, by, compare, limit } = question;
  const change = yield* wholeChange(question, facts);
  const parts = change.value === null ? [] : yield* partsOf(question, facts, named);
  const sorted = parts.toSorted(
    (a, b) => Math.abs(b.value) - Math.abs(a.value) || (a.key.name < b.key.name ? -1 : 1),
  );
  const side = ({ numerator, denominator }: Cluster) => {
    return { value: denominator === 0 ? null : numerator / denominator, numerator, denominator };
  };
  const { summary } = facts;
  const reply: InsightsChangesResponse = {
    metric,
    by,
    value: change.value,
    parts: change.parts,
    change: change as InsightsChangesResponse["change"],
    contributions: sorted.slice(0, limit).map(({ key, before, after, ...values }) => {
      return { ...key, ...values, before: side(before), after: side(after) };
    }),
    rest: restOf(sorted.slice(limit), by === "domain"),
    empty: emptyPart(summary.empty),
    ...factsPart(facts.measured?.own),
    compare: comparedPart(compare, summary.compared?.sides.before ?? nothing, {
      discontinuity: summary.discontinuity,
      measured: facts.measured,
    }),
  };
  return Buffer.from(JSON.stringify(reply));

  function restOf(rest: readonly Contribution<NamedPart>[], isOfWhole: boolean) {
    const sum = (of: (each: Contribution<NamedPart>) => number) =>
      rest.reduce((total, each) => total + of(each), 0);
    const sideOf = (of: (each: Contribution<NamedPart>) => Cluster) => {
      const denominators = isOfWhole
        ? rest[0] === undefined
          ? 0
          : of(rest[0]).denominator
        : sum((each) => of(each).denominator);
      return side({
        numerator: sum((each) => of(each).numerator),
        denominator: denominators,
      });
    };
    return {
      contributions: rest.length,
      value: sum(({ value }) => value),
      within: sum(({ within }) => within),
      mix: sum(({ mix }) => mix),
      before: sideOf(({ before }) => before),
      after: sideOf(({ after }) => after),
    };
  }
}

/** The most bytes that a reply takes, nearly: of long texts of prompts. */
export function changesBytesMax({ limit }: ChangesQuestion): number {
  return 2_000 + limit * 3_000;
}

function* wholeChange(
  question: ChangesQuestion,
  { summary, entity }: ChangesFacts,
): Generator<void, Change, void> {
  const sides = (yield* groupSides(summary)).get(0);
  if (sides === undefined || entity === null) return noChange;
  const changes = new Changes(judgingOf([question.selection, question.compare], question));
  addChange(question.metric, entity, { sides, changes });
  return changes.judged().changes[0] ?? noChange;
}

function* partsOf(
  question: ChangesQuestion,
  { sums, domains, tagsOf, entity, summary }: ChangesFacts,
  named: PartNames,
): Generator<void, readonly Contribution<NamedPart>[], void> {
  if (entity === null) return [];
  const { metric } = question;
  if (domains !== null) {
    const before = yield* totalOf(summary.compared?.sides.before.sums ?? [], { metric, entity });
    return domainParts(domains, {
      before,
      after: yield* totalOf(summary.sums, { metric, entity }),
    });
  }
  const totals = { before: sums?.before ?? [], after: sums?.after ?? [] };
  const before = divided(yield* groupTotals(totals.before, { metric, entity }), tagsOf);
  const after = divided(yield* groupTotals(totals.after, { metric, entity }), tagsOf);
  const names = named([...new Set([...before.keys(), ...after.keys()])]);
  return (contributionsOf(before, after) ?? []).map(({ key, ...rest }) => {
    return { ...rest, key: names.get(key) ?? { key: null, name: "" } };
  });
}

interface Counted {
  readonly metric: ChangesQuestion["metric"];
  readonly entity: number;
}

function* groupTotals(
  sums: readonly PromptSums[],
  { metric, entity }: Counted,
): Generator<void, ReadonlyMap<number, Cluster>, void> {
  const groups = yield* groupCounts(sums);
  return new Map(
    [...groups].map(([group, prompts]) => {
      let [numerator, denominator] = [0, 0];
      for (const counts of prompts.values()) {
        const own = clusterOf(metric, entity, counts);
        numerator += own.numerator;
        denominator += own.denominator;
      }
      return [group, { numerator, denominator }];
    }),
  );
}

/** Of a prompt with q tags, each gets 1/q: so the parts add up, though tags overlap. */
function divided(
  prompts: ReadonlyMap<number, Cluster>,
  tagsOf: ChangesFacts["tagsOf"],
): ReadonlyMap<number, Cluster> {
  if (tagsOf === null) return prompts;
  const tags = new Map<number, Cluster>();
  // In one order, so that rounding is the same whatever the order of the rows.
  for (const [prompt, own] of [...prompts].toSorted(([a], [b]) => a - b)) {
    const sharing = tagsOf(prompt);
    for (const tag of sharing) {
      const { numerator, denominator } = tags.get(tag) ?? { numerator: 0, denominator: 0 };
      tags.set(tag, {
        numerator: numerator + own.numerator / sharing.length,
        denominator: denominator + own.denominator / sharing.length,
      });
    }
  }
  return tags;
}

function* totalOf(sums: readonly PromptSums[], of: Counted): Generator<void, Cluster, void> {
  return (yield* groupTotals(sums, of)).get(0) ?? { numerator: 0, denominator: 0 };
}

const nothingCited: NamedPart = { key: null, name: "No citation" };

/** The parts of a rate by cited domain: each side's denominator is that of the whole. */
function domainParts(
  { before, after }: Sides<readonly DomainHits[]>,
  whole: Sides<Cluster>,
): readonly Contribution<NamedPart>[] {
  const [first, second] = [
    withUncited(before, whole.before.numerator),
    withUncited(after, whole.after.numerator),
  ];
  return [...new Set([...first.keys(), ...second.keys()])].map((domain) => {
    const one = { ...whole.before, numerator: first.get(domain) ?? 0 };
    const two = { ...whole.after, numerator: second.get(domain) ?? 0 };
    const value = two.numerator / two.denominator - one.numerator / one.denominator;
    const key = domain === null ? nothingCited : { key: domain, name: domain };
    return { key, value, within: value, mix: 0, before: one, after: two };
  });
}

/** What each domain gets of the hits; null: those that cite nothing. */
function withUncited(
  rows: readonly DomainHits[],
  hits: number,
): ReadonlyMap<string | null, number> {
  const cited = new Map<number, number>();
  for (const { domains, hits: own } of rows) cited.set(domains, (cited.get(domains) ?? 0) + own);
  // Each hit that cites q domains is in q rows.
  const citing = [...cited].reduce((sum, [domains, own]) => sum + own / domains, 0);
  const none = { key: null, domains: 1, hits: hits - Math.round(citing) };
  return sharedHits<string | null>([
    ...rows.map(({ domain, ...row }) => ({ ...row, key: domain })),
    ...(none.hits > 0 ? [none] : []),
  ]);
}

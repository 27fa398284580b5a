import { type InsightsSummaryResponse, stabilityPairsMin } from "@sightline/contract";
import { groupKeys } from "../../facts/codes.ts";
import {
  type AlikePairs,
  type GroupCounts,
  groupCounts,
  groupsOf,
  planPromptSums,
  planStability,
} from "../../facts/plan/insight-plans.ts";
import { noPlan, type PlanUsed, usedBy } from "../../facts/plan/plan.ts";
import { checkEntries, type Selection, type SummaryQuestion } from "../../facts/plan/question.ts";
import type { SeriesEntity } from "../../facts/plan/series.ts";
import { emptyPart } from "../account-views.ts";
import { Changes, judgingOf } from "../changes/changes.ts";
import { type Estimate, estimateOf, flagsOf } from "../changes/clusters.ts";
import {
  comparedPart,
  continuous,
  type Discontinuity,
  type Grouped,
  type Reading,
  readDiscontinuity,
  readSide,
  type SummarySide,
} from "../reading.ts";
import {
  informativeMoments,
  type Pending,
  type PendingValues,
  sidesOf,
  summaryMetrics,
  valuesOf,
} from "./summary-metrics.ts";

/** An entity that a summary lists. */
interface ListedEntity extends SeriesEntity {
  /** Its place in the series, from 1. */
  readonly number: number;
}

/** What the facts say to a summary. */
export interface SummaryFacts extends SummarySide {
  /** Those that are listed, in the order of the series. */
  readonly entities: readonly ListedEntity[];
  /** Null: nothing is compared. */
  readonly compared: SummarySide | null;
  /** What a group's number stands for; null: nothing, as without a grouping. */
  readonly keyOf: (group: number) => string | null;
  /** Of the comparison; nothing without one. */
  readonly discontinuity: Discontinuity;
  /** Null: it was not asked for. */
  readonly stability: ReadonlyMap<number, Stability> | null;
  readonly used: PlanUsed;
}

/** What the facts say to a summary. @throws ServiceError invalid_request when it is too large. */
export async function readSummary(
  reading: Reading,
  { groupBy, selection, entityIds, compare, withStability }: SummaryQuestion,
): Promise<SummaryFacts> {
  const { facts } = reading.view;
  const grouped = groupBy === "none" ? null : groupBy;
  const entities = listedEntities(reading.view.entities, entityIds);
  const listed = entityIds && entities.map(({ number }) => number);
  const of = { groupBy: grouped, listed };
  const own = await readSide(reading, selection, of);
  const compared = compare && (await readSide(reading, compare, of));
  checkEntries(groupsOf(own.sums, compared?.sums ?? []).size, entities.length);
  const plan = facts && planPromptSums(selection, of, facts.codes);
  return {
    ...own,
    entities,
    compared,
    discontinuity: compare
      ? await readDiscontinuity(reading, { selection, compare }, grouped)
      : continuous,
    stability: withStability ? stabilityOf(await readStability(reading, selection, grouped)) : null,
    keyOf: groupKeys(groupBy, facts?.snapshot ?? null),
    used: plan === null ? noPlan : usedBy(plan),
  };
}

/** As anywhere, an id that the account does not have matches nothing. */
function listedEntities(
  entities: readonly SeriesEntity[],
  entityIds: readonly string[] | null,
): readonly ListedEntity[] {
  const wanted = entityIds && new Set(entityIds);
  const numbered = entities.map((entity, place) => ({ ...entity, number: place + 1 }));
  return wanted === null ? numbered : numbered.filter(({ id }) => wanted.has(id));
}

async function readStability(
  { engine, accountId, view: { facts }, signal }: Reading,
  selection: Selection,
  groupBy: Grouped,
): Promise<readonly AlikePairs[]> {
  const plan = facts && planStability(selection, groupBy, facts.codes);
  if (facts === null || plan === null) return [];
  return engine.stability(accountId, { generation: facts.generation, plan }, signal);
}

/** A group of a reply: its number in the facts, and what it is called. */
export interface NamedGroup {
  readonly number: number;
  readonly key: string | null;
  readonly name: string;
}

type Group = InsightsSummaryResponse["groups"][number];
type Value = Group["informative"];

interface PendingEntity extends SeriesEntity {
  readonly values: PendingValues;
}

interface PendingGroup extends NamedGroup {
  readonly counts: GroupCounts;
  readonly entities: readonly PendingEntity[];
}

/**
 * The reply to a summary, as JSON; the groups in the order given. It can be paused after each
 * value.
 */
export function* summaryJson(
  question: SummaryQuestion,
  facts: SummaryFacts,
  named: (groups: readonly number[]) => readonly NamedGroup[],
): Generator<void, Buffer, void> {
  const { groupBy, selection, compare, threshold } = question;
  const after = yield* groupCounts(facts.sums);
  const before = facts.compared && (yield* groupCounts(facts.compared.sums));
  const changes = new Changes(judgingOf([selection, compare ?? selection], threshold));
  const pending: PendingGroup[] = [];
  for (const group of named([...new Set([...after.keys(), ...(before?.keys() ?? [])])])) {
    const counts = after.get(group.number) ?? none;
    const sides = sidesOf(
      counts,
      before && (before.get(group.number) ?? none),
      !facts.discontinuity.groups.has(group.number),
    );
    const entities: PendingEntity[] = [];
    for (const entity of facts.entities) {
      entities.push({ ...entity, values: yield* valuesOf(entity.number, sides, changes) });
    }
    pending.push({ ...group, counts, entities });
  }
  const judged = changes.judged();
  const chunks = [Buffer.from(`{"groupBy":"${groupBy}","groups":[`)];
  for (const [place, group] of pending.entries()) {
    const json = JSON.stringify(groupPart(group, judged.changes, facts.stability));
    chunks.push(Buffer.from(place === 0 ? json : `,${json}`));
    yield;
  }
  const rest = {
    tests: judged.tests,
    empty: emptyPart(facts.empty),
    ...(facts.compared === null
      ? {}
      : { compare: comparedPart(compare ?? selection, facts.compared, facts.discontinuity) }),
  };
  return Buffer.concat([...chunks, Buffer.from(`],${JSON.stringify(rest).slice(1)}`)]);
}

/** A value, nearly the longest. */
const longestValue =
  '"shareOfVoice":{"value":0.12345678901234567,"numerator":1000000,"denominator":1000000,' +
  '"interval":{"low":0.12345678901234567,"high":0.12345678901234567},"flags":["exploratory"]},';
const longestChange =
  '"change":{"value":-0.12345678901234567,"interval":{"low":-0.12345678901234567,"high":' +
  '0.12345678901234567},"p":0.12345678901234567,"adjustedP":0.12345678901234567,' +
  '"verdict":"within-noise"},';

/** The most bytes that a reply takes, nearly. */
export function summaryBytesMax({ sums, compared, entities }: SummaryFacts): number {
  const groups = groupsOf(sums, compared?.sums ?? []).size;
  const value = longestValue.length + (compared === null ? 0 : longestChange.length);
  return groups * (entities.length + 1) * summaryMetrics.length * value;
}

const none: GroupCounts = new Map();

type Judged = ReturnType<Changes["judged"]>["changes"];

function groupPart(
  { number, key, name, counts, entities }: PendingGroup,
  changes: Judged,
  stability: SummaryFacts["stability"],
): Group {
  const informative = estimateOf(informativeMoments([...counts.values()]), "rate");
  const { denominator: answers, prompts } = informative;
  return {
    key,
    name,
    answers,
    prompts,
    lastAnsweredAt: answers === 0 ? null : lastOf(counts),
    informative: valuePart(informative),
    flags: [...flagsOf(prompts, null)],
    ...(stability === null ? {} : { stability: stability.get(number) ?? noStability }),
    entities: entities.map(({ id, name: called, values }) => {
      const part = ({ estimate: own, change }: Pending) =>
        valuePart(own, change === null ? undefined : changes[change]);
      const { mentions, visibility, citations, rank, shareOfVoice } = values;
      return {
        id,
        name: called,
        mentions: part(mentions),
        visibility: part(visibility),
        citations: part(citations),
        rank: part(rank),
        shareOfVoice: part(shareOfVoice),
      };
    }),
  };
}

function lastOf(counts: GroupCounts): string {
  let last = Number.NEGATIVE_INFINITY;
  for (const { lastMs } of counts.values()) last = Math.max(last, lastMs);
  return new Date(last).toISOString();
}

function valuePart(
  { value, numerator, denominator, interval, flags }: Estimate,
  change?: Judged[number],
): Value {
  // Some ten thousand values of a reply share their lists of flags.
  const own = { value, numerator, denominator, interval, flags: flags as Value["flags"] };
  return change === undefined ? own : { ...own, change };
}

/** How alike the cited domains of a group's consecutive answers are. */
interface Stability {
  /** Null: too few pairs. */
  readonly value: number | null;
  readonly pairs: number;
}

/** The stability of each group that has pairs. Rows may come in any order, in several parts. */
function stabilityOf(rows: readonly AlikePairs[]): ReadonlyMap<number, Stability> {
  const sums = new Map<number, { likeness: number; pairs: number }>();
  // In one order, so that rounding is the same on every engine.
  const ordered = rows.toSorted((a, b) => a.either - b.either || a.shared - b.shared);
  for (const { group, shared, either, pairs } of ordered) {
    const own = sums.get(group) ?? { likeness: 0, pairs: 0 };
    own.likeness += (pairs * shared) / either;
    own.pairs += pairs;
    sums.set(group, own);
  }
  return new Map([...sums].map(([group, { likeness, pairs }]) => [group, mean(likeness, pairs)]));
}

/** Of a group without pairs. */
const noStability: Stability = { value: null, pairs: 0 };

function mean(likeness: number, pairs: number): Stability {
  return { value: pairs < stabilityPairsMin ? null : likeness / pairs, pairs };
}

import type { InsightsSummaryResponse } from "@sightline/contract";
import type { PlanUsed } from "../../facts/plan/plan.ts";
import { type GroupCounts, groupCounts, groupsOf, type PromptSums } from "../../facts/plan/insight-plans.ts";
import type { Selection, SummaryQuestion } from "../../facts/plan/question.ts";
import type { SeriesEntity } from "../../facts/plan/series.ts";
import { Changes, judgingOf } from "../changes/changes.ts";
import type { Discontinuity } from "../discontinuity.ts";
import { type Emptiness, emptyPart } from "../account-views.ts";
import { type Estimate, estimateOf, flagsOf } from "../changes/clusters.ts";
import { noStability, type Stability } from "./stability.ts";
import { informativeMoments, summaryMetrics, type Pending, type PendingValues, sidesOf, valuesOf } from "./summary-metrics.ts";

/** What the facts say of one side of a summary. */
export interface SummarySide {
  readonly sums: readonly PromptSums[];
  /** Null: there is something to say. */
  readonly empty: Emptiness | null;
}

/** An entity that a summary lists. */
export interface ListedEntity extends SeriesEntity {
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
const valueMost =
  '"shareOfVoice":{"value":0.12345678901234567,"numerator":1000000,"denominator":1000000,' +
  '"interval":{"low":0.12345678901234567,"high":0.12345678901234567},"flags":["exploratory"]},';
const changeMost =
  '"change":{"value":-0.12345678901234567,"interval":{"low":-0.12345678901234567,"high":' +
  '0.12345678901234567},"p":0.12345678901234567,"adjustedP":0.12345678901234567,' +
  '"verdict":"within-noise"},';

/** The most bytes that a reply takes, nearly. */
export function summaryBytesMost({ sums, compared, entities }: SummaryFacts): number {
  const groups = groupsOf(sums, compared?.sums ?? []).size;
  const value = valueMost.length + (compared === null ? 0 : changeMost.length);
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

/** The part of a reply about what it is compared with. */
export function comparedPart(
  { fromMs, toMs }: Selection,
  { sums, empty }: SummarySide,
  { providers }: Discontinuity,
) {
  const answers = sums.filter(({ entity }) => entity === 0);
  const [from = "", to = ""] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return {
    timeRange: { from, to },
    answers: answers.reduce((sum, { mentioned }) => sum + mentioned, 0),
    prompts: new Set(answers.map(({ prompt }) => prompt)).size,
    empty: emptyPart(empty),
    discontinuous: [...providers],
  };
}

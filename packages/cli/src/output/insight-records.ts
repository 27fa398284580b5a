import type {
  CitationLifeResponse,
  InsightsChangesResponse,
  InsightsPlanResponse,
  InsightsPresenceResponse,
  InsightsSourcesResponse,
  InsightsSummaryResponse,
  SearchQueriesResponse,
  UntrackedNamesResponse,
} from "@sightline/client";
import { presenceWays } from "@sightline/contract";
import type { Fields } from "./records.ts";

type Group = InsightsSummaryResponse["groups"][number];

/** The values of an entity in a summary, in the order in which they are printed. */
export const summaryMetrics = [
  "mentions",
  "visibility",
  "citations",
  "rank",
  "shareOfVoice",
] as const;

type Value = Group["entities"][number]["mentions"];

/** The columns of a change: the whole, its parts, and how sure the like-for-like part is. */
export const changeFields = [
  ...["change", "likeForLike", "mix", "promptsAdded", "promptsRemoved"],
  ...["changePrompts", "changeLow", "changeHigh", "p", "adjustedP", "verdict", "changeFlags"],
  ...["continuing", "continuingLow", "continuingHigh", "continuingP", "continuingVerdict"],
] as const;

/** The columns of the range that a reply compares with; `compareTo` is not included. */
export const comparedFields = ["compareFrom", "compareTo"] as const;

/** The columns of what labels say of a value. */
const labelledFields = [
  ...["labelled", "labelledPrompts", "missed", "wrong", "precision", "recall", "kappa"],
  ...["labelledValue", "labelledLow", "labelledHigh"],
] as const;

/** The columns of a summary's records. */
export const summaryFields = [
  ...["group", "groupName", "answers", "prompts", "id", "name", "metric"],
  ...["value", "numerator", "denominator", "effectivePrompts", "low", "high", "flags"],
  ...changeFields,
  ...["stability", "stabilityPairs"],
  ...comparedFields,
  ...["trendSlope", "trendWeeks", "trendFrom", "trendPrompts", "trendLow", "trendHigh"],
  ...["trendP", "trendAdjustedP", "trendVerdict"],
  ...labelledFields,
] as const;

/** The columns of the records of how answers speak of entities. */
export const portrayalFields = [
  ...["group", "groupName", "answers", "prompts", "id", "name", "metric"],
  ...["value", "numerator", "denominator", "effectivePrompts", "low", "high", "flags"],
  ...changeFields,
  ...["reader", "readerVersion", "languages", "unread"],
  ...comparedFields,
  ...labelledFields,
] as const;

/** An entity, and how answers speak of it. */
export interface Portrayed {
  readonly id: string;
  readonly name: string;
  readonly portrayal: NonNullable<Group["entities"][number]["portrayal"]>;
}

/** The entities of a group with how answers speak of them. */
export function portrayedIn({ entities }: Pick<Group, "entities">): readonly Portrayed[] {
  return entities.flatMap(({ id, name, portrayal }) =>
    portrayal === undefined ? [] : [{ id, name, portrayal }],
  );
}

/** A record for each value: by group, entity, and metric. */
export function* summaryRecords({ groups, compare }: InsightsSummaryResponse): Generator<Fields> {
  const compared = comparedRecord(compare);
  for (const { key, name: groupName, answers, prompts, entities, stability } of groups) {
    const alike = {
      stability: stability?.value ?? null,
      stabilityPairs: stability?.pairs ?? null,
    };
    for (const { id, name, portrayal: _, ...values } of entities) {
      for (const metric of summaryMetrics) {
        const group = { group: key, groupName, answers, prompts };
        yield { ...group, id, name, metric, ...valueFields(values[metric]), ...alike, ...compared };
      }
    }
  }
}

/** The fields of a value, with its change, trend and labels. */
export function valueFields({
  interval,
  flags,
  change,
  trend,
  extraction,
  ...value
}: Value): Fields {
  return {
    ...value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    flags: flags.join(" "),
    ...changesOf(change),
    ...trendOf(trend),
    ...extractionOf(extraction),
  };
}

/** All null: none was asked for, or there are too few weeks. */
function trendOf(trend: Value["trend"]): Fields {
  return {
    trendSlope: trend?.slope ?? null,
    trendWeeks: trend?.weeks ?? null,
    trendFrom: trend?.from ?? null,
    trendPrompts: trend?.effectivePrompts ?? null,
    trendLow: trend?.interval?.low ?? null,
    trendHigh: trend?.interval?.high ?? null,
    trendP: trend?.p ?? null,
    trendAdjustedP: trend?.adjustedP ?? null,
    trendVerdict: trend?.verdict ?? null,
  };
}

function extractionOf(extraction: Value["extraction"]): Fields {
  return {
    labelled: extraction?.labelled ?? null,
    labelledPrompts: extraction?.labelledPrompts ?? null,
    missed: extraction?.missed ?? null,
    wrong: extraction?.wrong ?? null,
    precision: extraction?.precision ?? null,
    recall: extraction?.recall ?? null,
    kappa: extraction?.kappa ?? null,
    labelledValue: extraction?.value ?? null,
    labelledLow: extraction?.interval?.low ?? null,
    labelledHigh: extraction?.interval?.high ?? null,
  };
}

/** The fields of the range that a reply compares with. */
export function comparedRecord(compare: InsightsSummaryResponse["compare"]): Fields {
  const { from, to } = compare?.timeRange ?? {};
  return { compareFrom: from ?? null, compareTo: to ?? null };
}

function changesOf(change: Value["change"]): Fields {
  return {
    change: change?.value ?? null,
    ...partsOf(change?.parts),
    changePrompts: change?.effectivePrompts ?? null,
    changeLow: change?.interval?.low ?? null,
    changeHigh: change?.interval?.high ?? null,
    p: change?.p ?? null,
    adjustedP: change?.adjustedP ?? null,
    verdict: change?.verdict ?? null,
    changeFlags: change?.flags.join(" ") ?? null,
    ...continuingOf(change?.continuing),
  };
}

function partsOf(parts: NonNullable<Value["change"]>["parts"] | undefined): Fields {
  return {
    likeForLike: parts?.likeForLike ?? null,
    mix: parts?.mix ?? null,
    promptsAdded: parts?.promptsAdded ?? null,
    promptsRemoved: parts?.promptsRemoved ?? null,
  };
}

/** Of a discontinuous change, the like-for-like change of the providers that stayed. */
function continuingOf(continuing: NonNullable<Value["change"]>["continuing"]): Fields {
  return {
    continuing: continuing?.parts?.likeForLike ?? null,
    continuingLow: continuing?.interval?.low ?? null,
    continuingHigh: continuing?.interval?.high ?? null,
    continuingP: continuing?.adjustedP ?? null,
    continuingVerdict: continuing?.verdict ?? null,
  };
}

/** The columns of what contributes to a change. */
export const contributionFields = [
  ...["by", "key", "name", "contributions", "contribution", "within", "mix"],
  ...["before", "beforeNumerator", "beforeDenominator"],
  ...["after", "afterNumerator", "afterDenominator", "beforeAnswers", "afterAnswers"],
] as const;

type Contribution = InsightsChangesResponse["contributions"][number];

/** The commands that show the answers of contributions. */
export interface AnswersCommands {
  /** Of the earlier side, without the filter. */
  readonly before: string;
  readonly after: string;
  /** The filter of a contribution. Null: none chooses its answers, such as those without region. */
  readonly filterOf: (key: string | null) => string | null;
}

/** A record for each contribution, and for what is not listed one without a key. */
export function* contributionRecords(
  { by, contributions, rest }: InsightsChangesResponse,
  { before, after, filterOf }: AnswersCommands,
): Generator<Fields> {
  for (const { key, name, ...each } of contributions) {
    const filter = filterOf(key);
    const answers = {
      beforeAnswers: filter === null ? null : `${before} ${filter}`,
      afterAnswers: filter === null ? null : `${after} ${filter}`,
    };
    yield { by, key, name, contributions: 1, ...contributed(each), ...answers };
  }
  if (rest.contributions === 0) return;
  const { contributions: left, ...sum } = rest;
  yield { by, key: null, name: null, contributions: left, ...contributed(sum) };
}

function contributed({
  value,
  within,
  mix,
  before,
  after,
}: Omit<Contribution, "key" | "name">): Fields {
  return {
    contribution: value,
    within,
    mix,
    before: before.value,
    beforeNumerator: before.numerator,
    beforeDenominator: before.denominator,
    after: after.value,
    afterNumerator: after.numerator,
    afterDenominator: after.denominator,
  };
}

/** The columns of the records of sources with gaps. */
export const gapFields = [
  ...["source", "citations", "share", "answers", "class", "entityId"],
  ...["withBrand", "withBrandOnly", "withCompetitorOnly", "opportunity"],
  ...["sourceClass", "form", "firstCitedAt", "lastCitedAt"],
] as const;

/** A record for each source. */
export function* gapRecords({ sources, compare }: InsightsSourcesResponse): Generator<Fields> {
  const compared = comparedRecord(compare);
  for (const { change, ...source } of sources) {
    yield change === undefined ? source : { ...source, ...changesOf(change), ...compared };
  }
}

/** The columns of the records of how an entity is named and cited. */
export const presenceFields = [
  ...["entityId", "answers", "prompts", "way", "value", "numerator", "denominator"],
  ...["effectivePrompts", "low", "high", "flags"],
] as const;

/** A record for each of the four ways. */
export function* presenceRecords(reply: InsightsPresenceResponse): Generator<Fields> {
  const { entityId, answers, prompts, compare } = reply;
  const compared = comparedRecord(compare);
  for (const way of presenceWays) {
    const { value, numerator, denominator, effectivePrompts, interval, flags, change } = reply[way];
    const counts = { value, numerator, denominator, effectivePrompts };
    const bounds = { low: interval?.low ?? null, high: interval?.high ?? null };
    const own = { entityId, answers, prompts, way, ...counts, ...bounds, flags: flags.join(" ") };
    yield change === undefined ? own : { ...own, ...changesOf(change), ...compared };
  }
}

/** The columns of the records of how long citations last. */
export const lifeFields = [
  ...["by", "key", "citations", "won", "lost", "medianDays", "medianLow", "medianHigh"],
  ...["survival28", "low", "high"],
] as const;

/** A record for each group; that of all citations has no key. */
export function* lifeRecords({ by, all, groups }: CitationLifeResponse): Generator<Fields> {
  for (const { key, ...own } of [{ key: null, ...all }, ...groups]) {
    const { citations, won, lost, medianDays, medianInterval, survival28 } = own;
    const { value, interval } = survival28;
    const median = {
      medianLow: medianInterval?.low ?? null,
      medianHigh: medianInterval?.high ?? null,
    };
    const bounds = { low: interval?.low ?? null, high: interval?.high ?? null };
    yield { by, key, citations, won, lost, medianDays, ...median, survival28: value, ...bounds };
  }
}

/** The columns of the records of search queries. */
export const queryFields = [
  ...["query", "answers", "prompts", "providers", "added", "dropped", "firstSeenAt", "lastSeenAt"],
  ...["entityId", "mentions", "mentionsLow", "mentionsHigh"],
  ...["citations", "citationsLow", "citationsHigh"],
] as const;

/** A record for each query and entity. */
export function* queryRecords({ queries }: SearchQueriesResponse): Generator<Fields> {
  for (const { providers, added, dropped, entities, ...query } of queries) {
    const lists = {
      providers: providers.join(" "),
      added: added.join(" "),
      dropped: dropped.join(" "),
    };
    for (const { id, mentions, citations } of entities) {
      yield {
        ...query,
        ...lists,
        entityId: id,
        mentions: mentions.value,
        mentionsLow: mentions.interval?.low ?? null,
        mentionsHigh: mentions.interval?.high ?? null,
        citations: citations.value,
        citationsLow: citations.interval?.low ?? null,
        citationsHigh: citations.interval?.high ?? null,
      };
    }
  }
}

/** The columns of the records of untracked names. */
export const nameFields = [
  ...["name", "kind", "aliasOf", "answers", "prompts", "meanPlace", "domain"],
  ...["exampleAnswerId", "exampleStart", "exampleEnd"],
] as const;

/** A record for each name. */
export function* nameRecords({ names }: UntrackedNamesResponse): Generator<Fields> {
  for (const { example, ...name } of names) {
    yield {
      ...name,
      exampleAnswerId: example?.answerId ?? null,
      exampleStart: example?.start ?? null,
      exampleEnd: example?.end ?? null,
    };
  }
}

/** The columns of a plan's records. */
export const planFields = [
  ...["metric", "change", "power", "answersPerPrompt", "prompts", "requests", "cost"],
  ...["leastChange", "isCheapest", "promptsNow", "answersPerPromptNow", "leastChangeNow"],
  ...["rate", "withinVariance", "correlation", "drift", "assumed"],
] as const;

/** A record for each way to see the change. */
export function* planRecords(plan: InsightsPlanResponse): Generator<Fields> {
  const { metric, change, power, prompts: promptsNow, options } = plan;
  const { rate, withinVariance, correlation, drift, assumed } = plan;
  const measured = { rate, withinVariance, correlation, drift, assumed };
  const now = {
    promptsNow,
    answersPerPromptNow: plan.now.answersPerPrompt,
    leastChangeNow: plan.now.leastChange,
  };
  for (const option of options) {
    yield { metric, change, power, ...option, ...now, ...measured };
  }
}

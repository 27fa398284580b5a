import type { InsightsSourcesResponse, InsightsSummaryResponse } from "@sightline/client";
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

/** The columns of a change. */
export const changeFields = [
  ...["change", "changeLow", "changeHigh", "p", "adjustedP", "verdict"],
] as const;

/** The columns of the range that a reply compares with; `compareTo` is not included. */
export const comparedFields = ["compareFrom", "compareTo"] as const;

/** The columns of a summary's records. */
export const summaryFields = [
  ...["group", "groupName", "answers", "prompts", "id", "name", "metric"],
  ...["value", "numerator", "denominator", "low", "high", "flags"],
  ...changeFields,
  ...["stability", "stabilityPairs"],
  ...comparedFields,
] as const;

/** A record for each value: by group, entity, and metric. */
export function* summaryRecords({ groups, compare }: InsightsSummaryResponse): Generator<Fields> {
  const compared = comparedOf(compare);
  for (const { key, name: groupName, answers, prompts, entities, stability } of groups) {
    const alike = {
      stability: stability?.value ?? null,
      stabilityPairs: stability?.pairs ?? null,
    };
    for (const { id, name, ...values } of entities) {
      for (const metric of summaryMetrics) {
        const group = { group: key, groupName, answers, prompts };
        yield { ...group, id, name, metric, ...valueFields(values[metric]), ...alike, ...compared };
      }
    }
  }
}

function valueFields({ value, numerator, denominator, interval, flags, change }: Value): Fields {
  return {
    value,
    numerator,
    denominator,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    flags: flags.join(" "),
    ...changesOf(change),
  };
}

function comparedOf(compare: InsightsSummaryResponse["compare"]): Fields {
  const { from, to } = compare?.timeRange ?? {};
  return { compareFrom: from ?? null, compareTo: to ?? null };
}

function changesOf(change: Value["change"]): Fields {
  return {
    change: change?.value ?? null,
    changeLow: change?.interval?.low ?? null,
    changeHigh: change?.interval?.high ?? null,
    p: change?.p ?? null,
    adjustedP: change?.adjustedP ?? null,
    verdict: change?.verdict ?? null,
  };
}

/** The columns of the records of sources with gaps. */
export const gapFields = [
  ...["source", "citations", "share", "answers", "class", "entityId"],
  ...["withBrand", "withBrandOnly", "withCompetitorOnly"],
] as const;

/** A record for each source. */
export function* gapRecords({ sources, compare }: InsightsSourcesResponse): Generator<Fields> {
  const compared = comparedOf(compare);
  for (const { change, ...source } of sources) {
    yield change === undefined ? source : { ...source, ...changesOf(change), ...compared };
  }
}

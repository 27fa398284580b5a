import type { InsightsChangesResponse } from "@sightline/client";
import {
  type ContributionGrouping,
  contributionGroupings,
  domainMetricNames,
  strictObject,
} from "@sightline/contract";
import { z } from "zod";
import { type EstimatedMeasure, estimatedMeasures } from "./estimates.ts";
import { differenceText, entityKind, gist, rounded, valueSchema } from "./measures.ts";
import { namedBy } from "./names.ts";
import type { Period } from "./period.ts";
import { type FiltersOfSelection, filtersWithin } from "./selection.ts";
import { promptCharactersMax, shownName, shownText, sourceCharactersMax } from "./shown-text.ts";
import type { ToolContext } from "./tool.ts";
import { ToolFault } from "./tool-fault.ts";

/** The most contributions of a reply. */
const contributionsMax = 20;

/** What is asked of one change. */
export const whySchema = strictObject({
  metric: z.enum(estimatedMeasures),
  by: z.enum(contributionGroupings),
  entity: z.string().min(1).max(1_000).optional(),
})
  .optional()
  .describe("What contributed to one change: of the brand, unless `entity` names another.");

const columns = [
  ...["key", "name", "contribution", "within", "mix"],
  ...["before", "beforeCounts", "after", "afterCounts"],
];

const rowSchema = z.tuple([
  z.string().nullable(),
  z.string(),
  valueSchema,
  valueSchema,
  valueSchema,
  valueSchema,
  z.string(),
  valueSchema,
  z.string(),
]);

/** What contributed to a change. */
export const contributedSchema = strictObject({
  entity: strictObject({ id: z.string(), name: z.string() }),
  metric: z.enum(estimatedMeasures),
  by: z.enum(contributionGroupings),
  change: valueSchema,
  parts: strictObject({
    likeForLike: z.number(),
    mix: z.number(),
    promptsAdded: z.number(),
    promptsRemoved: z.number(),
  })
    .nullable()
    .describe("They add up to change. Only likeForLike is tested."),
  columns: z.array(z.string()),
  rows: z
    .array(rowSchema)
    .describe("Of `columns`, the largest first. Counts: numerator/denominator."),
  rest: strictObject({ contributions: z.int(), contribution: z.number() }),
});

/** What contributed, and its gist. */
export interface Contributed {
  readonly structured: z.input<typeof contributedSchema>;
  readonly text: string;
  readonly notes: readonly string[];
}

/** A change to divide. */
export interface WhyQuestion {
  readonly why: NonNullable<z.output<typeof whySchema>>;
  /** The brand first. */
  readonly entities: readonly { readonly id: string; readonly name: string }[];
  readonly filters: FiltersOfSelection;
  readonly period: Period;
  readonly earlier: Period;
}

/** Asks what one change consists of, at the cost of a call. @throws ToolFault for unknown names. */
export async function contributedTo(
  { sightline, inTurns, signal }: ToolContext,
  { why: { metric, by, entity: given }, entities, filters, period, earlier }: WhyQuestion,
): Promise<Contributed> {
  if (by === "domain" && !domainMetricNames.some((each) => each === metric)) {
    throw new ToolFault(`By domain there are ${domainMetricNames.join(", ")}, not ${metric}.`);
  }
  const [brand] = entities;
  const entity =
    given === undefined
      ? brand
      : await namedBy(given, { kind: entityKind, known: entities, inTurns });
  if (entity === undefined) throw new ToolFault("The account has no brand.");
  const question = {
    entityId: entity.id,
    metric,
    by,
    limit: contributionsMax,
    ...filtersWithin(period, filters),
    compare: filtersWithin(earlier, filters),
  };
  const reply = await sightline.insights.changes(question, { signal });
  const { value, parts, contributions, rest } = reply;
  const name = shownName(entity.name);
  return {
    structured: {
      entity: { id: entity.id, name },
      metric,
      by,
      change: rounded(value),
      parts: parts && {
        likeForLike: rounded(parts.likeForLike) ?? 0,
        mix: rounded(parts.mix) ?? 0,
        promptsAdded: rounded(parts.promptsAdded) ?? 0,
        promptsRemoved: rounded(parts.promptsRemoved) ?? 0,
      },
      columns,
      rows: contributions.map((each) => rowOf(each, by)),
      rest: { contributions: rest.contributions, contribution: rounded(rest.value) ?? 0 },
    },
    text: `Why ${name}'s ${metric} changed: ${textOf(reply, metric)}.`,
    notes: contributions.length === 0 ? [] : [notTested, ...wayToAnswers(by)],
  };
}

const notTested = "A contribution is not tested: do not call a single one a change.";

function wayToAnswers(by: ContributionGrouping): readonly string[] {
  if (by === "domain") return [];
  return [`show_answers with \`filters.${by}s\` and a key shows the answers of a row.`];
}

type Contribution = InsightsChangesResponse["contributions"][number];

function rowOf(
  { key, name, value, within, mix, before, after }: Contribution,
  by: ContributionGrouping,
): z.output<typeof rowSchema> {
  const most = by === "prompt" ? promptCharactersMax : sourceCharactersMax;
  const shown = by === "topic" ? shownName(name) : shownText(name, most);
  const counts = ({ numerator, denominator }: Contribution["before"]) =>
    `${rounded(numerator)}/${denominator}`;
  return [
    key === null ? null : shownText(key, sourceCharactersMax),
    shown,
    rounded(value),
    rounded(within),
    rounded(mix),
    rounded(before.value),
    counts(before),
    rounded(after.value),
    counts(after),
  ];
}

/** Without prompts and domains: their texts stay in their fields. */
function textOf(
  { value, parts, contributions, by }: InsightsChangesResponse,
  metric: EstimatedMeasure,
): string {
  if (value === null) return "a period has no value";
  const difference = (part: number) => differenceText(metric, part);
  const whole = `${difference(value)} in all`;
  const sum =
    parts === null
      ? `${whole}; no prompt has answers in both periods`
      : `${whole} = ${difference(parts.likeForLike)} like for like, ${difference(parts.mix)} of ` +
        `other shares of providers, ${difference(parts.promptsAdded + parts.promptsRemoved)} of ` +
        "other prompts";
  if (by === "prompt" || by === "domain") return `${sum}; by ${by} in \`why\``;
  const largest = contributions.map((each) => `${shownName(each.name)} ${difference(each.value)}`);
  return `${sum}; ${gist(largest)}`;
}

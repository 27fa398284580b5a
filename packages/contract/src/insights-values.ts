import { z } from "zod";
import { dateTimeSchema, excludeSchema, insightFiltersSchema, providerSchema } from "./filters.ts";
import { measurementFactsSchema } from "./insights-facts.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The bounds of a value, as the guide to insights explains. */
export const confidenceIntervalSchema = strictObject({
  low: z.number(),
  high: z.number(),
})
  .describe("A 95 % interval; prompts are its units of variation.")
  .register(components, { id: "ConfidenceIntervalDto" });

/** What a reader must know of a value. */
const valueFlags = ["insufficient", "noVariation", "exploratory"] as const;

/** Fewer effective prompts have no interval, and their change is not tested. */
export const effectivePromptsMin = 6;

/** Flags of a value or a group. */
export const valueFlagsSchema = z
  .array(z.enum(valueFlags).meta(mayGrow))
  .describe(
    `insufficient: fewer than ${effectivePromptsMin} effective prompts. noVariation: all prompts ` +
      "agree. exploratory: fewer than 50 effective prompts.",
  );

const effectivePromptsSchema = z
  .int()
  .min(0)
  .describe(
    "As many prompts with equally many answers would tell as much: (Σn)² / Σn² over the prompts' " +
      "denominators n, rounded.",
  );

/** What a change comes to. */
const verdicts = ["moved", "within-noise", "insufficient", "discontinuous"] as const;

/** What a reader must know of a change. */
const changeFlags = ["fewDays"] as const;

/** What a change consists of. */
const changePartsSchema = strictObject({
  likeForLike: z
    .number()
    .describe("Of the prompts with answers on both sides, without the mix. It is what is tested."),
  mix: z
    .number()
    .describe("Of other shares of providers and regions. 0: no such pair is on both sides."),
  promptsAdded: z.number().describe("Of prompts with answers on the later side only."),
  promptsRemoved: z.number().describe("Of prompts with answers on the side of `compare` only."),
})
  .describe("Parts that add up to `value`.")
  .register(components, { id: "ChangePartsDto" });

const testedChange = {
  value: z
    .number()
    .nullable()
    .describe("The value minus that of `compare`, of all prompts. Null: one of them is null."),
  parts: changePartsSchema.nullable().describe("Null: no prompt has answers on both sides."),
  effectivePrompts: effectivePromptsSchema,
  interval: confidenceIntervalSchema
    .nullable()
    .describe(
      `Of \`parts.likeForLike\`. Null: fewer than ${effectivePromptsMin} effective prompts have ` +
        "answers on both sides, or all prompts changed alike.",
    ),
  p: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      "The two-sided p of no like-for-like change: the largest of the test by prompts, the test " +
        "by days, and the chance that all prompts that differ move one way. Null: too few prompts.",
    ),
  adjustedP: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      "p, adjusted for all tests of the reply (Benjamini and Hochberg); 1 stands in place of the " +
        "p of a change below the threshold. Null: it is not one of the tests.",
    ),
  verdict: z
    .enum(verdicts)
    .meta(mayGrow)
    .nullable()
    .describe(
      "moved: adjustedP is at most .05. discontinuous: other models or surfaces alone can move a " +
        "rate by the threshold. Null: a side is shorter than 7 days.",
    ),
  flags: z
    .array(z.enum(changeFlags).meta(mayGrow))
    .describe("fewDays: fewer than 5 days on a side, so that the test by days was left out."),
};

/** How a value differs from that of `compare`. */
export const changeSchema = strictObject({
  ...testedChange,
  continuing: strictObject(testedChange)
    .register(components, { id: "ContinuingChangeDto" })
    .nullable()
    .optional()
    .describe(
      "Of a discontinuous change: the same of the providers whose models and surfaces stayed. " +
        "Null: there are none, or they have no value.",
    ),
}).register(components, { id: "ChangeDto" });

/** How a value rises or falls over weeks. */
const trendSchema = strictObject({
  slope: z.number().describe("By how much from one week to the next, of the prompts of all weeks."),
  weeks: z.int().min(5).describe("Whole weeks (UTC, from Monday) that are compared."),
  from: dateTimeSchema.describe(
    "When the first of them begins: in the range, and after other models or surfaces answered.",
  ),
  effectivePrompts: effectivePromptsSchema.describe("The least of the weeks, of these prompts."),
  interval: confidenceIntervalSchema.nullable().describe("Of the slope. Null as that of a change."),
  p: z.number().min(0).max(1).nullable().describe("Of no slope. Null: too few effective prompts."),
  adjustedP: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("p, adjusted for all trends of the reply (Benjamini and Hochberg)."),
  verdict: z
    .enum(["moved", "within-noise", "insufficient"])
    .meta(mayGrow)
    .describe("moved: adjustedP is at most .05. insufficient: too few effective prompts."),
}).register(components, { id: "TrendDto" });

/** A rate as labels of some of its answers have it. */
const extractionSchema = strictObject({
  labelled: z.int().min(0).describe("Of the answers of the denominator, those with a label."),
  labelledPrompts: z.int().min(0).describe("Prompts that they answer."),
  effectivePrompts: effectivePromptsSchema.describe(
    "The lesser of those of the answers and those of the labelled answers.",
  ),
  missed: z.int().min(0).describe("Labelled answers that count by their label alone."),
  wrong: z.int().min(0).describe("Labelled answers that count by extraction alone."),
  precision: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("Of the labelled answers that extraction counts, the part that the labels count."),
  recall: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("Of the labelled answers that the labels count, the part that extraction counts."),
  kappa: z
    .number()
    .min(-1)
    .max(1)
    .nullable()
    .describe("Cohen's kappa of extraction and labels. Null: chance alone would agree as much."),
  difference: z
    .number()
    .nullable()
    .describe(
      "(missed − wrong) / labelled of each prompt, weighted by its answers. Null: no answer is " +
        "labelled.",
    ),
  value: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("The value plus `difference`, within 0 and 1. Null: no answer is labelled."),
  interval: confidenceIntervalSchema
    .nullable()
    .describe(
      "Of `value`, for extraction's errors too, if the labelled answers were chosen at random. " +
        `Null: fewer than ${effectivePromptsMin} effective prompts.`,
    ),
  flags: valueFlagsSchema,
}).register(components, { id: "ExtractionDto" });

/** A value with the sums it is made of, and its uncertainty. */
export const estimatedValueSchema = strictObject({
  value: z.number().nullable().describe("numerator / denominator. Null: denominator is 0."),
  numerator: z.int().min(0),
  denominator: z.int().min(0),
  effectivePrompts: effectivePromptsSchema,
  interval: confidenceIntervalSchema
    .nullable()
    .describe(
      `Null: no value, fewer than ${effectivePromptsMin} effective prompts, or a rank that all ` +
        "prompts agree on.",
    ),
  flags: valueFlagsSchema,
  change: changeSchema.optional().describe("Present when the request has `compare`."),
  trend: trendSchema
    .nullable()
    .optional()
    .describe(
      "Present when the request includes it. Null: fewer than 5 whole weeks, or no prompt has " +
        "answers in all of them.",
    ),
  extraction: extractionSchema
    .optional()
    .describe(
      "Present of mentions, citations and what is said of an entity, when the request includes it.",
    ),
}).register(components, { id: "EstimatedValueDto" });

/** Why a reply has nothing to say. */
const emptyReasons = [
  "noAnswers",
  "outsideRange",
  "notTrackedThen",
  "filteredOut",
  "uninformative",
  "uncited",
] as const;

/** One of the kinds of nothing. */
export type EmptyReason = (typeof emptyReasons)[number];

/** What kind of nothing a reply is. */
export const emptySchema = strictObject({
  reason: z
    .enum(emptyReasons)
    .meta(mayGrow)
    .describe(
      "noAnswers: the account has none. outsideRange: none in the range. notTrackedThen: some " +
        "pass the filters, at other times. filteredOut: none pass the filters at any time. " +
        "uninformative: none names a tracked entity. uncited: none cites a page.",
    ),
  first: dateTimeSchema.nullable().describe("The account's first answer. Null: there is none."),
  last: dateTimeSchema.nullable().describe("The account's last answer. Null: there is none."),
}).register(components, { id: "EmptyDto" });

/** What a question is compared with. */
export const compareSchema = strictObject({
  filters: insightFiltersSchema.describe(
    "Of the other side. While all other filters are equal, the two time ranges must not overlap.",
  ),
  exclude: excludeSchema.optional(),
}).register(components, { id: "CompareDto" });

/** The answers that a comparison counts. */
export const comparedSchema = strictObject({
  timeRange: strictObject({ from: dateTimeSchema, to: dateTimeSchema }).describe(
    "The compared range, in UTC; `to` is not included.",
  ),
  answers: z.int().min(0).describe("Answers that pass the filters of `compare`."),
  prompts: z.int().min(0).describe("Prompts that they answer."),
  empty: emptySchema.nullable(),
  discontinuous: z
    .array(providerSchema)
    .describe("Providers whose models or surfaces differ between the two sides."),
  facts: measurementFactsSchema.optional().describe("Present when the request includes it."),
}).register(components, { id: "ComparedDto" });

/** What each reply has whose values may have been compared. */
export const judgedShape = {
  tests: z
    .int()
    .min(0)
    .describe("How many changes of the reply are tested: those with an adjustedP."),
  facts: measurementFactsSchema.optional().describe("Present when the request includes it."),
  compare: comparedSchema.optional().describe("Present when the request has `compare`."),
} as const;

/** The least difference of two fractions that counts as a change, unless said. */
export const thresholdUnlessSaid = 0.02;

/** The least difference of two mean ranks that counts as a change, unless said. */
export const rankThresholdUnlessSaid = 0.1;

/** The least like-for-like difference of fractions that counts as a change. */
export const thresholdSchema = z
  .number()
  .min(0)
  .max(1)
  .describe(
    "The least like-for-like difference of two fractions that is called moved; " +
      `${thresholdUnlessSaid} unless said.`,
  );

/** The same of ranks. */
export const rankThresholdSchema = z
  .number()
  .min(0)
  .max(100)
  .describe(
    "The least like-for-like difference of two mean ranks that is called moved; " +
      `${rankThresholdUnlessSaid} unless said.`,
  );

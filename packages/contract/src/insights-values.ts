import { z } from "zod";
import { dateTimeSchema, filtersSchema, providerSchema } from "./filters.ts";
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

/** Flags of a value or a group. */
export const valueFlagsSchema = z
  .array(z.enum(valueFlags).meta(mayGrow))
  .describe(
    "insufficient: fewer than 5 prompts. noVariation: all prompts agree. exploratory: fewer than " +
      "50 prompts.",
  );

/** What a change comes to. */
const verdicts = ["moved", "within-noise", "insufficient", "discontinuous"] as const;

/** How a value differs from that of `compare`. */
export const changeSchema = strictObject({
  value: z
    .number()
    .nullable()
    .describe("The value minus that of `compare`. Null: one of them is null."),
  interval: confidenceIntervalSchema
    .nullable()
    .describe("Null: fewer than 5 prompts have answers on both sides."),
  p: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("The two-sided p of no change, paired by prompt. Null where `interval` is."),
  adjustedP: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("p, adjusted for all tests of the reply (Benjamini and Hochberg)."),
  verdict: z
    .enum(verdicts)
    .meta(mayGrow)
    .nullable()
    .describe(
      "discontinuous: a provider's models or surfaces differ between the sides. Null: a side is " +
        "shorter than 7 days.",
    ),
}).register(components, { id: "ChangeDto" });

/** A value with the sums it is made of, and its uncertainty. */
export const estimatedValueSchema = strictObject({
  value: z.number().nullable().describe("numerator / denominator. Null: denominator is 0."),
  numerator: z.int().min(0),
  denominator: z.int().min(0),
  interval: confidenceIntervalSchema
    .nullable()
    .describe("Null: fewer than 5 prompts, or no value."),
  flags: valueFlagsSchema,
  change: changeSchema.optional().describe("Present when the request has `compare`."),
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
  filters: filtersSchema.describe(
    "Of the other side. While all other filters are equal, the two time ranges must not overlap.",
  ),
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
}).register(components, { id: "ComparedDto" });

/** The least difference of two fractions that counts as a change, unless said. */
export const thresholdUnlessSaid = 0.02;

/** The least difference that counts as a change. */
export const thresholdSchema = z
  .number()
  .min(0)
  .max(1)
  .describe(
    `The least difference of two fractions that is called moved; ${thresholdUnlessSaid} unless ` +
      "said. Ranks have none.",
  );

import { z } from "zod";
import { storedFiltersSchema } from "./filters.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The values of an entity in a summary, each of which may move. */
export const summaryMetricNames = [
  "mentions",
  "visibility",
  "citations",
  "rank",
  "shareOfVoice",
] as const;

/** The name of a value of an entity in a summary. */
export type SummaryMetricName = (typeof summaryMetricNames)[number];

/** The most thresholds of a webhook: each is a question a day. */
export const thresholdsMax = 20;
/** The fewest whole days that a value of a threshold is of: weekdays differ. */
export const thresholdDaysMin = 7;
/** The most. */
export const thresholdDaysMax = 90;
/** Unless said: four weeks. */
export const thresholdDaysUnlessSaid = 28;
/** The worst rank that a threshold may be at. */
const rankMax = 1_000;

const limitField = (description: string) =>
  z.number().min(0).max(rankMax).optional().describe(description);

const metricSchema = z.enum(summaryMetricNames);
const metricText = "The value of the brand that is watched.";

const fields = {
  below: limitField("Less than this is told of. From 0 to 1, but for ranks."),
  above: limitField("More than this is told of. Either `below` or `above` is given."),
  filters: storedFiltersSchema
    .optional()
    .describe("Which answers the value is of. Omitted: all of these days."),
};

const daysSchema = z
  .int()
  .min(thresholdDaysMin)
  .max(thresholdDaysMax)
  .describe(
    `The last whole days (UTC) that the value is of; ${thresholdDaysUnlessSaid} unless said.`,
  );

const fraction = { type: "number", maximum: 1 };

/** A value of the brand that is watched, as sent. */
export const hookThresholdSchema = strictObject({
  metric: metricSchema.describe(metricText),
  ...fields,
  days: daysSchema.optional(),
})
  .superRefine(checkLimit)
  .meta({
    // What a schema can say of `checkLimit`.
    oneOf: [{ required: ["below"] }, { required: ["above"] }],
    if: { properties: { metric: { not: { const: "rank" } } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { below: fraction, above: fraction } },
  })
  .register(components, { id: "HookThresholdDto" });

/** The same, as replies and events have it. */
export const listedHookThresholdSchema = strictObject({
  metric: metricSchema.meta(mayGrow).describe(metricText),
  ...fields,
  days: daysSchema,
}).register(components, { id: "ListedHookThresholdDto" });

/** A value of the brand that is watched, as sent. */
export type HookThreshold = Readonly<z.infer<typeof hookThresholdSchema>>;
/** A value of the brand that is watched. */
export type ListedHookThreshold = Readonly<z.infer<typeof listedHookThresholdSchema>>;

interface Limited {
  readonly metric: SummaryMetricName;
  readonly below?: number | undefined;
  readonly above?: number | undefined;
}

function checkLimit({ metric, below, above }: Limited, context: z.RefinementCtx): void {
  const fault = (path: string, code: string, message: string) => {
    context.addIssue({ code: "custom", path: [path], params: { code }, message });
  };
  if (below === undefined && above === undefined) {
    fault("below", "missing", "is required: send below or above");
  }
  if (below !== undefined && above !== undefined) {
    fault("above", "excluded", "cannot be combined with below. Send one of the two");
  }
  for (const [name, limit] of Object.entries({ below, above })) {
    if (metric === "rank" || limit === undefined || limit <= 1) continue;
    fault(name, "too_large", `must be between 0 and 1, but for ranks: 0.3 are 30 %; got ${limit}`);
  }
}

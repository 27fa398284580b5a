import { z } from "zod";
import { dateTimeSchema, excludeSchema, insightFiltersSchema, providerSchema } from "./filters.ts";
import { measurementFactsSchema } from "./insights-facts.ts";
import { confidenceIntervalSchema } from "./insights-values.ts";
import { type MetricName, metricNames } from "./metrics.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import { type PortrayalFlag, portrayalFlags } from "./portrayal.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import {
  intervalSchema,
  pointSchema,
  seriesSchema,
  timeSeriesResponseSchema,
} from "./time-series.ts";

/** A time series with counts: one of the interface's four, or how often something is said. */
export type SeriesMetricName = MetricName | PortrayalFlag;

/** All of them. */
export const seriesMetricNames: readonly SeriesMetricName[] = [...metricNames, ...portrayalFlags];

/** The name of a metric in a request. */
const metricSchema = z
  .enum(seriesMetricNames)
  .describe("Which of the four time series, or how often answers say something of an entity.")
  .register(components, { id: "MetricDto" });

/** Body of POST /v1/insights/series: that of operations 1 to 4, with the metric. */
export const insightsSeriesRequestSchema = strictObject({
  metric: metricSchema,
  interval: intervalSchema,
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
  include: z
    .array(z.enum(["facts", "marks"]).meta(mayGrow))
    .max(10)
    .optional()
    .describe(
      "facts: by what answers the numbers of the reply were measured. marks: the weeks in which " +
        "models or prompts changed.",
    ),
}).register(components, { id: "InsightsSeriesRequestDto" });

/** A bucket of a series, with what its value is made of. */
const countedPointSchema = strictObject({
  timestamp: dateTimeSchema.describe(pointSchema.shape.timestamp.description ?? ""),
  value: pointSchema.shape.value.describe(
    "numerator / denominator, as the metric's own operation gives it. Null: denominator is 0.",
  ),
  numerator: z
    .int()
    .min(0)
    .describe("Rates: the answers that count for the entity. Rank: the sum of its ranks."),
  denominator: z
    .int()
    .min(0)
    .describe(
      "Rates: all answers of the bucket. Rank: the answers that mention the entity. What is " +
        "said: those of them that were read for it.",
    ),
  interval: confidenceIntervalSchema
    .nullable()
    .describe(
      "Of the value. Null: no value, fewer than 6 effective prompts in the bucket, or a rank " +
        "that all prompts agree on.",
    ),
  empty: z.boolean().describe("true: no answer of the bucket passes the filters."),
  covered: z
    .number()
    .min(0)
    .describe(
      "Days of the bucket inside the range and up to the account's last answer, whose UTC day " +
        "counts in full: 1.5 where the range cuts a day. Less than `days`: the bucket is partial.",
    ),
  days: z.int().min(1).describe("Days of the whole bucket: 1, 7, or those of the month."),
}).register(components, { id: "CountedPointDto" });

/** The series of the brand or of a competitor, with counts. */
const countedSeriesSchema = strictObject({
  id: seriesSchema.shape.id,
  name: seriesSchema.shape.name,
  data: z.array(countedPointSchema).describe("Every bucket that meets the range, in order."),
}).register(components, { id: "CountedSeriesDto" });

/** The least total variation of a provider's models or surfaces that is marked. */
export const markedVariationMin = 0.2;

/** A week in which something changed that can move values. */
const seriesMarkSchema = strictObject({
  timestamp: dateTimeSchema.describe("The Monday of the ISO week, whatever the interval is."),
  kind: z
    .enum(["models", "prompts"])
    .meta(mayGrow)
    .describe("models: other models or surfaces answered. prompts: other prompts were answered."),
  providers: z
    .array(providerSchema)
    .describe(
      "Of models: the providers whose known models, or surfaces, have other shares of their " +
        `answers than in the week before with answers: total variation of ${markedVariationMin} ` +
        "or more.",
    ),
  added: z
    .int()
    .min(0)
    .describe(
      "Of prompts: those answered for the first time in the range. The first whole week, and the " +
        "first with answers, count none.",
    ),
  removed: z
    .int()
    .min(0)
    .describe("Of prompts: those answered in an earlier week, and no more in the range."),
}).register(components, { id: "SeriesMarkDto" });

/** Reply of POST /v1/insights/series, which the interface does not have. */
export const insightsSeriesResponseSchema = strictObject({
  interval: intervalSchema,
  timeRange: timeSeriesResponseSchema.shape.timeRange,
  series: z.array(countedSeriesSchema).describe("The brand first, then the competitors by name."),
  marks: z
    .array(seriesMarkSchema)
    .optional()
    .describe("Present when the request includes them; in the order of time."),
  facts: measurementFactsSchema.optional().describe("Present when the request includes it."),
}).register(components, { id: "InsightsSeriesResponseDto" });

/** Body of POST /v1/insights/series, as sent. */
export type InsightsSeriesRequest = Readonly<z.infer<typeof insightsSeriesRequestSchema>>;
/** A week in which something changed that can move values. */
export type SeriesMark = Readonly<z.infer<typeof seriesMarkSchema>>;
/** Reply of POST /v1/insights/series. */
export type InsightsSeriesResponse = Readonly<z.infer<typeof insightsSeriesResponseSchema>>;

/** The operation on time series with counts. */
export const insightsSeriesOperations = {
  insightsSeries: {
    summary: "Time series with counts",
    tag: "Insights",
    description:
      "The same values as the metric's own operation, or how often answers say something of an " +
      "entity, each with the numerator and denominator that it is made of, and its 95 % " +
      "interval: a value of few answers moves by chance.",
    scope: "read",
    method: "POST",
    path: "/v1/insights/series",
    body: {
      "application/json": {
        schema: insightsSeriesRequestSchema,
        example: requestExamples.insightsSeries,
      },
    },
    reply: {
      schema: insightsSeriesResponseSchema,
      description: "The series.",
      example: replyExamples.insightsSeries,
    },
  },
} as const satisfies DeclaredOperations;

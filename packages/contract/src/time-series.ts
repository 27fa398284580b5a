import { z } from "zod";
import { dateTimeSchema, filtersSchema, uuidSchema } from "./filters.ts";
import { type MetricName, metrics } from "./metrics.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import { type DeclaredOperations, json } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The lengths of a bucket: UTC days, ISO weeks from Monday, calendar months. */
export const intervals = ["daily", "weekly", "monthly"] as const;

/** One of the lengths of a bucket. */
export type Interval = (typeof intervals)[number];

/** The length of a bucket; a reply repeats that of its request. */
export const intervalSchema = z
  .enum(intervals)
  .meta(mayGrow)
  .register(components, { id: "IntervalDto" });

/** The maximum number of buckets of one time series (semantics, Time). */
export const bucketsMax = 4_000;

/**
 * The maximum number of points of one reply: entities times buckets. This many are about 10 MB of
 * JSON and a quarter of a megabyte compressed; no chart shows more.
 */
export const pointsMax = 200_000;

/** Body of operations 1 to 4 (interface 2.2). */
export const timeSeriesRequestSchema = strictObject({
  interval: intervalSchema,
  filters: filtersSchema,
}).register(components, { id: "TimeSeriesRequestDto" });

/** A bucket of a series. */
export const pointSchema = strictObject({
  timestamp: dateTimeSchema.describe("Start of the bucket, UTC; it may lie before `from`."),
  value: z.number().nullable().describe("See the operation. Null: nothing was measured."),
}).register(components, { id: "PointDto" });

/** The series of the brand or of a competitor. */
export const seriesSchema = strictObject({
  id: uuidSchema.describe("The tracked entity's id."),
  name: z.string().describe("Its current name."),
  data: z.array(pointSchema).describe("Every bucket that overlaps the range, in order."),
}).register(components, { id: "SeriesDto" });

/** Reply of operations 1 to 4 (interface 2.3). */
export const timeSeriesResponseSchema = strictObject({
  interval: intervalSchema,
  timeRange: strictObject({
    from: dateTimeSchema.describe("As in the request."),
    to: dateTimeSchema.describe("As in the request."),
  }),
  series: z.array(seriesSchema).describe("The brand first, then the competitors by name."),
}).register(components, { id: "TimeSeriesResponseDto" });

/** Body of operations 1 to 4, as sent. */
export type TimeSeriesRequest = Readonly<z.infer<typeof timeSeriesRequestSchema>>;
/** Reply of operations 1 to 4. */
export type TimeSeriesResponse = Readonly<z.infer<typeof timeSeriesResponseSchema>>;

/** An operation for each metric. */
export const timeSeriesOperations = {
  mentions: series("mentions"),
  overallVisibility: series("overall-visibility"),
  citations: series("citations"),
  rank: series("rank"),
} as const satisfies DeclaredOperations;

function series<Name extends MetricName>(name: Name) {
  const { title, summary, value } = metrics[name];
  const path: (typeof metrics)[Name]["path"] = metrics[name].path;
  return {
    tag: "Analytics",
    summary: title,
    description:
      `${summary}. value: ${value} Nothing is carried forward or rounded. ` +
      `A reply has at most ${bucketsMax} buckets and ${pointsMax} points (entities × buckets).`,

    scope: "read",
    isPublished: true,
    method: "POST",
    path,
    body: json(timeSeriesRequestSchema, requestExamples.timeSeries),
    reply: {
      schema: timeSeriesResponseSchema,
      description: "The series.",
      example: replyExamples[name],
    },
  } as const;
}

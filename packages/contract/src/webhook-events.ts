import { z } from "zod";
import { dateTimeSchema, uuidSchema } from "./filters.ts";
import { insightsSummaryResponseSchema } from "./insights-summary.ts";
import { estimatedValueSchema } from "./insights-values.ts";
import { providers } from "./providers.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import { listedHookThresholdSchema, summaryMetricNames } from "./webhook-thresholds.ts";

const timeRangeSchema = strictObject({ from: dateTimeSchema, to: dateTimeSchema });
const rangesOf = (length: string) => ({
  timeRange: timeRangeSchema.describe(`${length}; \`to\` is not included.`),
  compare: strictObject({ timeRange: timeRangeSchema }).describe("The 7 days before."),
});

const eventFields = {
  id: z.string().describe("As the header webhook-id: the same each time the event is sent."),
  timestamp: dateTimeSchema.describe("When the event was made."),
};

/** A test, as a delivery has it. */
const testEventSchema = strictObject({
  ...eventFields,
  type: z.literal("test"),
  data: strictObject({ message: z.string() }),
}).register(components, { id: "TestEventDto" });

/** Of 52 digests, as many have a change called moved by chance alone: at most 5 %. */
export const digestsExpectedFalse = 2.6;

/** The weekly digest, as a delivery has it. */
const digestEventSchema = strictObject({
  ...eventFields,
  type: z.literal("digest"),
  data: strictObject({
    ...rangesOf("The last whole ISO week, from Monday"),
    expectedFalse: z
      .number()
      .min(0)
      .describe(
        "In so many of a year's digests, at most, chance alone calls a change moved: 0.05 × 52.",
      ),
    summary: insightsSummaryResponseSchema.describe(
      "As POST /v1/insights/summary replies, by none and without portrayal.",
    ),
  }),
}).register(components, { id: "DigestEventDto" });

/** What moved, as a delivery has it. */
const movedEventSchema = strictObject({
  ...eventFields,
  type: z.literal("moved"),
  data: strictObject({
    ...rangesOf("The last 7 whole days"),
    entity: strictObject({ id: uuidSchema, name: z.string() }).describe("The brand."),
    metrics: z
      .array(
        strictObject({
          metric: z.enum(summaryMetricNames).meta(mayGrow),
          ...estimatedValueSchema.shape,
        }),
      )
      .describe(
        "As in a summary; those whose verdict is moved, in one direction of the like-for-like " +
          "change, on three daily looks in succession, this being the latest.",
      ),
    tests: z.int().min(0).describe("How many changes of the comparison are tested."),
  }),
}).register(components, { id: "MovedEventDto" });

/** A provider whose sweeps fail, as a delivery has it. */
const collectionFailedEventSchema = strictObject({
  ...eventFields,
  type: z.literal("collection-failed"),
  data: strictObject({
    provider: z.enum(providers).meta(mayGrow),
    surface: z.enum(["api", "web"]).meta(mayGrow),
    failedSweeps: z.int().min(1).describe("Sweeps in succession without any answer that counts."),
    heldBack: z
      .literal(true)
      .optional()
      .describe("The sweep has answers that look wrong: they do not count unless accepted."),
    sweepId: uuidSchema.describe("The latest of them."),
    slot: dateTimeSchema.describe("When it was due."),
    jobs: z.int().min(0).describe("How many answers it was to have of this provider."),
    reasons: z
      .array(strictObject({ reason: z.string(), jobs: z.int().min(1) }))
      .describe("Why there are none: the most frequent reasons first, at most 10."),
  }),
}).register(components, { id: "CollectionFailedEventDto" });

/** What became of a value that is watched. */
const thresholdStates = ["crossed", "recovered"] as const;

/** A value that crossed its threshold, or came back, as a delivery has it. */
const thresholdCrossedEventSchema = strictObject({
  ...eventFields,
  type: z.literal("threshold-crossed"),
  data: strictObject({
    state: z
      .enum(thresholdStates)
      .meta(mayGrow)
      .describe(
        "crossed: the whole interval is beyond the threshold. recovered: after that, the whole " +
          "interval is on the other side.",
      ),
    threshold: listedHookThresholdSchema,
    timeRange: timeRangeSchema.describe("The days of the threshold; `to` is not included."),
    entity: strictObject({ id: uuidSchema, name: z.string() }).describe("The brand."),
    ...estimatedValueSchema.pick({
      value: true,
      numerator: true,
      denominator: true,
      effectivePrompts: true,
      interval: true,
      flags: true,
    }).shape,
  }),
}).register(components, { id: "ThresholdCrossedEventDto" });

/** A report that was made, as a delivery has it. */
const reportMadeEventSchema = strictObject({
  ...eventFields,
  type: z.literal("report-made"),
  data: strictObject({
    reportId: uuidSchema,
    name: z.string().describe("The report's name."),
    timeRange: timeRangeSchema.describe("What it is about; `to` is not included."),
    address: z
      .string()
      .nullable()
      .describe("Where it is read. Null: the service does not know its own address."),
  }),
}).register(components, { id: "ReportMadeEventDto" });

/** The body of a delivery. */
export const webhookEventSchema = z.union([
  digestEventSchema,
  movedEventSchema,
  thresholdCrossedEventSchema,
  collectionFailedEventSchema,
  reportMadeEventSchema,
  testEventSchema,
]);

/** The weekly digest, as a delivery has it. */
export type DigestEvent = Readonly<z.infer<typeof digestEventSchema>>;
/** What moved, as a delivery has it. */
export type MovedEvent = Readonly<z.infer<typeof movedEventSchema>>;
/** A provider whose sweeps fail, as a delivery has it. */
export type CollectionFailedEvent = Readonly<z.infer<typeof collectionFailedEventSchema>>;
/** A value that crossed its threshold, or came back, as a delivery has it. */
export type ThresholdCrossedEvent = Readonly<z.infer<typeof thresholdCrossedEventSchema>>;
/** A report that was made, as a delivery has it. */
export type ReportMadeEvent = Readonly<z.infer<typeof reportMadeEventSchema>>;
/** The body of a delivery. */
export type WebhookEvent = Readonly<z.infer<typeof webhookEventSchema>>;

/** What the service sends by itself, by the name of the webhook in the document. */
export const sentEvents = {
  digest: {
    schema: digestEventSchema,
    summary: "Weekly digest",
    description: "The last whole week against the one before.",
  },
  moved: {
    schema: movedEventSchema,
    summary: "What moved",
    description:
      "Values of the brand that moved, by three daily looks in succession; at most daily.",
  },
  "threshold-crossed": {
    schema: thresholdCrossedEventSchema,
    summary: "Threshold crossed",
    description: "A value of the brand crossed a threshold of the webhook, or came back.",
  },
  "collection-failed": {
    schema: collectionFailedEventSchema,
    summary: "Failing collection",
    description: "A provider gave no answer in three sweeps in succession.",
  },
  "report-made": {
    schema: reportMadeEventSchema,
    summary: "Report made",
    description: "A report was made; where it is read.",
  },
  test: {
    schema: testEventSchema,
    summary: "Test",
    description: "What a test of a webhook sends.",
  },
} as const;

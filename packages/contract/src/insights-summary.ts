import { z } from "zod";
import { dateTimeSchema, excludeSchema, insightFiltersSchema, uuidSchema } from "./filters.ts";
import {
  compareSchema,
  emptySchema,
  estimatedValueSchema,
  judgedShape,
  rankThresholdSchema,
  thresholdSchema,
  valueFlagsSchema,
} from "./insights-values.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import { portrayalSchema } from "./portrayal.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import { entitiesMax } from "./workspace-file.ts";

/** What answers are grouped by. */
export const summaryGroupings = [
  "none",
  "provider",
  "topic",
  "prompt",
  "region",
  "branded",
  "model",
  "surface",
  "tag",
] as const;

/** One of the groupings of a summary. */
export type SummaryGrouping = (typeof summaryGroupings)[number];

/** How answers are grouped; a reply repeats that of its request. */
const summaryGroupingSchema = z
  .enum(summaryGroupings)
  .meta(mayGrow)
  .register(components, { id: "SummaryGroupingDto" });

/** The maximum number of groups times listed entities of one summary: about 10 MB of JSON. */
export const summaryEntriesMax = 12_000;

/** What a summary says in addition when it is asked for, since it takes time. */
const summaryParts = ["stability", "trend", "extraction", "facts"] as const;

/** Body of POST /v1/insights/summary. */
export const insightsSummaryRequestSchema = strictObject({
  groupBy: summaryGroupingSchema,
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
  entityIds: z
    .array(uuidSchema)
    .max(entitiesMax)
    .optional()
    .describe(
      "Only these entities are listed, and only their changes are tested. Values stay the same: " +
        "they are computed against all tracked entities. Omitted or empty: all.",
    ),
  compare: compareSchema.optional(),
  threshold: thresholdSchema.optional(),
  rankThreshold: rankThresholdSchema.optional(),
  portrayal: z
    .boolean()
    .optional()
    .describe("false: without how answers speak of the entities. true unless said."),
  include: z
    .array(z.enum(summaryParts).meta(mayGrow))
    .max(10)
    .optional()
    .describe(
      "stability: how alike consecutive answers are in what they cite. trend: how values rise or " +
        "fall over whole weeks. extraction: mentions and citations as labels have them, with an " +
        "interval that includes extraction's errors. facts: by what answers the numbers were " +
        "measured.",
    ),
}).register(components, { id: "InsightsSummaryRequestDto" });

/** The fewest pairs of answers whose mean is shown. */
export const stabilityPairsMin = 20;

/** How alike the cited domains of consecutive answers are. */
export const stabilitySchema = strictObject({
  value: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      "The mean over pairs of the domains that both cite / the domains that either cites. Null: " +
        `fewer than ${stabilityPairsMin} pairs.`,
    ),
  pairs: z
    .int()
    .min(0)
    .describe(
      "Consecutive answers to the same prompt by the same provider in the same region, at least " +
        "one of which cites a domain.",
    ),
}).register(components, { id: "StabilityDto" });

/** An entity in a group. */
const summaryEntitySchema = strictObject({
  id: uuidSchema,
  name: z.string(),
  mentions: estimatedValueSchema.describe("Answers that mention it / answers."),
  visibility: estimatedValueSchema.describe("Answers that mention or cite it / answers."),
  citations: estimatedValueSchema.describe("Answers that cite it / answers."),
  rank: estimatedValueSchema.describe("The sum of its ranks / answers that mention it."),
  shareOfVoice: estimatedValueSchema.describe(
    "Answers that mention it / the same, added up over all tracked entities.",
  ),
  portrayal: portrayalSchema
    .optional()
    .describe("How answers speak of it. Absent when the request says false."),
}).register(components, { id: "SummaryEntityDto" });

/** The answers of a group, and what they say of each entity. */
const summaryGroupSchema = strictObject({
  key: z
    .string()
    .nullable()
    .describe(
      "A provider, a region, the id of a topic or a prompt, true or false, a model, a surface or " +
        "a tag. Null: all answers, or those without a topic, region or tag, or whose model or " +
        "surface is not known.",
    ),
  name: z.string().describe("What the group is called today."),
  answers: z.int().min(0),
  prompts: z.int().min(0).describe("Prompts that the answers answer."),
  lastAnsweredAt: dateTimeSchema
    .nullable()
    .describe("When the newest of the answers was given. Null: there are none."),
  informative: estimatedValueSchema.describe("Answers that mention any tracked entity / answers."),
  flags: valueFlagsSchema,
  stability: stabilitySchema.optional().describe("Present when the request includes it."),
  entities: z
    .array(summaryEntitySchema)
    .describe("The brand first, then the competitors by name; those of `entityIds`."),
}).register(components, { id: "SummaryGroupDto" });

/** Reply of POST /v1/insights/summary, which the interface does not have. */
export const insightsSummaryResponseSchema = strictObject({
  groupBy: summaryGroupingSchema,
  groups: z.array(summaryGroupSchema).describe("Those with answers on either side."),
  portrayalTests: z
    .int()
    .min(0)
    .optional()
    .describe(
      "The same of portrayal's changes, whose p are adjusted among themselves. Present when the " +
        "request has `compare`, and portrayal.",
    ),
  empty: emptySchema.nullable().describe("Null: there is something to say."),
  ...judgedShape,
}).register(components, { id: "InsightsSummaryResponseDto" });

/** Body of POST /v1/insights/summary, as sent. */
export type InsightsSummaryRequest = Readonly<z.infer<typeof insightsSummaryRequestSchema>>;
/** Reply of POST /v1/insights/summary. */
export type InsightsSummaryResponse = Readonly<z.infer<typeof insightsSummaryResponseSchema>>;

/** The operation on the summary. */
export const insightsSummaryOperations = {
  insightsSummary: {
    summary: "Summary",
    tag: "Insights",
    description:
      "Every value of each entity over a whole range, with its 95 % interval, by provider, " +
      "topic, prompt, region, branded, model, surface or tag; with a comparison, whether it " +
      "changed. Groups by tag overlap: an answer is in the group of each tag of its prompt. " +
      `At most ${summaryEntriesMax} entries (groups × listed entities).`,

    scope: "read",
    method: "POST",
    path: "/v1/insights/summary",
    body: {
      "application/json": {
        schema: insightsSummaryRequestSchema,
        example: requestExamples.insightsSummary,
      },
    },
    reply: {
      schema: insightsSummaryResponseSchema,
      description: "The groups.",
      example: replyExamples.insightsSummary,
    },
  },
} as const satisfies DeclaredOperations;

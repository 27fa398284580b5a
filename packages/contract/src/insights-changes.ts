import { z } from "zod";
import { excludeSchema, insightFiltersSchema, uuidSchema } from "./filters.ts";
import { includeFactsSchema, measurementFactsSchema } from "./insights-facts.ts";
import {
  changeSchema,
  comparedSchema,
  compareSchema,
  emptySchema,
  rankThresholdSchema,
  thresholdSchema,
} from "./insights-values.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import { type PortrayalFlag, portrayalFlags } from "./portrayal.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import { type SummaryMetricName, summaryMetricNames } from "./webhook-thresholds.ts";

/** What a change is divided by. */
export const contributionGroupings = [
  "prompt",
  "topic",
  "provider",
  "region",
  "domain",
  "model",
  "surface",
  "tag",
] as const;

/** One of the divisions of a change. */
export type ContributionGrouping = (typeof contributionGroupings)[number];

/** The metrics whose changes are divided by cited domain: those that count answers. */
export const domainMetricNames = ["mentions", "visibility", "citations"] as const;

/** A value of an entity whose change is divided: of a summary, or how often something is said. */
export type ChangesMetricName = SummaryMetricName | PortrayalFlag;

/** All of them. */
export const changesMetricNames: readonly ChangesMetricName[] = [
  ...summaryMetricNames,
  ...portrayalFlags,
];

/** The most contributions of a reply. */
export const contributionsMax = 500;

const bySchema = z
  .enum(contributionGroupings)
  .meta(mayGrow)
  .register(components, { id: "ContributionGroupingDto" });
const metricSchema = z
  .enum(changesMetricNames)
  .meta(mayGrow)
  .register(components, { id: "ChangesMetricDto" });

/** Body of POST /v1/insights/changes. */
export const insightsChangesRequestSchema = strictObject({
  entityId: uuidSchema,
  metric: metricSchema,
  by: bySchema.describe(
    "What the change is divided by. domain: the cited domains of the answers that count; only " +
      "for mentions, visibility and citations.",
  ),
  limit: z.int().min(1).max(contributionsMax).describe("The most contributions that are listed."),
  compare: compareSchema,
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
  threshold: thresholdSchema.optional(),
  rankThreshold: rankThresholdSchema.optional(),
  include: includeFactsSchema,
}).register(components, { id: "InsightsChangesRequestDto" });

const amount = () => z.number().min(0);

/** What a part of the answers counts on one side. */
const contributionSideSchema = strictObject({
  value: z.number().nullable().describe("numerator / denominator. Null: denominator is 0."),
  numerator: amount().describe(
    "Whole, but by domain and tag: an answer that cites several domains, or whose prompt has " +
      "several tags, gives each an equal part of itself.",
  ),
  denominator: amount().describe(
    "By domain that of the whole value; by tag divided as the numerator.",
  ),
}).register(components, { id: "ContributionSideDto" });

const contributionShape = {
  value: z.number().describe("All contributions, with `rest`, add up to the `value` of the reply."),
  within: z
    .number()
    .describe("Of it, by another value of its own. 0 where it is on one side only."),
  mix: z.number().describe("Of it, by another share of the answers."),
  before: contributionSideSchema.describe("On the side of `compare`."),
  after: contributionSideSchema,
};

/** What a prompt, topic, provider, region, domain, model, surface or tag adds to a change. */
const contributionSchema = strictObject({
  key: z
    .string()
    .nullable()
    .describe(
      "A prompt's or topic's id, a provider, a region, a domain, a model, a surface or a tag. " +
        "Null: answers without one, whose model or surface is not known, or that cite nothing.",
    ),
  name: z.string().describe("What it is called today."),
  ...contributionShape,
})
  .describe("A contribution is not a test: it has no p and no verdict.")
  .register(components, { id: "ContributionDto" });

/** What the contributions that are not listed come to. */
const contributionRestSchema = strictObject({
  contributions: z.int().min(0).describe("How many there are."),
  ...contributionShape,
}).register(components, { id: "ContributionRestDto" });

/** Reply of POST /v1/insights/changes, which the interface does not have. */
export const insightsChangesResponseSchema = strictObject({
  metric: metricSchema,
  by: bySchema,
  value: z.number().nullable().describe("That of `change`. Null: a side has no value."),
  parts: changeSchema.shape.parts,
  change: changeSchema.describe("The change as the only test of the reply."),
  contributions: z.array(contributionSchema).describe("By size, the largest first."),
  rest: contributionRestSchema,
  empty: emptySchema.nullable().describe("Null: there is something to say."),
  facts: measurementFactsSchema.optional().describe("Present when the request includes it."),
  compare: comparedSchema,
}).register(components, { id: "InsightsChangesResponseDto" });

/** Body of POST /v1/insights/changes, as sent. */
export type InsightsChangesRequest = Readonly<z.infer<typeof insightsChangesRequestSchema>>;
/** Reply of POST /v1/insights/changes. */
export type InsightsChangesResponse = Readonly<z.infer<typeof insightsChangesResponseSchema>>;

/** The operation on what a change consists of. */
export const insightsChangesOperations = {
  insightsChanges: {
    summary: "What a change consists of",
    tag: "Insights",
    description:
      "The change of one value of an entity: its like-for-like part, what other providers and " +
      "prompts bring about, and what each prompt, topic, provider, region, cited domain, " +
      "model, surface or tag contributes. Parts and contributions add up to the change.",
    scope: "read",
    method: "POST",
    path: "/v1/insights/changes",
    body: {
      "application/json": {
        schema: insightsChangesRequestSchema,
        example: requestExamples.insightsChanges,
      },
    },
    reply: {
      schema: insightsChangesResponseSchema,
      description: "The change and its contributions.",
      example: replyExamples.insightsChanges,
    },
  },
} as const satisfies DeclaredOperations;

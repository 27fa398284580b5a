import { z } from "zod";
import { excludeSchema, insightFiltersSchema, uuidSchema } from "./filters.ts";
import { includeFactsSchema } from "./insights-facts.ts";
import {
  compareSchema,
  emptySchema,
  estimatedValueSchema,
  judgedShape,
  thresholdSchema,
} from "./insights-values.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import { components } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The four ways in which an answer can name and cite an entity; each answer is in one. */
export const presenceWays = ["both", "mentionedOnly", "citedOnly", "neither"] as const;

/** One of the four ways. */
export type PresenceWay = (typeof presenceWays)[number];

/** Body of POST /v1/insights/presence. */
export const insightsPresenceRequestSchema = strictObject({
  entityId: uuidSchema.describe("The brand or a competitor."),
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
  compare: compareSchema.optional(),
  threshold: thresholdSchema.optional(),
  include: includeFactsSchema,
}).register(components, { id: "InsightsPresenceRequestDto" });

/** Reply of POST /v1/insights/presence, which the interface does not have. */
export const insightsPresenceResponseSchema = strictObject({
  entityId: uuidSchema,
  answers: z.int().min(0).describe("Answers that pass the filters."),
  prompts: z.int().min(0).describe("Prompts that they answer."),
  both: estimatedValueSchema.describe("Answers that mention it and cite it / answers."),
  mentionedOnly: estimatedValueSchema.describe("Answers that mention it alone / answers."),
  citedOnly: estimatedValueSchema.describe("Answers that cite it and do not name it / answers."),
  neither: estimatedValueSchema.describe("Answers that do neither / answers."),
  empty: emptySchema.nullable().describe("Null: there is something to say."),
  ...judgedShape,
}).register(components, { id: "InsightsPresenceResponseDto" });

/** Body of POST /v1/insights/presence, as sent. */
export type InsightsPresenceRequest = Readonly<z.infer<typeof insightsPresenceRequestSchema>>;
/** Reply of POST /v1/insights/presence. */
export type InsightsPresenceResponse = Readonly<z.infer<typeof insightsPresenceResponseSchema>>;

/** The operation on named and cited. */
export const insightsPresenceOperations = {
  insightsPresence: {
    summary: "Named and cited",
    tag: "Insights",
    description:
      "In how many answers an entity is mentioned and cited, mentioned only, cited only, or " +
      "neither: four shares of the same answers, which add up to 1, each with its 95 % interval.",
    scope: "read",
    method: "POST",
    path: "/v1/insights/presence",
    body: {
      "application/json": {
        schema: insightsPresenceRequestSchema,
        example: requestExamples.insightsPresence,
      },
    },
    reply: {
      schema: insightsPresenceResponseSchema,
      description: "The four shares.",
      example: replyExamples.insightsPresence,
    },
  },
} as const satisfies DeclaredOperations;

import { z } from "zod";
import {
  dateTimeSchema,
  excludeSchema,
  insightFiltersSchema,
  providerSchema,
  uuidSchema,
} from "./filters.ts";
import { includeFactsSchema, measurementFactsSchema } from "./insights-facts.ts";
import { emptySchema } from "./insights-values.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import { summaryMetricNames } from "./webhook-thresholds.ts";

/** How probable it is that a change is seen, unless said. */
export const powerUnlessSaid = 0.8;
/** The change that is planned for, unless said: of rates and shares, and of mean ranks. */
export const plannedChangeUnlessSaid = { rate: 0.05, rank: 0.5 } as const;
/** The answers a prompt and window that are planned, unless said. */
export const plannedAnswers = [1, 2, 3, 7, 14, 28] as const;
/** The most answers a prompt and window that are planned. */
export const plannedAnswersMax = 1_000;

const metricSchema = z
  .enum(summaryMetricNames)
  .meta(mayGrow)
  .register(components, { id: "SummaryMetricDto" });
const fraction = () => z.number().min(0).max(1);

/** Body of POST /v1/insights/plan. */
export const insightsPlanRequestSchema = strictObject({
  entityId: uuidSchema,
  metric: metricSchema,
  change: z
    .number()
    .gt(0)
    .max(100)
    .optional()
    .describe(
      `The change that is to be seen, at most 1 but for ranks; ${plannedChangeUnlessSaid.rate} ` +
        `unless said, of ranks ${plannedChangeUnlessSaid.rank}.`,
    ),
  power: z
    .number()
    .gt(0.5)
    .max(0.999)
    .optional()
    .describe(`How probable it is that the change is seen; ${powerUnlessSaid} unless said.`),
  answersPerPrompt: z
    .int()
    .min(1)
    .max(plannedAnswersMax)
    .optional()
    .describe(
      `Answers to each prompt in a window, of all providers and regions together; ` +
        `${plannedAnswers.join(", ")} unless said.`,
    ),
  rate: fraction()
    .optional()
    .describe("Plans for this value in place of the account's; for rates."),
  correlation: fraction()
    .optional()
    .describe("How alike answers to one prompt are, in place of the account's; for rates."),
  filters: insightFiltersSchema.describe(
    "The window and its answers; how they vary is also seen from the window before it.",
  ),
  exclude: excludeSchema.optional(),
  include: includeFactsSchema,
}).register(components, { id: "InsightsPlanRequestDto" });

/** One way to see a change. */
const planOptionSchema = strictObject({
  answersPerPrompt: z.int().min(1),
  prompts: z
    .int()
    .min(6)
    .nullable()
    .describe("The least number that shows the change. Null: more than a million."),
  requests: z.int().min(0).nullable().describe("prompts × answersPerPrompt, for one window."),
  cost: z
    .number()
    .min(0)
    .nullable()
    .describe("Of these requests in US dollars. Null: not every provider has a price."),
  leastChange: z
    .number()
    .min(0)
    .nullable()
    .describe("The least change that today's prompts show. Null: there are fewer than 6."),
  isCheapest: z
    .boolean()
    .describe(
      "Costs least, or asks least where a price is missing. False for ranks and shares of voice, " +
        "whose prompts are those for as many answers each as today.",
    ),
}).register(components, { id: "PlanOptionDto" });

/** Reply of POST /v1/insights/plan, which the interface does not have. */
export const insightsPlanResponseSchema = strictObject({
  metric: metricSchema,
  rate: z.number().nullable().describe("The value of both windows. Null: there is none."),
  withinVariance: z
    .number()
    .nullable()
    .describe("Of answers to one prompt within a window. Null: for ranks and shares of voice."),
  correlation: z
    .number()
    .nullable()
    .describe("How alike answers to one prompt are: 0 to 1. Null where withinVariance is."),
  drift: z
    .number()
    .nullable()
    .describe("The variance of prompts' own changes. Null where withinVariance is."),
  assumed: z
    .boolean()
    .describe(
      "The variation was not measured: each prompt has one answer a window, or it is given.",
    ),
  change: z.number(),
  power: z.number(),
  prompts: z.int().min(0).describe("Prompts with answers in the window."),
  now: strictObject({
    answersPerPrompt: z
      .number()
      .min(1)
      .nullable()
      .describe("The harmonic mean in the window. Null: for ranks and shares of voice."),
    leastChange: planOptionSchema.shape.leastChange.describe(
      "The least change that today's prompts show with these answers. Null as in the options.",
    ),
  }).describe("What today's prompts show with as many answers as they have."),
  windows: z
    .array(strictObject({ from: dateTimeSchema, to: dateTimeSchema }))
    .describe("Those that the variation was measured in, in UTC; `to` is not included."),
  prices: z
    .array(
      strictObject({
        provider: providerSchema,
        share: fraction().describe("Of the window's answers."),
        cost: z.number().min(0).nullable().describe("US dollars an answer. Null: not known."),
      }),
    )
    .describe("Of the providers with answers in the window."),
  options: z.array(planOptionSchema).describe("By answers a prompt, ascending."),
  empty: emptySchema.nullable().describe("Null: the window has answers."),
  facts: measurementFactsSchema
    .optional()
    .describe("Of the window of `filters`. Present when the request includes it."),
}).register(components, { id: "InsightsPlanResponseDto" });

/** Body of POST /v1/insights/plan, as sent. */
export type InsightsPlanRequest = Readonly<z.infer<typeof insightsPlanRequestSchema>>;
/** Reply of POST /v1/insights/plan. */
export type InsightsPlanResponse = Readonly<z.infer<typeof insightsPlanResponseSchema>>;

/** The operation on plans. */
export const insightsPlanOperations = {
  insightsPlan: {
    summary: "Plan",
    tag: "Insights",
    description:
      "How many prompts and answers show a change, what they cost, and the least change that " +
      "today's prompts show, from how the account's own answers vary.",
    scope: "read",
    method: "POST",
    path: "/v1/insights/plan",
    body: {
      "application/json": {
        schema: insightsPlanRequestSchema,
        example: requestExamples.insightsPlan,
      },
    },
    reply: {
      schema: insightsPlanResponseSchema,
      description: "The ways to see the change.",
      example: replyExamples.insightsPlan,
    },
  },
} as const satisfies DeclaredOperations;

import { z } from "zod";
import { excludeSchema, insightFiltersSchema } from "./filters.ts";
import { confidenceIntervalSchema, emptySchema } from "./insights-values.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** What lives of citations are grouped by. */
export const lifeGroupings = ["class", "provider", "domain", "page"] as const;

/** One of the groupings of lives. */
export type LifeGrouping = (typeof lifeGroupings)[number];

/** The most groups of one reply. */
export const lifeGroupsMax = 500;
/** Groups unless it is said. */
const lifeGroupsUnlessSaid = 100;
/** A life that has been survived for so many days is told of each group. */
export const survivalDays = 28;

const groupingSchema = z
  .enum(lifeGroupings)
  .meta(mayGrow)
  .register(components, { id: "LifeGroupingDto" });

/** Body of POST /v1/insights/citation-life. */
export const citationLifeRequestSchema = strictObject({
  by: groupingSchema,
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
  limit: z
    .int()
    .min(1)
    .max(lifeGroupsMax)
    .default(lifeGroupsUnlessSaid)
    .describe("Groups that are listed, those with the most citations first."),
}).register(components, { id: "CitationLifeRequestDto" });

const count = (what: string) => z.int().min(0).describe(what);
const days = () => z.number().min(0);

/** How long citations of a group last. */
const lifeGroupSchema = strictObject({
  key: z.string().describe("A class of sources, a provider, a domain or a page."),
  citations: count(
    "Lives: of a page in the answers of one provider in one region to one prompt, from a day " +
      "that cites it until it is missing on two days of answers in a row.",
  ),
  won: count("Lives that began after the first day of answers to their prompt."),
  lost: count("Lives that ended in the range. The others last until its end."),
  medianDays: days()
    .nullable()
    .describe("The day by which half have ended (Kaplan and Meier). Null: fewer have."),
  medianInterval: strictObject({ low: days(), high: days().nullable() })
    .nullable()
    .describe("Its 95 % interval; `high` null: it has no upper bound. Null: it has none at all."),
  survival28: strictObject({
    value: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(`The share that lasts longer than ${survivalDays} days. Null: none is known to.`),
    interval: confidenceIntervalSchema.nullable().describe("Null: no value, or it is 0 or 1."),
  }),
}).register(components, { id: "CitationLifeGroupDto" });

/** Reply of POST /v1/insights/citation-life, which the interface does not have. */
export const citationLifeResponseSchema = strictObject({
  by: groupingSchema,
  all: lifeGroupSchema.omit({ key: true }).describe("Of all citations together."),
  groups: z.array(lifeGroupSchema).describe("Those with the most citations first."),
  total: count("Groups, those that are not listed included."),
  empty: emptySchema.nullable().describe("Null: some answer that passes the filters cites a page."),
}).register(components, { id: "CitationLifeResponseDto" });

/** Body of POST /v1/insights/citation-life, as sent. */
export type CitationLifeRequest = Readonly<z.infer<typeof citationLifeRequestSchema>>;
/** Reply of POST /v1/insights/citation-life. */
export type CitationLifeResponse = Readonly<z.infer<typeof citationLifeResponseSchema>>;

/** The operation on how long citations last. */
export const citationLifeOperations = {
  citationLife: {
    summary: "Life of citations",
    tag: "Insights",
    description:
      "How long pages stay cited in the answers to a prompt, by class, provider, domain or page: " +
      "the median and the share that lasts longer than 28 days, with 95 % intervals; what was " +
      "won and lost.",
    scope: "read",
    method: "POST",
    path: "/v1/insights/citation-life",
    body: {
      "application/json": {
        schema: citationLifeRequestSchema,
        example: requestExamples.citationLife,
      },
    },
    reply: {
      schema: citationLifeResponseSchema,
      description: "The groups.",
      example: replyExamples.citationLife,
    },
  },
} as const satisfies DeclaredOperations;

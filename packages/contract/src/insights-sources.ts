import { z } from "zod";
import { citedSourceShape } from "./cited-source.ts";
import { dateTimeSchema, excludeSchema, insightFiltersSchema, uuidSchema } from "./filters.ts";
import {
  changeSchema,
  compareSchema,
  emptySchema,
  judgedShape,
  thresholdSchema,
} from "./insights-values.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import {
  groupingSchema,
  paginationSchema,
  sourceAnalysisRequestSchema,
  sourceSchema,
} from "./source-analysis.ts";
import { sourceClasses, sourceClassSchema, sourceFormSchema, sourceForms } from "./source-kinds.ts";
import { strictObject } from "./strict-object.ts";

/** What sources with gaps are ordered by. */
export const sourceOrders = ["citations", "opportunity"] as const;

/** One of the two orders. */
export type SourceOrder = (typeof sourceOrders)[number];

/** Body of POST /v1/insights/sources: that of operation 5, with a comparison and a source. */
export const insightsSourcesRequestSchema = strictObject({
  ...sourceAnalysisRequestSchema.shape,
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
  domain: citedSourceShape.domain.describe(
    "Only sources of this registrable domain are listed: with groupBy url, its pages.",
  ),
  url: citedSourceShape.url.describe(
    "Only this page is listed, in any spelling; with groupBy domain, its domain.",
  ),
  orderBy: z
    .enum(sourceOrders)
    .optional()
    .describe(
      "What comes first: the most citations (default), or the greatest `opportunity`. Sources " +
        "that are equal in it are in the order of citations, then of `source`.",
    ),
  sourceClasses: z
    .array(sourceClassSchema)
    .max(sourceClasses.length)
    .optional()
    .describe("Only sources of these classes are listed; omitted or empty: all."),
  forms: z
    .array(sourceFormSchema)
    .max(sourceForms.length)
    .optional()
    .describe(
      "Only pages of these forms are listed, and with groupBy domain the domains of such pages; " +
        "omitted or empty: all.",
    ),
  compare: compareSchema.optional(),
  threshold: thresholdSchema.optional(),
  include: z
    .array(z.enum(["facts", "classes"]).meta(mayGrow))
    .max(10)
    .optional()
    .describe(
      "facts: by what answers it was measured. classes: the citations of each class of sources.",
    ),
}).register(components, { id: "InsightsSourcesRequestDto" });

/** Whose sources there are. */
const sourceOwners = ["own", "competitor", "thirdParty"] as const;

const answers = () => z.int().min(0);

/** A cited domain or URL, whose it is, and who is visible where it is cited. */
const classifiedSourceSchema = strictObject({
  ...sourceSchema.shape,
  answers: answers().describe("Answers that cite it."),
  class: z
    .enum(sourceOwners)
    .meta(mayGrow)
    .describe("own: the brand's. competitor: a competitor's. thirdParty: of no tracked entity."),
  entityId: uuidSchema.nullable().describe("Whose it is. Null: of no tracked entity."),
  sourceClass: sourceClassSchema,
  form: sourceFormSchema.nullable().describe("What a page is. Null: a domain."),
  firstCitedAt: dateTimeSchema.describe("The first answer of the range that cites it."),
  lastCitedAt: dateTimeSchema.describe("The last answer of the range that cites it."),
  withBrand: answers().describe("Answers that cite it in which the brand is visible."),
  withBrandOnly: answers().describe("Those of them in which no competitor is visible."),
  withCompetitorOnly: answers().describe(
    "Answers that cite it in which a competitor is visible and the brand is not.",
  ),
  opportunity: z
    .number()
    .min(0)
    .max(1)
    .describe(
      "About which share of all answers that pass the filters cites it and shows a competitor " +
        "without the brand. The fewer prompts cite it, the more of its own gap is replaced by " +
        "the mean gap of all sources.",
    ),
  change: changeSchema.optional().describe("Of `share`. Present when the request has `compare`."),
}).register(components, { id: "ClassifiedSourceDto" });

/** Reply of POST /v1/insights/sources, which the interface does not have. */
export const insightsSourcesResponseSchema = strictObject({
  groupBy: groupingSchema,
  sources: z.array(classifiedSourceSchema).describe("As `orderBy` says."),
  pagination: paginationSchema,
  classes: z
    .array(
      strictObject({
        sourceClass: sourceClassSchema,
        domains: answers().describe("Domains with a citation of this class."),
        citations: answers(),
        share: z.number().min(0).max(1).describe("citations / all citations."),
      }).register(components, { id: "SourceClassShareDto" }),
    )
    .optional()
    .describe("Present when the request includes it: the classes that are cited, most first."),
  empty: emptySchema.nullable().describe("Null: some answers pass the filters."),
  ...judgedShape,
}).register(components, { id: "InsightsSourcesResponseDto" });

/** Body of POST /v1/insights/sources, as sent. */
export type InsightsSourcesRequest = Readonly<z.infer<typeof insightsSourcesRequestSchema>>;
/** Reply of POST /v1/insights/sources. */
export type InsightsSourcesResponse = Readonly<z.infer<typeof insightsSourcesResponseSchema>>;

/** The operation on sources with gaps. */
export const insightsSourcesOperations = {
  insightsSources: {
    summary: "Sources and gaps",
    tag: "Insights",
    description:
      "The sources of operation 5, each with whose it is, and how many of the answers that cite " +
      "it show the brand, or a competitor without the brand. Ordered by citations, or by " +
      "opportunity.",
    scope: "read",
    method: "POST",
    path: "/v1/insights/sources",
    body: {
      "application/json": {
        schema: insightsSourcesRequestSchema,
        example: requestExamples.insightsSources,
      },
    },
    reply: {
      schema: insightsSourcesResponseSchema,
      description: "One page.",
      example: replyExamples.insightsSources,
    },
  },
} as const satisfies DeclaredOperations;

import { z } from "zod";
import { filtersSchema } from "./filters.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import { type DeclaredOperations, json } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** What sources are grouped by. */
export const groupings = ["domain", "url"] as const;

/** One of the two groupings of sources. */
export type Grouping = (typeof groupings)[number];

/** How sources are grouped; a reply repeats that of its request. */
export const groupingSchema = z
  .enum(groupings)
  .meta(mayGrow)
  .register(components, { id: "GroupingDto" });

/** The maximum number of sources on one page (interface 2.4). */
export const pageSourcesMax = 100;

/** A count or an offset: an integer that a double holds exactly, which is what `int` means. */
const countSchema = z.int().min(0);

const limitFault = { error: `must be between 1 and ${pageSourcesMax}` };

/** Body of operation 5 (interface 2.4). */
export const sourceAnalysisRequestSchema = strictObject({
  limit: z.int().gt(0, limitFault).max(pageSourcesMax, limitFault),
  offset: countSchema,
  groupBy: groupingSchema,
  filters: filtersSchema,
}).register(components, { id: "SourceAnalysisRequestDto" });

/** A cited domain or URL. */
export const sourceSchema = strictObject({
  source: z.string().describe("A registrable domain or a canonical URL, as `groupBy` says."),
  share: z.number().min(0).max(1).describe("citations / all citations that pass the filters."),
  citations: countSchema.describe("Pairs of an answer and a URL it cites."),
}).register(components, { id: "SourceDto" });

/** Which of the sources a page shows. */
export const paginationSchema = strictObject({
  total: countSchema.describe("Distinct sources that pass the filters."),
  limit: z.int().gt(0),
  offset: countSchema,
  hasMore: z.boolean(),
}).register(components, { id: "PaginationDto" });

/** Reply of operation 5 (interface 2.5). */
export const sourceAnalysisResponseSchema = strictObject({
  groupBy: groupingSchema,
  sources: z.array(sourceSchema).describe("By citations, descending, then by source."),
  pagination: paginationSchema,
}).register(components, { id: "SourceAnalysisResponseDto" });

/** Body of operation 5, as sent. */
export type SourceAnalysisRequest = Readonly<z.infer<typeof sourceAnalysisRequestSchema>>;
/** Reply of operation 5. */
export type SourceAnalysisResponse = Readonly<z.infer<typeof sourceAnalysisResponseSchema>>;

/** The operation on sources. */
export const sourcesOperations = {
  sources: {
    tag: "Analytics",
    summary: "Sources",
    description:
      "Domains or URLs most often cited, ranked and paged. Ordered by citations, descending, " +
      "then by source. Pages are disjoint.",
    scope: "read",
    isPublished: true,
    method: "POST",
    path: "/v1/analytics/sources",
    body: json(sourceAnalysisRequestSchema, requestExamples.sources),
    reply: {
      schema: sourceAnalysisResponseSchema,
      description: "One page.",
      example: replyExamples.sources,
    },
  },
} as const satisfies DeclaredOperations;

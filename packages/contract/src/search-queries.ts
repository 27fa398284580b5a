import { z } from "zod";
import {
  dateTimeSchema,
  excludeSchema,
  insightFiltersSchema,
  providerSchema,
  uuidSchema,
} from "./filters.ts";
import { emptySchema, estimatedValueSchema } from "./insights-values.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import type { Provider } from "./providers.ts";
import { components } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import { entitiesMax } from "./workspace-file.ts";

/** The most queries on a page. */
export const pageQueriesMax = 100;
/** Queries on a page unless it is said. */
const pageQueriesUnlessSaid = 20;
/** The most entities that are told of on a page. */
const queryEntitiesMax = 20;

/** Providers of which no vendor tells what they searched for. */
export const silentProviders: readonly Provider[] = ["GOOGLE_AI_MODE", "GOOGLE_AI_OVERVIEW"];

/** Longer than the longest cursor: a query has at most some thousand characters. */
const cursorCharactersMax = 20_000;

/** Body of POST /v1/insights/queries. */
export const searchQueriesRequestSchema = strictObject({
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
  entityIds: z
    .array(uuidSchema)
    .max(Math.min(entitiesMax, queryEntitiesMax))
    .optional()
    .describe("Told of for each query; omitted or empty: the brand."),
  limit: z
    .int()
    .min(1)
    .max(pageQueriesMax)
    .default(pageQueriesUnlessSaid)
    .describe("Queries on the page."),
  cursor: z
    .string()
    .max(cursorCharactersMax)
    .optional()
    .describe("`nextCursor` of the page before, with the same filters."),
}).register(components, { id: "SearchQueriesRequestDto" });

const count = (what: string) => z.int().min(0).describe(what);

const searchQuerySchema = strictObject({
  query: z.string().describe("As it is counted: NFKC, lower case, single spaces."),
  answers: count("Answers that searched for it."),
  prompts: count("Prompts that they answer."),
  providers: z.array(providerSchema).describe("Of these answers."),
  added: z.array(z.string()).describe("Its words that stand in none of the prompts."),
  dropped: z.array(z.string()).describe("Words of all of these prompts that it lacks."),
  firstSeenAt: dateTimeSchema.describe("The first of the answers."),
  lastSeenAt: dateTimeSchema.describe("The last of the answers."),
  entities: z
    .array(
      strictObject({
        id: uuidSchema,
        mentions: estimatedValueSchema.describe("Of its answers those that mention the entity."),
        citations: estimatedValueSchema.describe("Of its answers those that cite the entity."),
      }).register(components, { id: "QueryEntityDto" }),
    )
    .describe("The brand first; those of `entityIds`."),
}).register(components, { id: "SearchQueryDto" });

/** Reply of POST /v1/insights/queries, which the interface does not have. */
export const searchQueriesResponseSchema = strictObject({
  searched: z
    .array(
      strictObject({
        provider: providerSchema,
        answers: count("Its answers that pass the filters."),
        searched: count("Those of them that tell what they searched for."),
        tells: z.boolean().describe("False: no vendor tells what this provider searches for."),
      }).register(components, { id: "SearchedDto" }),
    )
    .describe("Of the providers with answers."),
  queries: z
    .array(searchQuerySchema)
    .describe("Those of the most answers first; equal ones always in the same order."),
  total: count("Queries on all pages."),
  nextCursor: z.string().nullable().describe("Null: there are no more queries."),
  empty: emptySchema.nullable().describe("Null: some answers pass the filters."),
}).register(components, { id: "SearchQueriesResponseDto" });

/** Body of POST /v1/insights/queries, as it is validated. */
export type SearchQueriesRequest = Readonly<z.infer<typeof searchQueriesRequestSchema>>;
/** Reply of POST /v1/insights/queries. */
export type SearchQueriesResponse = Readonly<z.infer<typeof searchQueriesResponseSchema>>;

/** The operation on what answers searched for. */
export const searchQueriesOperations = {
  searchQueries: {
    summary: "Search queries",
    tag: "Insights",
    description:
      "What assistants searched the web for before they answered: distinct queries with their " +
      "answers, prompts and providers, the words added to the prompts and dropped, and how often " +
      "the answers mention and cite an entity.",
    scope: "read",
    method: "POST",
    path: "/v1/insights/queries",
    body: {
      "application/json": {
        schema: searchQueriesRequestSchema,
        example: requestExamples.searchQueries,
      },
    },
    reply: {
      schema: searchQueriesResponseSchema,
      description: "One page.",
      example: replyExamples.searchQueries,
    },
  },
} as const satisfies DeclaredOperations;

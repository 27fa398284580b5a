import { z } from "zod";
import { excludeSchema, insightFiltersSchema, uuidSchema } from "./filters.ts";
import { emptySchema, estimatedValueSchema } from "./insights-values.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import { components } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The most names on a page. */
export const pageNamesMax = 100;
/** Names on a page unless it is said. */
const pageNamesUnlessSaid = 20;
/** Longer than the longest cursor. */
const cursorCharactersMax = 100;

/** Body of POST /v1/insights/names. */
export const untrackedNamesRequestSchema = strictObject({
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
  limit: z
    .int()
    .min(1)
    .max(pageNamesMax)
    .default(pageNamesUnlessSaid)
    .describe("Names on the page."),
  cursor: z
    .string()
    .max(cursorCharactersMax)
    .optional()
    .describe("`nextCursor` of the page before, with the same filters."),
}).register(components, { id: "UntrackedNamesRequestDto" });

const untrackedNameSchema = strictObject({
  name: z.string().describe("As the first of its answers writes it."),
  kind: z.enum(["new", "alias"]).describe("`alias`: it looks like a spelling of `aliasOf`."),
  aliasOf: uuidSchema.nullable().describe("An entity; null: `new`."),
  answers: z.int().min(2).describe("Answers that have it."),
  prompts: z.int().min(2).describe("Prompts that they answer."),
  meanPlace: z
    .number()
    .min(1)
    .describe("One more than the tracked entities that these answers name before it, on average."),
  domain: z.string().nullable().describe("Cited, and called like it; null: none is."),
  example: strictObject({
    answerId: uuidSchema,
    start: z.int().min(0).describe("In UTF-16 code units of the answer's text."),
    end: z.int().min(1),
  })
    .nullable()
    .describe("Where the first of them has it; null: it was removed meanwhile."),
}).register(components, { id: "UntrackedNameDto" });

/** Reply of POST /v1/insights/names, which the interface does not have. */
export const untrackedNamesResponseSchema = strictObject({
  onlyUnknown: estimatedValueSchema.describe(
    "Answers that name somebody of the list and no tracked entity, of all answers.",
  ),
  names: z.array(untrackedNameSchema).describe("By answers, spread and how they are marked."),
  total: z.int().min(0).describe("Names on all pages."),
  nextCursor: z.string().nullable().describe("Null: there are no more names."),
  empty: emptySchema.nullable().describe("Null: some answers pass the filters."),
}).register(components, { id: "UntrackedNamesResponseDto" });

/** Body of POST /v1/insights/names, as it is validated. */
export type UntrackedNamesRequest = Readonly<z.infer<typeof untrackedNamesRequestSchema>>;
/** Reply of POST /v1/insights/names. */
export type UntrackedNamesResponse = Readonly<z.infer<typeof untrackedNamesResponseSchema>>;

/** The operation on names that nobody tracks. */
export const untrackedNamesOperations = {
  untrackedNames: {
    summary: "Untracked names",
    tag: "Insights",
    description:
      "Names that answers have and that no entity tracks, as candidates: with their answers and " +
      "prompts, their mean place beside tracked entities, a domain called like them and an " +
      "example; likely spellings of tracked names are told apart.",
    scope: "read",
    method: "POST",
    path: "/v1/insights/names",
    body: {
      "application/json": {
        schema: untrackedNamesRequestSchema,
        example: requestExamples.untrackedNames,
      },
    },
    reply: {
      schema: untrackedNamesResponseSchema,
      description: "One page.",
      example: replyExamples.untrackedNames,
    },
  },
} as const satisfies DeclaredOperations;

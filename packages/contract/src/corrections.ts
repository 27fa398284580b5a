import { z } from "zod";
import { dateTimeSchema, filtersSchema, uuidSchema } from "./filters.ts";
import { type DeclaredOperations, idInPath, json } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The address of an account's imports; an addition to the interface. */
export const importsPath = "/v1/imports";
/** The address of removing answers; an addition to the interface. */
export const deleteAnswersPath = "/v1/answers/delete";

/** The most ids of answers that one request removes. */
const deletedIdsMax = 1_000;

const lines = () => z.int().min(0);

/** An import of answers. */
export const importSchema = strictObject({
  id: uuidSchema.describe("Names this import."),
  startedAt: dateTimeSchema,
  state: z
    .enum(["complete", "running", "incomplete"])
    .meta(mayGrow)
    .describe(
      "complete: every line was read. running: it goes on, or its process was killed in the " +
        "last hour. incomplete: it broke off, and the lines after that were never read; the same " +
        "file again records the rest.",
    ),
  source: z
    .string()
    .describe("A file's name, what the sender named it (`?source=`), `standard input`, or `http`."),
  accepted: lines().describe("Lines whose answers were recorded."),
  duplicates: lines().describe("Lines whose answers were recorded before, with equal content."),
  rejected: lines().describe("Lines that were not recorded."),
  undoneAt: dateTimeSchema
    .nullable()
    .describe("When its answers were removed. Null: they were not."),
}).register(components, { id: "ImportDto" });

/** Reply of GET /v1/imports. */
const importsResponseSchema = strictObject({
  imports: z.array(importSchema).describe("Newest first; the latest 1000."),
}).register(components, { id: "ImportsResponseDto" });

const factsCurrent = z
  .boolean()
  .describe("false: the facts are still being built anew, and questions get the old numbers.");
const deleted = lines().describe("Answers that were removed for good.");

/** Reply of DELETE /v1/imports/{importId}. */
export const undoneImportResponseSchema = strictObject({ deleted, factsCurrent }).register(
  components,
  { id: "UndoneImportResponseDto" },
);

/** Body of POST /v1/answers/delete. */
export const deleteAnswersRequestSchema = strictObject({
  ids: z
    .array(uuidSchema)
    .min(1)
    .max(deletedIdsMax)
    .optional()
    .describe("The answers with these ids. Send either this or `filters`."),
  filters: filtersSchema
    .optional()
    .describe("The answers, of any outcome, that pass these. Send either this or `ids`."),
  dryRun: z.boolean().describe("true: says how many there are, and removes none."),
})
  .superRefine(({ ids, filters }, context) => {
    if ((ids === undefined) !== (filters === undefined)) return;
    context.addIssue({
      code: "custom",
      path: [],
      params: { code: ids === undefined ? "missing" : "excluded" },
      message: "must have either ids or filters",
    });
  })
  .register(components, { id: "DeleteAnswersRequestDto" });

/** Reply of POST /v1/answers/delete. */
export const deleteAnswersResponseSchema = strictObject({
  matched: lines().describe("Answers that are meant."),
  deleted,
  factsCurrent,
}).register(components, { id: "DeleteAnswersResponseDto" });

/** Reply of GET /v1/imports. */
export type ImportsResponse = Readonly<z.infer<typeof importsResponseSchema>>;
/** An import of answers. */
export type ListedImport = Readonly<z.infer<typeof importSchema>>;
/** Reply of DELETE /v1/imports/{importId}. */
export type UndoneImportResponse = Readonly<z.infer<typeof undoneImportResponseSchema>>;
/** Body of POST /v1/answers/delete. */
export type DeleteAnswersRequest = Readonly<z.infer<typeof deleteAnswersRequestSchema>>;
/** Reply of POST /v1/answers/delete. */
export type DeleteAnswersResponse = Readonly<z.infer<typeof deleteAnswersResponseSchema>>;

/** The operations that take answers back. */
export const correctionOperations = {
  imports: {
    tag: "Answers",
    summary: "List imports",
    description: "The account's imports.",
    scope: "import",
    method: "GET",
    path: importsPath,
    reply: { schema: importsResponseSchema, description: "The imports." },
  },
  undoImport: {
    tag: "Answers",
    summary: "Undo an import",
    description:
      "Removes every answer that the import recorded, for good. Repeating it removes what is " +
      "left.",
    scope: "manage",
    method: "DELETE",
    path: `${importsPath}/{importId}`,
    parameters: [idInPath("importId", "The import's id.")],
    reply: { schema: undoneImportResponseSchema, description: "What was removed." },
    errors: ["not_found"],
  },
  deleteAnswers: {
    tag: "Answers",
    summary: "Remove answers",
    description: "Counts or removes answers, for good, by id or by filters.",
    scope: "manage",
    method: "POST",
    path: deleteAnswersPath,
    body: json(deleteAnswersRequestSchema, {
      filters: { timeRange: { from: "2062-01-01T00:00:00Z", to: "2063-01-01T00:00:00Z" } },
      dryRun: true,
    }),
    reply: { schema: deleteAnswersResponseSchema, description: "What was removed." },
  },
} as const satisfies DeclaredOperations;

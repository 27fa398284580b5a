import { z } from "zod";
import { uuidSchema } from "./filters.ts";
import { answerLineExample, answerRecordsExample } from "./openapi-examples.ts";
import type { DeclaredOperations } from "./operation.ts";
import { components } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The address of recording answers; an addition to the interface. */
export const answersPath = "/v1/answers";

/** The media type of answers as CSV. */
export const csvMediaType = "text/csv";

/** The media types of its body: one answer on each line, or in each record of CSV. */
export const answersMediaTypes = [
  "application/x-ndjson",
  "application/ndjson",
  csvMediaType,
] as const;

/**
 * The name of an import's origin, such as a file's name, as the query parameter `source`.
 * Characters that are invisible or reverse the text are refused: the name is shown where somebody
 * decides which import to undo. The joiners of scripts and emoji are allowed.
 */
export const importSourceSchema = z
  .string()
  // Characters, where a length would count an emoji as two.
  .regex(/^(?:[\u200c\u200d]|[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]){1,255}$/u);

/** The source of answers that the console invented for a first look; the workspace counts them. */
export const sampleSource = "sample answers";

const lines = () => z.int().min(0);

/** A fault of a rejected line. */
const lineErrorSchema = strictObject({
  line: z.int().min(1).describe("The line's number in the body, from 1."),
  path: z.string().describe("JSON Pointer (RFC 6901) into the line; empty: the whole line."),
  message: z.string().describe("What must stand there, and what was sent."),
}).register(components, { id: "LineErrorDto" });

/** Reply of POST /v1/answers. */
export const importAnswersResponseSchema = strictObject({
  importId: uuidSchema.describe("Names this import."),
  accepted: lines().describe("Lines whose answers were recorded now."),
  duplicates: lines().describe("Lines whose answers were recorded before, with equal content."),
  rejected: lines().describe("Lines that were not recorded."),
  warnings: lines().describe(
    "Citations of accepted answers that are kept but never counted: not an http or https URL.",
  ),
  errors: z
    .array(lineErrorSchema)
    .describe("Every fault of the first 100 rejected lines, in the order of the body."),
}).register(components, { id: "ImportAnswersResponseDto" });

/** Reply of POST /v1/answers. */
export type ImportAnswersResponse = Readonly<z.infer<typeof importAnswersResponseSchema>>;

const lineBody = {
  schema: { type: "string", description: "One answer on each line, as JSON." },
  example: answerLineExample,
} as const;

/** The operation that records answers. */
export const importOperations = {
  importAnswers: {
    tag: "Answers",
    summary: "Record answers",
    description:
      "Records answers: NDJSON or CSV of any length, plain or with Content-Encoding gzip or " +
      "zstd. A rejected line does not stop the others. The same body again changes nothing, so a " +
      "request that broke off is sent again.",
    scope: "import",
    method: "POST",
    path: answersPath,
    parameters: [
      {
        name: "source",
        in: "query",
        description:
          "What the list of imports calls this one, such as the file's name: at most 255 " +
          "characters, none of them invisible. Omitted: http.",
        schema: { type: "string", minLength: 1, maxLength: 255 },
        example: "week-48.ndjson",
      },
    ],
    body: {
      "application/x-ndjson": lineBody,
      "application/ndjson": lineBody,
      [csvMediaType]: {
        schema: {
          type: "string",
          description: "The first record names the columns: the fields of an answer's line.",
        },
        example: answerRecordsExample,
      },
    },
    reply: { schema: importAnswersResponseSchema, description: "What became of each line." },
    errors: ["request_timeout"],
  },
} as const satisfies DeclaredOperations;

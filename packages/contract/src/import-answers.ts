import { z } from "zod";
import { uuidSchema } from "./filters.ts";
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
export const lineErrorSchema = strictObject({
  line: z.int().min(1).describe("The line's number in the body, from 1."),
  path: z.string().describe("JSON Pointer (RFC 6901) into the line; empty: the whole line."),
  message: z.string().describe("What must stand there, and what was sent."),
});

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
});

/** Reply of POST /v1/answers. */
export type ImportAnswersResponse = Readonly<z.infer<typeof importAnswersResponseSchema>>;

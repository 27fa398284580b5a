import { z } from "zod";
import { uuidSchema } from "./filters.ts";
import { confidenceIntervalSchema } from "./insights-values.ts";
import type { DeclaredOperations } from "./operation.ts";
import { components } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import { workspaceFileSchema } from "./workspace-file.ts";

/** The most answers that a preview reads; of more, these are a random sample. */
export const previewedAnswersMax = 5_000;

/** Body of POST /v1/workspace/preview: what of a workspace file finds entities in answers. */
export const workspacePreviewRequestSchema = strictObject({
  brand: workspaceFileSchema.shape.brand,
  competitors: workspaceFileSchema.shape.competitors,
}).register(components, { id: "WorkspacePreviewRequestDto" });

const differenceSchema = strictObject({
  read: z.int().min(0).describe("Of the answers that were read."),
  answers: z
    .int()
    .min(0)
    .describe("Of all answers: the same when all were read, else an estimate, rounded."),
  interval: confidenceIntervalSchema
    .nullable()
    .describe(
      "Of an estimate: how many of all answers it may be, by 95 %. Null: all were read, or too " +
        "few prompts.",
    ),
}).register(components, { id: "PreviewedDifferenceDto" });

const previewedSchema = strictObject({
  before: z.int().min(0).describe("Of the answers read, those that count now."),
  after: z.int().min(0).describe("Of the answers read, those that would count."),
  added: differenceSchema.describe("Answers that would count and do not now."),
  removed: differenceSchema.describe("Answers that count now and would not."),
}).register(components, { id: "PreviewedAnswersDto" });

/** Reply of POST /v1/workspace/preview, an addition to the interface. */
export const workspacePreviewResponseSchema = strictObject({
  answers: z.int().min(0).describe("Recorded answers of the account's prompts."),
  read: z.int().min(0).describe("Of them, those that were read."),
  isSample: z
    .boolean()
    .describe(
      `true: a random sample was read, of at most ${previewedAnswersMax} answers, or of those ` +
        "that were read within half the time of a request.",
    ),
  entities: z
    .array(
      strictObject({
        id: uuidSchema,
        name: z.string(),
        mentions: previewedSchema.describe("Answers that mention it."),
        citations: previewedSchema.describe("Answers that cite it."),
      }).register(components, { id: "PreviewedEntityDto" }),
    )
    .describe("Those for which any answer read differs, and those whose own names or domains do."),
}).register(components, { id: "WorkspacePreviewResponseDto" });

/** Body of POST /v1/workspace/preview, as sent. */
export type WorkspacePreviewRequest = Readonly<z.input<typeof workspacePreviewRequestSchema>>;
/** Reply of POST /v1/workspace/preview. */
export type WorkspacePreviewResponse = Readonly<z.infer<typeof workspacePreviewResponseSchema>>;

/** The operation on what a change of names and domains would do. */
export const workspacePreviewOperations = {
  workspacePreview: {
    tag: "Workspace",
    summary: "Preview names and domains",
    description:
      "How many recorded answers would begin or stop to mention and to cite each entity, were " +
      "the brand and the competitors those of the body. Nothing is stored. Prompts stay as they " +
      "are. " +
      `Of more than ${previewedAnswersMax} answers a random sample is read, the same for equal ` +
      "records.",
    scope: "manage",
    method: "POST",
    path: "/v1/workspace/preview",
    body: {
      "application/json": {
        schema: workspacePreviewRequestSchema,
        example: {
          brand: { name: "Acme", aliases: ["Acme Labs"], domains: ["acme.com"] },
          competitors: ["Globex"],
        },
      },
    },
    reply: { schema: workspacePreviewResponseSchema, description: "What would change." },
  },
} as const satisfies DeclaredOperations;

import { z } from "zod";
import { dateTimeSchema, excludeSchema, insightFiltersSchema, uuidSchema } from "./filters.ts";
import { csvMediaType, importAnswersResponseSchema } from "./import-answers.ts";
import { replyExamples, requestExamples } from "./openapi-examples.ts";
import { type DeclaredOperations, json } from "./operation.ts";
import { portrayalFlags } from "./portrayal.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The address of an account's labels; an addition to the interface. */
const labelsPath = "/v1/labels";

/** The most labels of an account: a question reads all of them. */
export const labelsMax = 20_000;

/** The most labels of a page. */
export const pageLabelsMax = 1_000;

/** The most answers that are drawn together: as many as a person reads in weeks. */
export const sampleAnswersMax = 5_000;

/** The greatest seed of a draw. */
export const sampleSeedMax = 2 ** 31;

/** What a label can be about: the values of a summary that count answers. */
export const labelMetrics = ["mentions", "citations", ...portrayalFlags] as const;

/** One of them. */
export type LabelMetric = (typeof labelMetrics)[number];

const labellerCharactersMax = 100;

/** Characters that are invisible or reverse the text are refused: the name is shown in lists. */
const labellerSchema = z
  .string()
  .regex(new RegExp(`^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]{1,${labellerCharactersMax}}$`, "u"), {
    error: `must have 1 to ${labellerCharactersMax} characters, none of them invisible`,
  })
  .describe(`Who says so: a name of at most ${labellerCharactersMax} characters.`);

const labelMetricSchema = z
  .enum(labelMetrics)
  .meta(mayGrow)
  .describe(
    "What it is about: whether the answer mentions the entity, cites it, or says this of it.",
  );

const shape = {
  answerId: uuidSchema.describe("The answer that was read."),
  entityId: uuidSchema.describe("The brand or a competitor."),
  metric: labelMetricSchema,
  value: z.boolean().describe("true: the answer does. false: it does not."),
  labeller: labellerSchema,
} as const;

/** A line of an import of labels. */
export const labelLineSchema = strictObject({
  ...shape,
  labelledAt: dateTimeSchema.optional(),
});

/** A label as it is listed. */
const labelSchema = strictObject({
  ...shape,
  labelledAt: dateTimeSchema.describe("When it was said."),
}).register(components, { id: "LabelDto" });

const lines = () => z.int().min(0);

/** Reply of POST /v1/labels. */
export const importLabelsResponseSchema = strictObject({
  accepted: lines().describe("Lines whose labels are stored now."),
  duplicates: lines().describe(
    "Lines that change nothing: the labeller said so before, or something else later.",
  ),
  rejected: importAnswersResponseSchema.shape.rejected,
  errors: importAnswersResponseSchema.shape.errors,
}).register(components, { id: "ImportLabelsResponseDto" });

/** Reply of GET /v1/labels. */
export const labelsResponseSchema = strictObject({
  labels: z.array(labelSchema).describe("By answer, entity, metric and labeller."),
  nextCursor: z.string().nullable().describe("For the next page. Null: this is the last."),
}).register(components, { id: "LabelsResponseDto" });

/** Reply of DELETE /v1/labels. */
export const deletedLabelsSchema = strictObject({
  deleted: lines().describe("Labels that were removed."),
}).register(components, { id: "DeletedLabelsDto" });

const sampleLimitFault = { error: `must be between 1 and ${sampleAnswersMax}` };
const seedFault = { error: `must be between 0 and ${sampleSeedMax}` };

/** Body of POST /v1/labels/sample. */
export const labelSampleRequestSchema = strictObject({
  entityId: uuidSchema.describe("The brand or a competitor."),
  metric: labelMetricSchema,
  limit: z
    .int()
    .min(1, sampleLimitFault)
    .max(sampleAnswersMax, sampleLimitFault)
    .default(200)
    .describe("How many answers are drawn. A larger draw begins with those of a smaller one."),
  seed: z
    .int()
    .min(0, seedFault)
    .max(sampleSeedMax, seedFault)
    .default(1)
    .describe("The same seed draws the same answers of the same record; another draws others."),
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
}).register(components, { id: "LabelSampleRequestDto" });

/** Reply of POST /v1/labels/sample. */
export const labelSampleResponseSchema = strictObject({
  answers: lines().describe(
    "Answers that could be drawn: those that pass the filters and have a text; for what is said, " +
      "those of them that mention the entity and were read.",
  ),
  prompts: lines().describe("Prompts that they answer."),
  sample: z
    .array(strictObject({ answerId: uuidSchema, promptId: uuidSchema }))
    .describe(
      "In the order of the draw, which is by prompt: each prompt has the same chance, and none " +
        "comes again before all others have. Fewer than `limit` when there are no more answers.",
    ),
}).register(components, { id: "LabelSampleResponseDto" });

/** Reply of POST /v1/labels/sample. */
export type LabelSampleResponse = Readonly<z.infer<typeof labelSampleResponseSchema>>;
/** Reply of POST /v1/labels. */
export type ImportLabelsResponse = Readonly<z.infer<typeof importLabelsResponseSchema>>;
/** Reply of GET /v1/labels. */
export type LabelsResponse = Readonly<z.infer<typeof labelsResponseSchema>>;
/** Reply of DELETE /v1/labels. */
export type DeletedLabelsResponse = Readonly<z.infer<typeof deletedLabelsSchema>>;

/** A label of the answer that is the example of one. */
const example = {
  answerId: "a8e2f588-009a-58c2-ac6a-1d6d9cffeaef",
  entityId: "aaaaaaaa-0000-4000-8000-000000000001",
  metric: "mentions",
  value: true,
  labeller: "ann",
  labelledAt: "2026-01-20T09:00:00Z",
};

const lineBody = {
  schema: { type: "string", description: "One label on each line, as JSON." },
  example: `${JSON.stringify(example)}\n`,
} as const;

const narrowing = (name: string, description: string, format?: "uuid") => ({
  name,
  in: "query",
  description,
  schema: { type: "string", ...(format === undefined ? {} : { format }) },
});

const named = [
  narrowing("answerId", "Only labels of this answer.", "uuid"),
  narrowing("labeller", "Only labels of this labeller."),
  narrowing("entityId", "Only labels of this entity.", "uuid"),
  narrowing("metric", "Only labels of this metric."),
];

/** The operations on labels. */
export const labelOperations = {
  importLabels: {
    tag: "Labels",
    summary: "Import labels",
    description:
      "Stores what people say of answers: whether one mentions or cites an entity, or says " +
      "something of it. NDJSON or CSV, plain or with Content-Encoding gzip or zstd. A " +
      "rejected line does not stop the others. Of one labeller, the last label of an " +
      `answer, an entity and a metric counts. An account has at most ${labelsMax} labels.`,
    scope: "import",
    method: "POST",
    path: labelsPath,
    body: {
      "application/x-ndjson": lineBody,
      "application/ndjson": lineBody,
      [csvMediaType]: {
        schema: {
          type: "string",
          description: "The first record names the columns: the fields of a label's line.",
        },
        example: `${Object.keys(example).join(",")}\r\n${Object.values(example).join(",")}\r\n`,
      },
    },
    reply: { schema: importLabelsResponseSchema, description: "What became of each line." },
    errors: ["request_timeout"],
  },
  labels: {
    tag: "Labels",
    summary: "List labels",
    description: "The account's labels, by page.",
    scope: "read",
    method: "GET",
    path: labelsPath,
    parameters: [
      ...named,
      {
        name: "limit",
        in: "query",
        description: "Labels on the page.",
        schema: { type: "integer", minimum: 1, maximum: pageLabelsMax, default: pageLabelsMax },
      },
      narrowing("cursor", "`nextCursor` of the page before."),
    ],
    reply: { schema: labelsResponseSchema, description: "A page of labels." },
  },
  deleteLabels: {
    tag: "Labels",
    summary: "Remove labels",
    description:
      "Removes labels for good: those of an answer, of a labeller, or of both; an entity and a " +
      "metric leave fewer. `answerId` or `labeller` is required.",
    scope: "import",
    method: "DELETE",
    path: labelsPath,
    parameters: named,
    reply: { schema: deletedLabelsSchema, description: "What was removed." },
  },
  labelSample: {
    tag: "Labels",
    summary: "Draw answers to label",
    description:
      "Draws answers at random, to be read and labelled. Labels of answers that somebody chose " +
      "would say nothing of the others.",
    scope: "read",
    method: "POST",
    path: `${labelsPath}/sample`,
    body: json(labelSampleRequestSchema, requestExamples.labelSample),
    reply: {
      schema: labelSampleResponseSchema,
      description: "The answers, in the order of the draw.",
      example: replyExamples.labelSample,
    },
  },
} as const satisfies DeclaredOperations;

import { z } from "zod";
import { dateTimeSchema, filtersSchema, providerSchema, uuidSchema } from "./filters.ts";
import { estimatedValueSchema } from "./insights-values.ts";
import { type DeclaredOperations, json } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { statedFactSchema } from "./stated-facts.ts";
import { strictObject } from "./strict-object.ts";

const countSchema = z.int().min(0);
const readerIdSchema = z
  .string()
  .regex(/^[0-9a-f]{16}$/, { error: "must be the id of a reader: 16 hexadecimal digits" });

/** Body of POST /v1/readings. */
export const readingRequestSchema = strictObject({
  filters: filtersSchema.describe("Which answers are read."),
  dryRun: z
    .boolean()
    .optional()
    .describe("true: says what it would ask and cost, and sends nothing."),
}).register(components, { id: "ReadingRequestDto" });

/** Reply of POST /v1/readings. */
export const startedReadingSchema = strictObject({
  id: uuidSchema
    .nullable()
    .describe("The collection that asks. Null: a dry run, or there is nothing to read."),
  reader: readerIdSchema.describe("Of endpoint, model, parameters and prompt."),
  model: z.string().describe("The model, as it is asked for."),
  answers: countSchema.describe("Answers to read."),
  alreadyRead: countSchema.describe(
    "Answers that this reader has read, or that are being read: they are not read again.",
  ),
  nothingToRead: countSchema.describe(
    "Answers that name nobody, or have no text or one of more than 100,000 characters.",
  ),
  requests: countSchema.describe("One for each answer; every twentieth answer is read twice."),
  inputTokens: countSchema.describe("Expected: four bytes a token."),
  outputTokens: countSchema.describe("Expected."),
  dollars: z.number().min(0).nullable().describe("Expected. Null: the price is not known."),
}).register(components, { id: "StartedReadingDto" });

/** What an answer may say of an aspect of an entity. */
const findingKinds = [
  "recommended",
  "praised",
  "criticized",
  "discouraged",
  "notFound",
  "claim",
] as const;

const aspectsMax = 100;
const idsMax = 10;
const pagesMax = 10;

/** Body of POST /v1/insights/claims. */
export const claimsRequestSchema = strictObject({
  filters: filtersSchema,
  reader: readerIdSchema.optional().describe("Omitted: that of the latest reading."),
  limit: z
    .int()
    .min(1)
    .max(aspectsMax)
    .optional()
    .describe("Aspects of each entity, by answers. Omitted: 20."),
  quotesOf: uuidSchema
    .optional()
    .describe("The entity whose aspects have `claims`. Omitted: no claims are quoted."),
}).register(components, { id: "ClaimsRequestDto" });

const readerSchema = strictObject({
  name: z.enum(["model"]).meta(mayGrow),
  id: readerIdSchema,
  model: z.string().describe("As it is asked for."),
  models: z.array(z.string()).describe("As replies name it."),
  promptVersion: z.int().min(1),
  promptHash: z.string(),
  parameters: z.record(z.string(), z.unknown()).describe("As they were sent."),
  firstReadAt: dateTimeSchema,
  lastReadAt: dateTimeSchema,
  dollars: z.number().min(0).describe("What the readings cost."),
  answers: countSchema.describe("Answers that were read."),
  findings: countSchema.describe("Findings that count."),
  dropped: z
    .array(strictObject({ reason: z.string(), findings: countSchema }))
    .describe("Findings that do not count, by reason, the most frequent first."),
  agreement: strictObject({
    answers: countSchema.describe("Answers that were read twice."),
    pairs: countSchema.describe("Of an answer, an entity and a flag, that are compared."),
    alpha: z
      .number()
      .max(1)
      .nullable()
      .describe("Krippendorff's α of the flags. Null: nothing is compared, or nothing varies."),
  }),
}).register(components, { id: "ModelReaderDto" });

const claimSchema = strictObject({
  answerId: uuidSchema,
  answeredAt: dateTimeSchema,
  provider: providerSchema,
  kind: z.enum(findingKinds).meta(mayGrow),
  quote: z.string().describe("As it stands in the answer."),
  pages: z.array(z.string()).describe("Pages that the answer cites in the line of the quote."),
  verdict: z
    .enum(["agrees", "differs", "unclear"])
    .nullable()
    .describe("Against `fact`. Null: it was not compared."),
  fact: z
    .string()
    .nullable()
    .describe("What the workspace file states for the day of the answer. Null: nothing."),
}).register(components, { id: "QuotedClaimDto" });

const comparedFactsSchema = strictObject({
  stated: z
    .array(statedFactSchema)
    .describe("Facts of this aspect; the one that ends first, first."),
  agrees: countSchema.describe("Answers with a claim that agrees, and none that differs."),
  differs: countSchema.describe("Answers with a claim that differs."),
  unclear: countSchema.describe("Answers whose claims the rules cannot compare."),
  notCompared: countSchema.describe("Answers beyond the latest 5,000 claims that are compared."),
}).register(components, { id: "ComparedFactsDto" });

const aspectSchema = strictObject({
  aspect: z.string().describe("As the model calls it, in lower case."),
  answers: countSchema.describe("Answers that say something of it."),
  kinds: z
    .array(strictObject({ kind: z.enum(findingKinds).meta(mayGrow), answers: countSchema }))
    .describe("What they say. claim: a fact, without judging."),
  providers: z.array(providerSchema),
  answerIds: z.array(uuidSchema).describe(`The latest, at most ${idsMax}.`),
  pages: z
    .array(strictObject({ url: z.string(), answers: countSchema }))
    .describe(`Pages that answers cite in the line of the quote, at most ${pagesMax}.`),
  facts: comparedFactsSchema
    .optional()
    .describe("How answers agree with the workspace file. Omitted: it states no such fact."),
  claims: z
    .array(claimSchema)
    .optional()
    .describe(
      `At most ${idsMax}: those that differ from a fact first, then the latest. Present for the ` +
        "entity `quotesOf`.",
    ),
}).register(components, { id: "ClaimedAspectDto" });

const saidOf = (what: string) =>
  estimatedValueSchema.describe(`${what} / answers that mention it and were read.`);

const claimedEntitySchema = strictObject({
  id: uuidSchema,
  name: z.string(),
  recommended: saidOf("Answers that recommend it"),
  praised: saidOf("Answers that state an advantage of it"),
  criticized: saidOf("Answers that state a drawback of it"),
  discouraged: saidOf("Answers that advise against it"),
  notFound: saidOf("Answers that say that they found nothing about it"),
  aspects: z.array(aspectSchema).describe("By answers, the most first, then by aspect."),
  moreAspects: countSchema.describe("Aspects beyond the limit."),
}).register(components, { id: "ClaimedEntityDto" });

/** Reply of POST /v1/insights/claims. */
export const claimsResponseSchema = strictObject({
  reader: readerSchema.nullable().describe("Null: no answer that passes was read."),
  entities: z.array(claimedEntitySchema).describe("In the order of the workspace."),
}).register(components, { id: "ClaimsResponseDto" });

/** Body of POST /v1/readings. */
export type ReadingRequest = Readonly<z.infer<typeof readingRequestSchema>>;
/** Reply of POST /v1/readings. */
export type StartedReading = Readonly<z.infer<typeof startedReadingSchema>>;
/** Body of POST /v1/insights/claims. */
export type ClaimsRequest = Readonly<z.infer<typeof claimsRequestSchema>>;
/** Reply of POST /v1/insights/claims. */
export type ClaimsResponse = Readonly<z.infer<typeof claimsResponseSchema>>;

const filters = {
  timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" },
} as const;

/** The operation that has answers read by a model. */
export const readingOperations = {
  startReading: {
    summary: "Have answers read by a model",
    description:
      "Asks the model that the operator configured what answers say of the entities, or says " +
      "what that would cost. It goes on after the reply, as a collection whose parts have the " +
      "vendor `reader`: follow it by its id. Answers that were read are not read again.",
    tag: "Collection",
    scope: "manage",
    method: "POST",
    path: "/v1/readings",
    body: json(readingRequestSchema, { filters, dryRun: true }),
    reply: {
      schema: startedReadingSchema,
      description: "What it would ask and cost, or nothing to read.",
      accepted: "The answers are being read.",
    },
    errors: ["not_found", "collection_off"],
  },
} as const satisfies DeclaredOperations;

/** The operation on what a model read. */
export const claimsOperations = {
  insightsClaims: {
    summary: "What answers say of aspects",
    description:
      "What a model read in answers: how often each entity is recommended, praised, criticized, " +
      "advised against or not found, and what is said of which aspect of it, by which answers " +
      "and next to which cited pages. Each finding has a verbatim quote. Numbers of the rules " +
      "are in the summary, and never mixed with these.",
    tag: "Insights",
    scope: "read",
    method: "POST",
    path: "/v1/insights/claims",
    body: json(claimsRequestSchema, { filters }),
    reply: {
      schema: claimsResponseSchema,
      description: "The reader, and what it found.",
      example: { reader: null, entities: [] },
    },
  },
} as const satisfies DeclaredOperations;

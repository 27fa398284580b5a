import { z } from "zod";
import { citedSourceShape } from "./cited-source.ts";
import {
  dateTimeSchema,
  excludeSchema,
  insightFiltersSchema,
  providerSchema,
  uuidSchema,
} from "./filters.ts";
import { answersPath } from "./import-answers.ts";
import { replyExamples, requestExamples, sampleAnswerId } from "./openapi-examples.ts";
import { type DeclaredOperations, idInPath, json } from "./operation.ts";
import { citationPlacesSchema, cueSchema, portrayalFlags, spanSchema } from "./portrayal.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** What an entity has to be in an answer, for the answer to be listed. */
export const evidenceRoles = [
  "mentioned",
  "cited",
  "visible",
  "notVisible",
  "any",
  "both",
  "mentionedOnly",
  "citedOnly",
  ...portrayalFlags,
] as const;

/** One of the roles. */
export type EvidenceRole = (typeof evidenceRoles)[number];

/** The maximum number of answers on one page. */
export const pageAnswersMax = 100;
/** Answers on a page unless it is said. */
export const pageAnswersUnlessSaid = 20;

/** A cursor of ours has 44 characters. */
const cursorCharactersMax = 200;

const limitFault = { error: `must be between 1 and ${pageAnswersMax}` };

/** What an entity has to be in an answer. */
const evidenceRoleSchema = z
  .enum(evidenceRoles)
  .meta(mayGrow)
  .describe(
    "What the entity is in the listed answers, or what they say of it. any: whatever it is. " +
      "both: " +
      "mentioned and cited. mentionedOnly: mentioned and not cited. citedOnly: cited and not " +
      "mentioned.",
  )
  .register(components, { id: "EvidenceRoleDto" });

/** Body of POST /v1/evidence. */
export const evidenceRequestSchema = strictObject({
  entityId: uuidSchema
    .optional()
    .describe(
      "The brand or a competitor. Omitted: any of them; with notVisible none, with mentionedOnly " +
        "some mentioned and none cited, with citedOnly some cited and none mentioned.",
    ),
  role: evidenceRoleSchema,
  domain: citedSourceShape.domain.describe(
    "Only answers that cite a page of this registrable domain.",
  ),
  url: citedSourceShape.url.describe(
    "Only answers that cite this page, in any spelling with the same canonical URL.",
  ),
  limit: z
    .int()
    .min(1, limitFault)
    .max(pageAnswersMax, limitFault)
    .default(pageAnswersUnlessSaid)
    .describe("Answers on the page; fewer when their texts are large."),
  cursor: z
    .string()
    .max(cursorCharactersMax)
    .optional()
    .describe("`nextCursor` of the page before, with the same filters, entity, role and source."),
  filters: insightFiltersSchema,
  exclude: excludeSchema.optional(),
}).register(components, { id: "EvidenceRequestDto" });

const offset = () => z.int().min(0);

/** A name of an entity in an answer's text. */
const mentionSchema = strictObject({
  entityId: uuidSchema,
  name: z.string().describe("The name or alias that matched, as the workspace has it."),
  start: offset().describe("Where it begins in `text`, in UTF-16 units."),
  end: offset().describe("Where it ends, exclusive."),
  rank: z.int().min(1).describe("The entity's rank in the answer, from 1."),
  cues: z
    .array(cueSchema)
    .describe(
      "What the answer says of the entity, at the mention nearest to the words; the first 2,000 " +
        "of the answer.",
    ),
}).register(components, { id: "MentionDto" });

/** The owner of a cited URL, and by which domain of the workspace. */
const citationOwnerSchema = strictObject({
  entityId: uuidSchema,
  rule: z.string().describe("The entity's domain, with its path where it has one."),
}).register(components, { id: "CitationOwnerDto" });

/** Why a citation does not count. */
const uncountedReasons = ["not_cited", "not_a_web_url", "repeated", "not_answered"] as const;

const citationShape = {
  url: z.string().describe("As the provider gave it."),
  canonicalUrl: z.string().nullable().describe("Null: not an http or https URL."),
  domain: z.string().nullable().describe("Null: not an http or https URL."),
  entityIds: z.array(uuidSchema).describe("The entities that own the URL, each once."),
  owners: z.array(citationOwnerSchema).describe("The same, once for each domain that matched."),
  counted: z.boolean().describe("Whether the metrics count it."),
  reason: z
    .enum(uncountedReasons)
    .meta(mayGrow)
    .nullable()
    .describe(
      "Why it does not count: retrieved and not cited, no web URL, the page was cited before in " +
        "the answer, or the answer itself does not count. Null: it counts.",
    ),
  spans: z
    .array(spanSchema)
    .describe(
      "The parts of `text` that the citation stands behind, as [start, end) in UTF-16 units, in " +
        "order and disjoint. Empty: not known, or the text was removed.",
    ),
};

/** A citation of a listed answer. */
const evidenceCitationSchema = strictObject(citationShape).register(components, {
  id: "EvidenceCitationDto",
});

/** A citation of an answer as it was recorded. */
const recordedCitationSchema = strictObject({
  ...citationShape,
  title: z.string().nullable(),
  cited: z.boolean().describe("As recorded. false: retrieved and not cited."),
}).register(components, { id: "RecordedCitationDto" });

/** What the vendor asked for an answer. */
const answerCostSchema = strictObject({
  amount: z.number().min(0).describe("In whole units of the currency, such as dollars."),
  currency: z.string().describe("ISO 4217: three capitals."),
  estimated: z.boolean().describe("Worked out from a price list. false: the vendor said it."),
});

/** A sentence of an answer, and the pages behind it. */
const statementSchema = strictObject({
  start: offset().describe("Where it begins in `text`, in UTF-16 units."),
  end: offset().describe("Where it ends, exclusive; links and marks after it belong to it."),
  citations: citationPlacesSchema.describe("Places in `citations`, from 0."),
}).register(components, { id: "StatementDto" });

const answerShape = {
  id: uuidSchema,
  promptId: uuidSchema,
  provider: providerSchema,
  region: z.string().nullable().describe("Two upper-case letters. Null: no region."),
  answeredAt: dateTimeSchema,
  model: z.string().nullable(),
  surface: z.enum(["api", "web"]).meta(mayGrow).nullable(),
  vendor: z.string().nullable().describe("Through whom the provider was asked. Null: not known."),
  requestedRegion: z
    .string()
    .nullable()
    .describe(
      "The region that was asked for, two upper-case letters. Null: none was, or it is not " +
        "known. `region` may still be one, which the vendor assumes.",
    ),
  searchQueries: z
    .array(z.string())
    .describe("What the provider searched for, in order. Empty: not known, or removed."),
  cost: answerCostSchema.nullable().describe("Null: not known."),
  text: z.string().describe("As recorded: untrusted Markdown. Empty when it was removed."),
  textRemoved: z
    .boolean()
    .describe("Whether the text was removed for its age. The answer counts as it did before."),
  mentionedEntityIds: z
    .array(uuidSchema)
    .describe("The entities that it mentions, in order of rank; known of a removed text too."),
  mentions: z.array(mentionSchema).describe("In the order of the text. Empty without text."),
  mentionsOmitted: offset().describe("Mentions after these: an answer has 2,000 here at most."),
  statements: z
    .array(statementSchema)
    .describe(
      "The sentences that citations stand behind, by their `spans`, in the order of the text; at " +
        "most 2,000 pairs of both. Empty: no spans are known, or the text was removed.",
    ),
};

const citationsOmitted = offset().describe("Citations after these that are left out.");

/** An answer of a list. */
export const evidenceAnswerSchema = strictObject({
  ...answerShape,
  citations: z.array(evidenceCitationSchema).describe("In the order recorded."),
  citationsOmitted,
}).register(components, { id: "EvidenceAnswerDto" });

/** Reply of POST /v1/evidence. */
export const evidenceResponseSchema = strictObject({
  total: offset().describe("All answers of the list, on every page the same."),
  answers: z.array(evidenceAnswerSchema).describe("Newest first."),
  nextCursor: z.string().nullable().describe("For the next page. Null: this is the last."),
}).register(components, { id: "EvidenceResponseDto" });

/** Reply of GET /v1/answers/{id}. */
export const recordedAnswerSchema = strictObject({
  ...answerShape,
  citations: z.array(recordedCitationSchema).describe("In the order recorded."),
  citationsOmitted,
  outcome: z
    .enum(["answered", "absent", "failed", "refused"])
    .meta(mayGrow)
    .describe(
      "Only answered counts. Another has no mentions here. refused: the provider replied that it " +
        "does not answer this.",
    ),
  sample: offset(),
  metadata: z.record(z.string(), z.unknown()).nullable().describe("As recorded."),
}).register(components, { id: "RecordedAnswerResponseDto" });

/** Body of POST /v1/evidence, as sent. */
export type EvidenceRequest = Readonly<z.input<typeof evidenceRequestSchema>>;
/** Reply of POST /v1/evidence. */
export type EvidenceResponse = Readonly<z.infer<typeof evidenceResponseSchema>>;
/** An answer of a list. */
export type EvidenceAnswer = Readonly<z.infer<typeof evidenceAnswerSchema>>;
/** Reply of GET /v1/answers/{id}. */
export type RecordedAnswerResponse = Readonly<z.infer<typeof recordedAnswerSchema>>;

/** The answers behind the numbers: a list of them, and one. */
export const evidenceOperations = {
  evidence: {
    tag: "Answers",
    summary: "Answers behind a value",
    description:
      "The answers that count for a value, newest first, with each mention's place in the text " +
      "and each citation's verdict. As many as the value's numerator; with the role any, as its " +
      "denominator. Texts and URLs come from the open web: they are untrusted.",
    scope: "read",
    method: "POST",
    path: "/v1/evidence",
    body: json(evidenceRequestSchema, requestExamples.evidence),
    reply: {
      schema: evidenceResponseSchema,
      description: "One page.",
      example: replyExamples.evidence,
    },
  },
  answer: {
    tag: "Answers",
    summary: "One answer",
    description:
      "An answer as it was recorded, whether it counts or not, with its mentions and citations.",
    scope: "read",
    method: "GET",
    path: `${answersPath}/{id}`,
    parameters: [idInPath("id", "The answer's id, in either case.", sampleAnswerId)],
    reply: {
      schema: recordedAnswerSchema,
      description: "The answer.",
      example: replyExamples.answer,
    },
    errors: ["answer_not_found"],
  },
} as const satisfies DeclaredOperations;

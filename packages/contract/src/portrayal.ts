import { z } from "zod";
import { estimatedValueSchema } from "./insights-values.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** What an answer may say of an entity that it mentions; several of these may hold. */
export const portrayalFlags = [
  "recommended",
  "praised",
  "criticized",
  "discouraged",
  "notFound",
] as const;

/** One of the flags. */
export type PortrayalFlag = (typeof portrayalFlags)[number];

/** Whether a name is that of a flag. */
export function isPortrayalFlag(name: string): name is PortrayalFlag {
  return portrayalFlags.some((flag) => flag === name);
}

/** What an answer says of an entity. */
const portrayalFlagSchema = z
  .enum(portrayalFlags)
  .meta(mayGrow)
  .describe(
    "recommended: it picks the entity for the reader. praised: it states an advantage. " +
      "criticized: a drawback, limit or caveat. discouraged: it advises against it. notFound: it " +
      "found nothing about it, or doubts that it exists.",
  )
  .register(components, { id: "PortrayalFlagDto" });

/** A part of an answer's text: [start, end) in UTF-16 units. */
export const spanSchema = z.tuple([z.int().min(0), z.int().min(0)]);

/** Citations of an answer, by their places in its list. */
export const citationPlacesSchema = z.array(z.int().min(0));

/** The words on which a flag rests. */
export const cueSchema = strictObject({
  flag: portrayalFlagSchema,
  start: z.int().min(0).describe("Where they begin in `text`, in UTF-16 units."),
  end: z.int().min(0).describe("Where they end, exclusive."),
  sentence: spanSchema.describe("The sentence in which they are, as [start, end)."),
  citations: citationPlacesSchema.describe(
    "The pages behind that sentence: places in the answer's `citations`, from 0. Empty: none, or " +
      "not known.",
  ),
}).register(components, { id: "CueDto" });

const share = () => z.number().min(0).max(1).nullable();

const accuracySchema = strictObject({
  recommended: share(),
  praised: share(),
  criticized: share(),
  discouraged: share(),
  notFound: share(),
})
  .describe("By flag, of labelled answers in this language. Null: not measured.")
  .register(components, { id: "FlagAccuracyDto" });

const readLanguageSchema = strictObject({
  language: z.string().describe("A BCP 47 primary subtag, such as en."),
  answers: z.int().min(0).describe("Answers in it that mention the entity; all were read."),
  precision: accuracySchema,
  recall: accuracySchema,
  listOnly: z
    .array(portrayalFlagSchema)
    .describe("Flags whose F1 in this language is under .7: read the answers, not the number."),
}).register(components, { id: "ReadLanguageDto" });

const readerSchema = strictObject({
  name: z.enum(["rules"]).meta(mayGrow).describe("rules: tables of words, by language."),
  version: z.int().min(1).describe("Another number: all answers were read again."),
  language: z.array(readLanguageSchema).describe("By how many answers, the most first."),
  unread: z
    .int()
    .min(0)
    .describe(
      "Answers that mention the entity and were not read: no table reads their language, or " +
        "their text was removed. They are in no denominator.",
    ),
}).register(components, { id: "PortrayalReaderDto" });

const saidOf = (what: string) =>
  estimatedValueSchema.describe(`${what} / answers that mention it and were read.`);

/** How answers speak of an entity. */
export const portrayalSchema = strictObject({
  reader: readerSchema,
  recommended: saidOf("Answers that recommend it"),
  praised: saidOf("Answers that state an advantage of it"),
  criticized: saidOf("Answers that state a drawback of it"),
  discouraged: saidOf("Answers that advise against it"),
  notFound: saidOf("Answers that say that they found nothing about it"),
}).register(components, { id: "PortrayalDto" });

/** How answers speak of an entity. */
export type EntityPortrayal = Readonly<z.infer<typeof portrayalSchema>>;

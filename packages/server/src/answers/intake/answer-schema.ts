import { dateTimeSchema, providers, quoted, strictObject, uuidSchema } from "@sightline/contract";
import { z } from "zod";
import { outcomes, surfaces } from "../answer.ts";
import { isCurrency } from "./currencies.ts";
import { isRegion, nearestRegion } from "./regions.ts";

/**
 * The longest text of an answer, in UTF-16 code units. In UTF-8 it fits into a line in every
 * language; the longest real answers are a tenth of it.
 */
export const textCharactersMax = 1_000_000;
/** The most citations of one answer. */
export const citationsMax = 10_000;
/** The most spans of one answer, of all its citations together; long answers have some hundred. */
export const spansMax = 2_000;
/** The same limit as in the workspace file. */
const promptCharactersMax = 20_000;
/** The longest URL and title of a citation, in UTF-16 code units. */
export const urlCharactersMax = 65_536;
/** The longest name of a model, in UTF-16 code units. */
export const shortCharactersMax = 1_000;
/** The most search queries of one answer; providers make some ten. */
export const searchQueriesMax = 200;
/** The longest search query, in UTF-16 code units. */
export const searchQueryCharactersMax = 2_000;
/** The longest name of a vendor, in UTF-16 code units. */
export const vendorCharactersMax = 100;
/** The most that an answer may cost, in whole units of any currency: more is a mistake. */
export const costMax = 1_000_000_000;

// TRICKY: no `transform` and no `superRefine` in schemas of lines: what zod allocates for them
// survives young-generation collections, and keeps every line alive.
const lowerUuid = uuidSchema.overwrite((id) => id.toLowerCase());
/** An unpaired surrogate cannot be stored as UTF-8: it becomes U+FFFD, as everywhere. */
const wellFormed = (most: number) =>
  z
    .string()
    .max(most)
    .overwrite((text) => text.toWellFormed());

const offsetSchema = z.int().min(0);

const citationSchema = strictObject({
  url: wellFormed(urlCharactersMax),
  title: wellFormed(urlCharactersMax).nullish(),
  cited: z.boolean().nullish(),
  spans: z
    .array(z.tuple([offsetSchema, offsetSchema]))
    .max(spansMax)
    .nullish(),
});

const regionSchema = z
  .string()
  .refine(isRegion, { error: (issue) => notARegion(String(issue.input)) })
  .overwrite((code) => code.toUpperCase());

const costSchema = strictObject({
  amount: z.number().min(0).max(costMax),
  currency: z
    .string()
    .refine(isCurrency, { error: (issue) => notACurrency(String(issue.input)) })
    .overwrite((code) => code.toUpperCase()),
  estimated: z.boolean().nullish(),
});

/**
 * An answer as a line of NDJSON (semantics, Formats): the rules of each field by itself. Null is
 * the same as an omitted field.
 */
export const answerLineSchema = strictObject({
  id: lowerUuid.nullish(),
  promptId: lowerUuid.nullish(),
  prompt: wellFormed(promptCharactersMax).nullish(),
  provider: z.enum(providers),
  region: regionSchema.nullish(),
  answeredAt: dateTimeSchema,
  outcome: z.enum(outcomes).nullish(),
  text: wellFormed(textCharactersMax).nullish(),
  citations: z.array(citationSchema).max(citationsMax).nullish(),
  model: wellFormed(shortCharactersMax).nullish(),
  surface: z.enum(surfaces).nullish(),
  sample: z.int().min(0).nullish(),
  metadata: z.looseObject({}).nullish(),
  searchQueries: z.array(wellFormed(searchQueryCharactersMax)).max(searchQueriesMax).nullish(),
  cost: costSchema.nullish(),
  vendor: wellFormed(vendorCharactersMax).min(1).nullish(),
  requestedRegion: regionSchema.nullish(),
});

/** A line whose fields are individually valid. */
export type AnswerLine = Readonly<z.infer<typeof answerLineSchema>>;

function notACurrency(text: string): string {
  return `${quoted(text)} is not a code of ISO 4217. Use three letters, for example USD.`;
}

function notARegion(text: string): string {
  const nearest = nearestRegion(text);
  const advice = nearest === null ? "Use two letters, for example US." : `Did you mean ${nearest}?`;
  return `${quoted(text)} is not an assigned ISO 3166-1 alpha-2 code. ${advice}`;
}

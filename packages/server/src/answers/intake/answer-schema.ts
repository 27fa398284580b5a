import { dateTimeSchema, providers, strictObject, uuidSchema } from "@sightline/contract";
import { z } from "zod";
import { outcomes, surfaces } from "../answer.ts";

/** The longest text of an answer, in UTF-16 code units. */
export const textCharactersMax = 2_000_000;
/** The most citations of one answer. */
export const citationsMax = 10_000;
const urlCharactersMax = 65_536;
const shortCharactersMax = 1_000;
/** What walks through metadata calls itself: endless depth would end the import, not the line. */
const metadataDepthMax = 100;

// TRICKY: no `transform` and no `superRefine` in what reads lines: what zod makes for them outlives
// the quick collections, and every line with it.
const lowerUuid = uuidSchema.overwrite((id) => id.toLowerCase());
/** A half of a surrogate pair cannot be stored as UTF-8: it becomes U+FFFD, as everywhere. */
const wellFormed = (most: number) =>
  z
    .string()
    .max(most)
    .overwrite((text) => text.toWellFormed());

const citationSchema = strictObject({
  url: wellFormed(urlCharactersMax),
  title: wellFormed(urlCharactersMax).nullish(),
  cited: z.boolean().nullish(),
});

/** An answer as a line of NDJSON gives it (semantics, Formats). Null is the same as left out. */
export const answerLineSchema = strictObject({
  id: lowerUuid.nullish(),
  promptId: lowerUuid,
  provider: z.enum(providers),
  region: z
    .string()
    .regex(/^[A-Za-z]{2}$/, { error: "allowed are two letters (ISO 3166-1 alpha-2)" })
    .overwrite((code) => code.toUpperCase())
    .nullish(),
  answeredAt: dateTimeSchema,
  outcome: z.enum(outcomes).nullish(),
  text: wellFormed(textCharactersMax).nullish(),
  citations: z.array(citationSchema).max(citationsMax).nullish(),
  model: wellFormed(shortCharactersMax).nullish(),
  surface: z.enum(surfaces).nullish(),
  sample: z.int().min(0).nullish(),
  metadata: z
    .looseObject({})
    .refine((metadata) => isShallow(metadata), {
      error: `allowed are at most ${metadataDepthMax} objects and arrays inside each other`,
    })
    .nullish(),
}).refine(({ outcome, text }) => (outcome ?? "answered") !== "answered" || isThere(text), {
  path: ["text"],
  params: { code: "missing" },
  error: "is required, unless the outcome is absent or failed",
});

function isThere(text: string | null | undefined): boolean {
  return text !== undefined && text !== null;
}

/** Goes down level by level: a function that calls itself is what must not meet the depth. */
function isShallow(metadata: object): boolean {
  let level: readonly object[] = [metadata];
  for (let depth = 0; depth < metadataDepthMax; depth++) {
    level = level.flatMap((outer) => Object.values(outer).filter(isObject));
    if (level.length === 0) return true;
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

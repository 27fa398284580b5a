import { z } from "zod";
import { quoted } from "./quoted.ts";
import { components } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The most facts of a workspace file. */
export const statedFactsMax = 200;
/** One or two words. */
const aspectCharactersMax = 40;
const valueCharactersMax = 200;
const datePattern = /^\d{4}-\d\d-\d\d$/;

/** A day, UTC, such as 2026-01-31. */
export const dateSchema = z
  .string()
  .refine(isDate, {
    error: (issue) => `must be a date such as 2026-01-31, got ${quoted(String(issue.input))}`,
  })
  .meta({ format: "date", pattern: datePattern.source, examples: ["2026-01-31"] });

/** Whether there is such a date: JavaScript takes 31 February for 3 March. */
export function isDate(text: string): boolean {
  const ms = datePattern.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** An aspect in the form in which aspects are counted; null: the text is none. */
export function foldedAspect(text: string): string | null {
  if (text.length > 2 * aspectCharactersMax) return null;
  const folded = text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  const isAspect = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} &+'’-]*$/u.test(folded);
  return isAspect && folded.length <= aspectCharactersMax ? folded : null;
}

/** What is true of the brand, with which claims of answers are compared. */
export const statedFactSchema = strictObject({
  aspect: z
    .string()
    .refine((text) => foldedAspect(text) !== null, {
      error: (issue) =>
        `must be one or two words of letters, such as price, with at most ` +
        `${aspectCharactersMax} characters, got ${quoted(String(issue.input))}`,
    })
    .describe("What it is a fact about, as the model calls it, such as `price`."),
  value: z
    .string()
    .max(valueCharactersMax)
    .refine((text) => text.trim() !== "" && text.isWellFormed(), {
      error: "must be a non-empty text",
    })
    .describe("What is true, such as `from $19 a month`."),
  until: dateSchema
    .optional()
    .describe("The first day, UTC, on which it is not true any more. Omitted: it stays true."),
}).register(components, { id: "StatedFactDto" });

/** What is true of the brand. */
export type StatedFact = Readonly<z.infer<typeof statedFactSchema>>;

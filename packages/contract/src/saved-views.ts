import { z } from "zod";
import { declaredReportSchema, declaredReportsMax } from "./declared-reports.ts";
import { components } from "./schema-marks.ts";
import { fileSourceSchema, fileSourcesMax } from "./source-kinds.ts";
import { dateSchema, statedFactSchema, statedFactsMax } from "./stated-facts.ts";
import { strictObject } from "./strict-object.ts";

/** The most views of the console that an account keeps. */
export const savedViewsMax = 200;
/** The most notes of an account. */
export const notesMax = 1_000;
/** The most characters of a view: filters of a hundred prompts, which have 37 each. */
const viewCharactersMax = 4_000;

const textSchema = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((text) => text.trim() !== "" && text.isWellFormed(), {
      error: "must be a non-empty text",
    });

/** The search part of a URL (RFC 3986). */
const searchPattern = /^\?[\w.~!$&'()*+,;=:@/?%-]*$/;

/** A view of the console, under a name. */
export const savedViewSchema = strictObject({
  name: textSchema(100),
  view: z
    .string()
    .max(viewCharactersMax)
    .regex(searchPattern, {
      error: "must be the search part of an address of the console, such as ?providers=OPENAI",
    })
    .meta({ examples: ["?providers=OPENAI"] })
    .describe("The search part of the console's address."),
}).register(components, { id: "SavedViewDto" });

/** What the account's people know of a day. */
export const noteSchema = strictObject({
  date: dateSchema.describe("A day, UTC."),
  text: textSchema(500),
}).register(components, { id: "NoteDto" });

/** The most names that a workspace file ignores. */
export const ignoredNamesMax = 5_000;

/** A name that a workspace file ignores. */
export const ignoredNameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/[\p{L}\p{N}]/u)
  .describe("As a list of names has it; case, spaces and signs make no difference.");

/** The most tags of an account. */
export const accountTagsMax = 20;

/** What an account is found by among others. */
export const accountTagSchema = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .refine((tag) => tag.isWellFormed() && !/\p{Cc}/u.test(tag), {
    error: "must be a word or a few, on one line",
  });

/** The lists of a workspace that stay as they are where a file omits them. */
export const keptLists = {
  views: z
    .array(savedViewSchema)
    .max(savedViewsMax)
    .optional()
    .describe("Views of the console. Omitted: they stay as they are."),
  notes: z
    .array(noteSchema)
    .max(notesMax)
    .optional()
    .describe("What happened when, for charts. Omitted: they stay as they are."),
  sources: z
    .array(fileSourceSchema)
    .max(fileSourcesMax)
    .optional()
    .describe("Classes of cited sources, which win. Omitted: they stay as they are."),
  facts: z
    .array(statedFactSchema)
    .max(statedFactsMax)
    .optional()
    .describe("What is true of the brand, for claims. Omitted: they stay as they are."),
  ignoredNames: z
    .array(ignoredNameSchema)
    .max(ignoredNamesMax)
    .optional()
    .describe("Names that lists of untracked names leave out. Omitted: they stay as they are."),
  reports: z
    .array(declaredReportSchema)
    .max(declaredReportsMax)
    .optional()
    .describe("Reports that are made. Omitted: they stay as they are."),
  accountTags: z
    .array(accountTagSchema)
    .max(accountTagsMax)
    .optional()
    .describe("What the account is found by among others. Omitted: they stay as they are."),
} as const;

/** A view of the console, under a name. */
export type SavedView = Readonly<z.infer<typeof savedViewSchema>>;
/** What the account's people know of a day. */
export type Note = Readonly<z.infer<typeof noteSchema>>;

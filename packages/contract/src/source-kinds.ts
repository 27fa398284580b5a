import { z } from "zod";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** What kind of site a source is of. */
export const sourceClasses = [
  "editorial",
  "reference",
  "forum",
  "video",
  "social",
  "review",
  "shop",
  "government",
  "education",
  "code",
  "press-release",
  "other",
] as const;

/** One of the classes. */
export type SourceClass = (typeof sourceClasses)[number];

/** What a page is, by its address. */
export const sourceForms = [
  "list",
  "comparison",
  "review",
  "how-to",
  "documentation",
  "product",
  "discussion",
  "video",
  "other",
] as const;

/** One of the forms. */
export type SourceForm = (typeof sourceForms)[number];

/** The class of a source. */
export const sourceClassSchema = z
  .enum(sourceClasses)
  .meta(mayGrow)
  .describe(
    "What kind of site it is of: as the workspace file says, else by the tables of this service " +
      "and public suffixes. other: nobody says.",
  )
  .register(components, { id: "SourceClassDto" });

/** The form of a page. */
export const sourceFormSchema = z
  .enum(sourceForms)
  .meta(mayGrow)
  .describe("What a page is, by its address. other: the address does not say.")
  .register(components, { id: "SourceFormDto" });

/** The most sources whose class a workspace file says. */
export const fileSourcesMax = 2_000;

const ruleMax = 500;

/** A domain or the pages below a path, and their class. */
export const fileSourceSchema = strictObject({
  domain: z
    .string()
    .max(ruleMax)
    .refine((text) => text.trim() !== "" && text.isWellFormed(), {
      error: "must be a domain, with a path if only pages below it are meant",
    })
    .describe("A domain with its subdomains; with a path, its pages below that."),
  class: sourceClassSchema,
}).register(components, { id: "SourceClassRuleDto" });

/** A domain or the pages below a path, and their class. */
export type FileSource = Readonly<z.infer<typeof fileSourceSchema>>;

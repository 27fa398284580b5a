import { z } from "zod";
import { providerSchema, surfaces } from "./filters.ts";
import { quoted } from "./quoted.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import { tagCharactersMax } from "./tags.ts";

/** The parts of a report, in the order in which they are shown unless it says another. */
export const reportSections = [
  "summary",
  "course",
  "changes",
  "portrayal",
  "sources",
  "names",
  "prompts",
  "notes",
  "measurement",
] as const;

/** One of the parts. */
export type ReportSection = (typeof reportSections)[number];

/** The languages in which reports are written, by BCP 47. */
export const reportLanguages = ["en", "de"] as const;

/** One of the languages. */
export type ReportLanguage = (typeof reportLanguages)[number];

/** What reports compare with, by name. */
const reportCompares = ["previous", "year", "none"] as const;

/** The most reports that a workspace declares. */
export const declaredReportsMax = 20;
/** The most days of a period that a report covers: the same a year before does not overlap it. */
const reportRuleDaysMax = 365;
/** The most bytes of a report's logo, which stands in each file of it. */
export const logoBytesMax = 65_536;
const filterNamesMax = 100;

/** What every report's name has. */
export const reportNameSchema = z
  .string()
  .max(100)
  .refine((text) => text.trim() !== "" && text.isWellFormed(), {
    error: "must be a non-empty text",
  });

const textSchema = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .refine((text) => text.isWellFormed(), { error: "must be well-formed Unicode" });

/** Base64 has four characters for three bytes. */
const logoCharactersMax = 4 * Math.ceil(logoBytesMax / 3) + 30;

/** What a PNG and a JPEG begin with, in base64. */
const logoPattern = /^data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/)[A-Za-z0-9+/]*={0,2}$/;

const periodRulePattern = /^last-(week|month|quarter|([1-9]\d{0,2})-days)$/;

/** Whether a text is a rule for a period: its days are within the bound. */
function isPeriodRule(text: string): boolean {
  const match = periodRulePattern.exec(text);
  return match !== null && Number(match[2] ?? 1) <= reportRuleDaysMax;
}

const filterList = <Item extends z.ZodType>(item: Item) =>
  z.array(item).max(filterNamesMax).optional();

/** What the answers of a report are, by names as the workspace has them. */
const reportFiltersSchema = strictObject({
  providers: filterList(providerSchema),
  topics: filterList(textSchema(1_000)).describe("Topics by name."),
  tags: filterList(textSchema(tagCharactersMax)),
  regions: filterList(
    z.string().regex(/^[A-Z]{2}$/, { error: "must be two upper-case letters, such as US" }),
  ),
  models: filterList(textSchema(1_000)),
  surfaces: filterList(z.enum(surfaces)),
  branded: z.boolean().optional(),
}).register(components, { id: "ReportFiltersDto" });

/** A report that a workspace file declares. */
export const declaredReportSchema = strictObject({
  name: reportNameSchema.describe("The title. Unique in the file."),
  subtitle: textSchema(200).optional(),
  sections: z
    .array(z.enum(reportSections).meta(mayGrow))
    .min(1)
    .max(reportSections.length)
    .refine((sections) => new Set(sections).size === sections.length, {
      error: "must name each section once",
    })
    .optional()
    .describe("In the order of the page. Omitted: all."),
  period: z
    .string()
    .refine(isPeriodRule, {
      error: (issue) =>
        "must be last-week, last-month, last-quarter or last-N-days " +
        `with N from 1 to ${reportRuleDaysMax}, got ${quoted(String(issue.input))}`,
    })
    .meta({ pattern: periodRulePattern.source, examples: ["last-month", "last-28-days"] })
    .describe("Whole UTC days before the day on which the report is made."),
  compare: z
    .enum(reportCompares)
    .optional()
    .describe("`previous` unless said; `year`: the same a year before."),
  filters: reportFiltersSchema.optional().describe("Omitted: all answers."),
  language: z.enum(reportLanguages).meta(mayGrow).optional().describe("`en` unless said."),
  logo: z
    .string()
    .max(logoCharactersMax)
    .regex(logoPattern, {
      error: "must be a data URI of a PNG or JPEG in base64, data:image/png;base64,…",
    })
    .optional()
    .describe(`A data URI of a PNG or JPEG of at most ${logoBytesMax} bytes.`),
  colour: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: "must be # and six hexadecimal digits, such as #0a6cff" })
    .optional()
    .describe("Of headings and lines; it is made darker or lighter where it could not be read."),
  note: textSchema(2_000).optional().describe("Shown above the figures."),
  schedule: z
    .string()
    .max(100)
    .optional()
    .describe(
      "Minute, hour, day of month, month, day of week (UTC); minute and hour are one number " +
        "each. Omitted: made on request alone.",
    ),
  evidence: z
    .boolean()
    .optional()
    .describe("Whether sentences of answers are quoted. false unless said."),
}).register(components, { id: "DeclaredReportDto" });

/** A report that a workspace file declares. */
export type DeclaredReport = Readonly<z.infer<typeof declaredReportSchema>>;

/** The parts of a report, in the order in which they may be chosen. */
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

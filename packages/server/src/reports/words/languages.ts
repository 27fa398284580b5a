import type { ReportLanguage } from "@sightline/contract";
import { english } from "./english.ts";
import { german } from "./german.ts";
import type { ReportWords } from "./report-words.ts";

const languages: Readonly<Record<ReportLanguage, ReportWords>> = { en: english, de: german };

/** The texts of a language. */
export function wordsOf(language: ReportLanguage): ReportWords {
  return languages[language];
}

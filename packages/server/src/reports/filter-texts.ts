import type { Provider, ReportLanguage, WorkspaceResponse } from "@sightline/contract";
import type { ReportFilters } from "./asked-report.ts";
import { wordsOf } from "./words/languages.ts";

/** Names of a list that are said; more are counted. */
const namedMax = 6;

/** Filters in words, one text for each that is set: a report's reader sees no others. */
export function filterTexts(
  { branded, exclude = {}, ...passing }: ReportFilters,
  { topics }: Pick<WorkspaceResponse, "topics">,
  language: ReportLanguage,
): readonly string[] {
  const { filters: words, surfaces: surfaceWords, locale } = wordsOf(language);
  const count = (number: number) => number.toLocaleString(locale);
  const names = new Map(topics.map(({ id, name }) => [id.toLowerCase(), name]));
  const listed = (title: string, values: readonly string[] = []): readonly string[] => {
    if (values.length === 0) return [];
    const more = values.length - namedMax;
    const named = values.slice(0, namedMax).join(", ");
    return [`${title}${named}${more > 0 ? ` ${words.more(count(more))}` : ""}`];
  };
  const texts = (lists: Omit<ReportFilters, "branded" | "exclude">, before: string) => [
    ...listed(before, lists.providers?.map(providerName)),
    ...listed(
      `${before}${words.topic}`,
      lists.topics?.map(({ id }) => names.get(id.toLowerCase()) ?? id),
    ),
    ...((lists.promptIds?.length ?? 0) > 0
      ? [`${before}${words.prompts(count(lists.promptIds?.length ?? 0))}`]
      : []),
    ...listed(
      before,
      lists.regions?.map(({ code }) => regionName(code.toUpperCase(), locale)),
    ),
    ...listed(before, lists.models),
    ...listed(
      before,
      lists.surfaces?.map((surface) => surfaceWords[surface]),
    ),
    ...listed(`${before}${words.tag}`, lists.tags),
  ];
  return [
    ...texts(passing, ""),
    ...(branded === undefined ? [] : [branded ? words.branded : words.notBranded]),
    ...texts(exclude, words.without),
  ];
}

/** A region's name; of a code that nobody has, the code. */
export function regionName(code: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: "region" }).of(code) ?? code;
}

const providerNames: Readonly<Record<Provider, string>> = {
  GEMINI: "Gemini",
  OPENAI: "ChatGPT",
  ANTHROPIC: "Claude",
  PERPLEXITY: "Perplexity",
  GROK: "Grok",
  GOOGLE_AI_MODE: "Google AI Mode",
  GOOGLE_AI_OVERVIEW: "Google AI Overview",
  COPILOT: "Copilot",
};

/** A provider as its readers know it. */
export function providerName(provider: string): string {
  return (providerNames as Readonly<Record<string, string>>)[provider] ?? provider;
}

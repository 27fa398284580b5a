import type { FileSource, SourceClass, SourceForm } from "@sightline/contract";
import { compileDomainTable } from "../../extraction/index.ts";
import { domainsByClass } from "./source-class-table.ts";

const classOfDomain: ReadonlyMap<string, SourceClass> = new Map(
  Object.entries(domainsByClass).flatMap(([name, domains]) =>
    Object.keys(domains).map((domain) => [domain, name as SourceClass] as const),
  ),
);

/** Suffixes that only states or schools are given. */
const suffixes: readonly (readonly [SourceClass, RegExp])[] = [
  // gov and mil of the United States; elsewhere gov.uk, gob.es, gouv.fr, go.jp, govt.nz, gc.ca.
  ["government", /(?:^|\.)(?:gov|mil|gc\.ca|(?:gov|gob|gouv|govt|go|gv|mil)\.[a-z]{2})$/],
  ["education", /(?:^|\.)(?:edu|(?:edu|ac)\.[a-z]{2})$/],
];

/** The class of a registrable domain, by the tables and public suffixes alone. */
function tabledClass(domain: string): SourceClass {
  // `acme.github.io` is a domain of its own, and of the class of `github.io`.
  for (let at = 0; at !== -1; at = domain.indexOf(".", at) + 1 || -1) {
    const found = classOfDomain.get(domain.slice(at));
    if (found !== undefined) return found;
  }
  return suffixes.find(([, pattern]) => pattern.test(domain))?.[0] ?? "other";
}

/** Says of which class sources are. */
export interface SourceClassifier {
  /** Of a domain as a whole. */
  readonly ofDomain: (domain: string) => SourceClass;
  /** Of a page by its canonical URL and its domain. */
  readonly ofPage: (url: string, domain: string) => SourceClass;
  /** Whether pages of a domain may be of several classes: rules speak of paths or subdomains. */
  readonly splits: (domain: string) => boolean;
}

/**
 * Compiles the rules of a workspace file, which win: of several that a page matches, the longest.
 * A rule of a path or a subdomain says nothing of its domain as a whole.
 */
export function compileClassifier(rules: readonly FileSource[]): SourceClassifier {
  const owners = compileDomainTable(rules.map(({ domain }) => ({ ...nobody, domains: [domain] })));
  const told = (url: string): SourceClass | null => {
    const found = owners(url).toSorted((a, b) => b.rule.length - a.rule.length);
    return rules[found[0]?.entity ?? -1]?.class ?? null;
  };
  const ofDomain = (domain: string) => told(`https://${domain}/`) ?? tabledClass(domain);
  const splitting = new Set(
    rules.flatMap(({ domain: rule }) => {
      const [host = ""] = rule
        .toLowerCase()
        .replace(/^[a-z]+:\/\//, "")
        .split("/");
      const labels = host.split(".");
      return labels.map((_, place) => labels.slice(place).join("."));
    }),
  );
  return {
    ofDomain,
    ofPage: (url, domain) => told(url) ?? ofDomain(domain),
    splits: (domain) => splitting.has(domain),
  };
}

const nobody = { names: [] } as const;

type PatternOf = (...words: readonly string[]) => string;

/** A page of a site. */
const sites: PatternOf = (...words) => `^https?://([^/]*\\.)?(${words.join("|")})/`;
/** A host whose first label is one of some. */
const hosts: PatternOf = (...words) => `^https?://(${words.join("|")})\\.`;
/** A whole segment of the path. */
const segments: PatternOf = (...words) => `/(${words.join("|")})(/|$)`;
/** A word of a segment. */
const slugs: PatternOf = (...words) => `[/_-](${words.join("|")})([/_.-]|$)`;

/**
 * What says a page's form: the first pattern that its canonical URL matches in lower case. Engines
 * read these patterns too, so that they have no look-around (RE2's syntax).
 */
export const formPatterns: readonly (readonly [Exclude<SourceForm, "other">, string])[] = [
  ["video", sites("youtube\\.com", "youtu\\.be", "vimeo\\.com", "tiktok\\.com", "twitch\\.tv")],
  ["video", segments("videos?", "watch")],
  ["discussion", sites("reddit\\.com", "quora\\.com", "stackoverflow\\.com", "ycombinator\\.com")],
  ["discussion", hosts("forums?", "community", "discuss", "boards?")],
  [
    "discussion",
    segments("forums?", "threads?", "discussions?", "questions", "topics?", "comments"),
  ],
  ["documentation", hosts("docs?", "developers?", "help", "support", "api", "wiki", "learn")],
  ["documentation", segments("docs?", "documentation", "reference", "manuals?", "help", "support")],
  ["documentation", segments("faqs?", "kb", "knowledge-base", "wiki")],
  ["comparison", slugs("vs", "versus", "compared?", "comparisons?", "alternatives?")],
  ["comparison", slugs("vergleich", "comparatif", "comparativa", "hikaku")],
  ["list", slugs("best", "top", "rankings?", "roundup", "list")],
  ["list", slugs("besten?", "meilleure?s?", "mejores", "migliori", "osusume")],
  ["review", slugs("reviews?", "tests?", "tested", "hands-on")],
  ["review", slugs("testberichte?", "avis", "recensione", "opiniones")],
  ["how-to", slugs("how-to", "howto", "guides?", "tutorials?", "tips")],
  ["how-to", slugs("anleitung(en)?", "ratgeber", "tipps?", "guia")],
  ["product", segments("products?", "produkte?", "produits?", "p", "dp", "gp", "item", "itm")],
  ["product", segments("shop", "store", "buy", "pricing")],
];

const compiled = formPatterns.map(([form, pattern]) => [form, new RegExp(pattern)] as const);

/** What titles say, where an address does not. */
const titlePatterns: readonly (readonly [SourceForm, RegExp])[] = [
  [
    "comparison",
    /\b(?:vs\.?|versus|compared|comparison|alternatives?)(?:\s|$)|im vergleich|比較/iu,
  ],
  [
    "list",
    /^(?:the )?(?:\d{1,3} |top \d{1,3}|best )|\bbest\b.*\b(?:of|in|for) 20\d\d\b|おすすめ/iu,
  ],
  ["review", /\breview(?:ed)?\b|\btestbericht\b|\bim test\b|レビュー/iu],
  ["how-to", /^how to\b|\b(?:guide|tutorial|anleitung)\b|使い方/iu],
  ["documentation", /\b(?:documentation|api reference)\b/iu],
  ["video", / - youtube$/iu],
];

/** The form of a page, by its canonical URL, else by its title. */
export function formOf(url: string, title: string | null): SourceForm {
  const address = url.toLowerCase();
  const [form] = compiled.find(([, pattern]) => pattern.test(address)) ?? [];
  if (form !== undefined || title === null) return form ?? "other";
  return titlePatterns.find(([, pattern]) => pattern.test(title))?.[0] ?? "other";
}

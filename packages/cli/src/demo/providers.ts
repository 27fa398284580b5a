/** How an assistant shows its sources inside its text. */
export type LinkStyle = "host-link" | "number" | "number-link" | "title-link" | "none";

/** A provider's name in the answers' format. */
export type ProviderName =
  | "GEMINI"
  | "OPENAI"
  | "ANTHROPIC"
  | "PERPLEXITY"
  | "GROK"
  | "GOOGLE_AI_MODE"
  | "GOOGLE_AI_OVERVIEW"
  | "COPILOT";

/** How one provider behaves: what makes its charts differ from the others'. */
export interface Provider {
  readonly name: ProviderName;
  /** Whether it is asked through its programming interface or read from its public page. */
  readonly surface: "api" | "web";
  /** Factor on the chance that a company is mentioned. */
  readonly mentions: number;
  /** How many pages an answer lists: least and most. */
  readonly sources: readonly [least: number, most: number];
  /** Chance that a mentioned company's own page is among them. */
  readonly citesMentioned: number;
  /** The same for a company that is not mentioned, as a factor on its chance of a mention. */
  readonly citesUnmentioned: number;
  readonly links: LinkStyle;
  /** How much general advice an answer gives: least and most points. */
  readonly advice: readonly [least: number, most: number];
}

/** The eight providers. Perplexity cites much and mentions little; Anthropic is the reverse. */
export const providers: readonly Provider[] = [
  {
    name: "GEMINI",
    surface: "api",
    mentions: 1,
    sources: [3, 6],
    citesMentioned: 0.34,
    citesUnmentioned: 0.1,
    links: "none",
    advice: [3, 5],
  },
  {
    name: "OPENAI",
    surface: "api",
    mentions: 1.15,
    sources: [4, 7],
    citesMentioned: 0.42,
    citesUnmentioned: 0.1,
    links: "host-link",
    advice: [2, 4],
  },
  {
    name: "ANTHROPIC",
    surface: "api",
    mentions: 1.3,
    sources: [3, 5],
    citesMentioned: 0.2,
    citesUnmentioned: 0.03,
    links: "title-link",
    advice: [3, 5],
  },
  {
    name: "PERPLEXITY",
    surface: "api",
    mentions: 0.55,
    sources: [6, 8],
    citesMentioned: 0.75,
    citesUnmentioned: 0.75,
    links: "number",
    advice: [4, 6],
  },
  {
    name: "GROK",
    surface: "api",
    mentions: 0.95,
    sources: [4, 8],
    citesMentioned: 0.3,
    citesUnmentioned: 0.12,
    links: "number-link",
    advice: [3, 5],
  },
  {
    name: "GOOGLE_AI_MODE",
    surface: "web",
    mentions: 1.05,
    sources: [5, 8],
    citesMentioned: 0.45,
    citesUnmentioned: 0.2,
    links: "none",
    advice: [3, 5],
  },
  {
    name: "GOOGLE_AI_OVERVIEW",
    surface: "web",
    mentions: 0.8,
    sources: [3, 5],
    citesMentioned: 0.4,
    citesUnmentioned: 0.15,
    links: "none",
    advice: [3, 4],
  },
  {
    name: "COPILOT",
    surface: "web",
    mentions: 0.9,
    sources: [3, 5],
    citesMentioned: 0.32,
    citesUnmentioned: 0.08,
    links: "title-link",
    advice: [3, 5],
  },
];

import { providerName } from "../data/names.ts";
import css from "./provider-label.module.css";

/** A sign of its own for each provider, to find it in a list; none is a vendor's logo. */
const signs: Readonly<Record<string, string>> = {
  OPENAI: "M8 2 13 5v6l-5 3-5-3V5ZM8 6v4",
  GEMINI: "M8 1.5c.5 4 2.5 6 6.5 6.5-4 .5-6 2.5-6.5 6.5C7.5 10.5 5.5 8.5 1.5 8c4-.5 6-2.5 6.5-6.5Z",
  ANTHROPIC: "M8 2v12M2.8 5l10.4 6M13.2 5 2.8 11",
  PERPLEXITY: "M3 5h10v6H3zM8 2v12M5 2l3 3 3-3M5 14l3-3 3 3",
  GROK: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13.5 2.5l-11 11",
  GOOGLE_AI_MODE: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.6 10.6 14 14M7 5v4M5 7h4",
  GOOGLE_AI_OVERVIEW: "M2.5 3.5h11M2.5 7h11M2.5 10.5H8M11.5 9.5v5M9 12h5",
  COPILOT: "M2 9c0-4 2-6 6-6s6 2 6 6c0 3-2 4-6 4s-6-1-6-4ZM6 8v1.5M10 8v1.5",
};

interface OfProvider {
  readonly provider: string;
}

/** A provider's sign; of one that a newer service knows, none. */
export function ProviderSign({ provider }: OfProvider) {
  const sign = signs[provider];
  if (sign === undefined) return null;
  return (
    <svg
      className={css["sign"]}
      aria-hidden="true"
      fill="none"
      height="16"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.4"
      viewBox="0 0 16 16"
      width="16"
    >
      <path d={sign} />
    </svg>
  );
}

/** A provider's name behind its sign; of one that a newer service knows, its code alone. */
export function ProviderLabel({ provider }: OfProvider) {
  return (
    <span className={css["label"]}>
      <ProviderSign provider={provider} />
      <span>{providerName(provider)}</span>
    </span>
  );
}

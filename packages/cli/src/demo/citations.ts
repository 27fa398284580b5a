import { brand, type Company, companies } from "./market.ts";
import { drawOwnPage, drawSitePage, type Page } from "./pages.ts";
import type { ProviderName } from "./providers.ts";
import { pickFrom, type Random, shuffled } from "./random.ts";
import { type Occasion, ownPageChance } from "./trends.ts";

/** One cited URL, in the answers' format. */
export interface DemoCitation {
  readonly url: string;
  readonly title: string;
  /** False when the provider retrieved the page and did not cite it; true when it says nothing. */
  readonly cited?: false;
}

// What each provider leaves on the addresses that it lists.
const trackingOf: { readonly [Name in ProviderName]?: readonly string[] } = {
  OPENAI: ["utm_source=openai"],
  PERPLEXITY: ["utm_source=perplexity"],
  GOOGLE_AI_MODE: ["srsltid=AfmBOoq3x", "gclid=Cj0KCQ"],
  GOOGLE_AI_OVERVIEW: ["srsltid=AfmBOop8d"],
  COPILOT: ["utm_source=copilot&utm_medium=referral", "msclkid=5e1f"],
  GROK: ["utm_source=grok&utm_medium=referral", "fbclid=IwAR0k"],
};

// OpenAI marks every address; the others only pass on what they found.
const trackedChance = (provider: ProviderName) => (provider === "OPENAI" ? 1 : 0.15);

/** The address of a page as a provider shows it: one of many that mean the same page. */
function shownUrl(random: Random, page: Page, provider: ProviderName): string {
  const scheme = random.chance(0.03) ? "http" : "https";
  const isBareDomain = page.host.split(".").length === 2;
  const www = isBareDomain && random.chance(0.3) ? "www." : "";
  const hasQuery = page.path.includes("?");
  const slash = !hasQuery && random.chance(0.2) ? "/" : "";
  const tracking = trackingOf[provider];
  const marked = tracking !== undefined && random.chance(trackedChance(provider));
  const query = marked ? `${hasQuery ? "&" : "?"}${pickFrom(random, tracking)}` : "";
  const quotes = provider.startsWith("GOOGLE") && random.chance(0.3);
  const fragment = quotes ? "#:~:text=what%20to%20look%20for" : "";
  return `${scheme}://${www}${page.host}${page.path}${slash}${query}${fragment}`;
}

/** The companies' own pages among an answer's sources: those that chance lets in, brand first. */
function ownPages(random: Random, occasion: Occasion, mentioned: readonly Company[]): Page[] {
  const pages: Page[] = [];
  for (const company of companies) {
    const chance = ownPageChance(company, occasion, mentioned.includes(company));
    if (!random.chance(chance)) continue;
    pages.push(drawOwnPage(random, company, occasion));
    // The brand's own pages sometimes come in twos, as search results do.
    if (company === brand && random.chance(0.1)) {
      pages.push(drawOwnPage(random, company, occasion));
    }
  }
  return pages;
}

/**
 * The pages that an answer lists, 3 to 8, in the order of its numbers. At least the first is cited.
 * Now and then a page stands there twice under two addresses: that is one citation.
 */
export function drawCitations(
  random: Random,
  occasion: Occasion,
  mentioned: readonly Company[],
): readonly DemoCitation[] {
  const { provider, prompt, region } = occasion;
  const count = random.between(...provider.sources);
  const pages = new Set(ownPages(random, occasion, mentioned).slice(0, count - 1));
  while (pages.size < count) pages.add(drawSitePage(random, prompt.topic, region));
  const listed = shuffled(random, [...pages]);
  const [first] = listed;
  if (first !== undefined && count < 8 && random.chance(0.03)) listed.push(first);
  return listed.map((page, place) => {
    const citation = { url: shownUrl(random, page, provider.name), title: page.title };
    const onlyRetrieved = place >= 2 && random.chance(0.18);
    return onlyRetrieved ? { ...citation, cited: false } : citation;
  });
}

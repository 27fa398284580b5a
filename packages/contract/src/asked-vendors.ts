import type { Vendor } from "./collection.ts";
import type { AskedProvider } from "./file-collection.ts";
import type { Provider } from "./providers.ts";

/** Where a provider answers: to programs, or on the pages that people use. */
export type AskedSurface = "api" | "web";

const pages = { web: ["cloro"] } as const;

/**
 * The vendors that can be asked for each provider on each surface. Unless a file names one, a sweep
 * asks the first that can be asked.
 */
export const vendorsOf: Readonly<
  Record<Provider, Readonly<Partial<Record<AskedSurface, readonly Vendor[]>>>>
> = {
  OPENAI: { api: ["openai"], ...pages },
  // No vendor sells what Claude's page shows.
  ANTHROPIC: { api: ["anthropic"] },
  GEMINI: { api: ["gemini"], ...pages },
  PERPLEXITY: { api: ["perplexity"], ...pages },
  GROK: { api: ["xai"], ...pages },
  COPILOT: { web: ["cloro", "serpapi"] },
  GOOGLE_AI_MODE: { web: ["dataforseo", "serpapi"] },
  GOOGLE_AI_OVERVIEW: { web: ["dataforseo", "serpapi"] },
};

/** The vendor to ask, and how, with all that a file omits: the first of the vendors. */
export interface Ask {
  readonly provider: Provider;
  readonly surface: AskedSurface;
  readonly vendor: Vendor;
  /** Null: the service's choice. */
  readonly model: string | null;
  /** In place of those of the rule; empty: none is asked for. */
  readonly regions?: readonly string[];
  /** A state and a city of the only region, by name. */
  readonly state?: string;
  readonly city?: string;
}

/** Those that take a state and a city. */
const vendorsOfPlaces: ReadonlySet<Vendor> = new Set(["openai", "anthropic", "perplexity"]);

/** What an item of `providers` means; a text says why it cannot be asked. */
export function askOf(item: AskedProvider): Ask | string {
  const written = typeof item === "string" ? { provider: item } : item;
  const { provider, model = null } = written;
  const known = vendorsOf[provider];
  const surface = written.surface ?? (known.api === undefined ? "web" : "api");
  const able = known[surface];
  if (able === undefined) {
    return `${provider} has no surface ${surface}; allowed: ${Object.keys(known).join(", ")}.`;
  }
  const [usual, ...others] = able;
  const vendor = written.vendor ?? usual;
  if (vendor === undefined || (vendor !== usual && !others.includes(vendor))) {
    return `${vendor} is not asked for ${provider} on ${surface}; allowed: ${able.join(", ")}.`;
  }
  if (model !== null && surface === "web") {
    return `${provider} on web takes no model: its page chooses. Leave \`model\` out.`;
  }
  const place = placeOf(written, vendor);
  return typeof place === "string" ? place : { provider, surface, vendor, model, ...place };
}

type WrittenAsk = Exclude<AskedProvider, string>;

/** Where it is asked, as far as the item says; a text says why it cannot be asked there. */
function placeOf(
  { provider, regions, state, city }: Partial<WrittenAsk> & Pick<WrittenAsk, "provider">,
  vendor: Vendor,
): Pick<Ask, "regions" | "state" | "city"> | string {
  const of = regions === undefined ? {} : { regions };
  if (state === undefined && city === undefined) return of;
  if (!vendorsOfPlaces.has(vendor)) {
    return `${provider} takes no state or city of ${vendor}. Leave \`state\` and \`city\` out.`;
  }
  if (regions?.length !== 1) {
    const rule = `${provider}: \`state\` and \`city\` are of one country.`;
    return `${rule} Write it in \`regions\`, such as [US].`;
  }
  return {
    ...of,
    ...(state === undefined ? {} : { state }),
    ...(city === undefined ? {} : { city }),
  };
}

import { type Credentials, readCredentials } from "./credentials.ts";
import { builtInPrices, PricesFileError, readPrices } from "./prices/price-list.ts";
import { Prices } from "./prices/prices.ts";
import { standInAddress } from "./transport/stand-in.ts";

/** What collection is made of. */
export interface CollectionConfig {
  readonly credentials: Credentials;
  /** Address on this machine that is asked for all vendors; null: they are asked themselves. */
  readonly standIn: string | null;
  readonly prices: Prices;
}

/** A configuration, and what is wrong with it. */
export interface ReadCollectionConfig {
  readonly config: CollectionConfig;
  /** Without secrets; empty: all is well. */
  readonly faults: readonly string[];
}

/** What of the settings is collection's, as text, and the credentials of the environment. */
export function readCollectionConfig(
  { vendorStandIn = "", pricesFile = "" }: Readonly<Record<string, string | undefined>>,
  environment: NodeJS.ProcessEnv,
): ReadCollectionConfig {
  const { credentials, faults } = readCredentials(environment);
  const { prices, fault } = pricesOf(pricesFile);
  return {
    config: { credentials, standIn: standInAddress(vendorStandIn), prices },
    faults: fault === null ? faults : [...faults, fault],
  };
}

function pricesOf(path: string): { readonly prices: Prices; readonly fault: string | null } {
  if (path === "") return { prices: new Prices(builtInPrices), fault: null };
  try {
    return { prices: new Prices(readPrices(path, builtInPrices)), fault: null };
  } catch (error) {
    if (!(error instanceof PricesFileError)) throw error;
    return { prices: new Prices(builtInPrices), fault: error.message };
  }
}

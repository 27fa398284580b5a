import {
  credentialCharactersMax as charactersMax,
  credentialCharactersMin as charactersMin,
  type Vendor,
  vendors,
} from "@sightline/contract";
import { type ReadSecret, readSecret, type SecretSetting } from "../platform/secret-setting.ts";
import { builtInPrices, PricesFileError, readPrices, withReader } from "./price-list.ts";
import { Prices } from "./prices.ts";
import { type ReaderConfig, type ReaderSettings, readReader } from "./reader-config.ts";
import { standInAddress } from "./send.ts";

/** The configuration of collection. */
export interface CollectionConfig {
  readonly credentials: Credentials;
  /** The local address of a stand-in for all vendors; null: the vendors themselves are queried. */
  readonly standIn: string | null;
  readonly prices: Prices;
  /** The model that reads answers; null: there is none. */
  readonly reader: ReaderConfig | null;
}

/** A configuration and its faults. */
interface ReadCollectionConfig {
  readonly config: CollectionConfig;
  /** For people, without secrets; empty: none. */
  readonly faults: readonly string[];
}

interface CollectionSettings extends ReaderSettings {
  readonly vendorStandIn?: string | undefined;
  readonly pricesFile?: string | undefined;
}

/** Reads collection's settings, as text, and the credentials from the environment. */
export function readCollectionConfig(
  { vendorStandIn = "", pricesFile = "", ...reading }: CollectionSettings,
  environment: NodeJS.ProcessEnv,
): ReadCollectionConfig {
  const { credentials, faults } = readCredentials(environment);
  const { prices, fault } = pricesOf(pricesFile);
  const { reader, faults: ofReader } = readReader(reading);
  return {
    config: {
      credentials,
      standIn: standInAddress(vendorStandIn),
      prices: reader === null ? prices : new Prices(withReader(prices.list, reader)),
      reader,
    },
    faults: [...faults, ...(fault === null ? [] : [fault]), ...ofReader],
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

/** The environment variables of a vendor's credential. */
interface CredentialSetting extends SecretSetting {
  readonly vendor: Vendor;
}

const names: Readonly<Record<Vendor, string>> = {
  openai: "SIGHTLINE_OPENAI_KEY",
  anthropic: "SIGHTLINE_ANTHROPIC_KEY",
  gemini: "SIGHTLINE_GEMINI_KEY",
  perplexity: "SIGHTLINE_PERPLEXITY_KEY",
  xai: "SIGHTLINE_XAI_KEY",
  dataforseo: "SIGHTLINE_DATAFORSEO_LOGIN",
  serpapi: "SIGHTLINE_SERPAPI_KEY",
  cloro: "SIGHTLINE_CLORO_KEY",
  reader: "SIGHTLINE_READER_KEY",
};

/** The variables of all vendors, in the order of docs/guide/settings.md. */
export const credentialSettings: readonly CredentialSetting[] = vendors.map((vendor) => ({
  vendor,
  environment: names[vendor],
  fileEnvironment: `${names[vendor]}_FILE`,
}));

/** Replaces secrets in texts. */
const hidden = "***";

/**
 * The credentials of vendors. The secrets are in no field that can be listed, logged or written as
 * JSON: a caller gets only that of the vendor it names.
 */
export class Credentials {
  readonly #secrets: ReadonlyMap<Vendor, string>;
  readonly #hidden: readonly string[];

  constructor(secrets: Readonly<Partial<Record<Vendor, string>>>) {
    const given = vendors.map((vendor) => [vendor, secrets[vendor] ?? ""] as const);
    this.#secrets = new Map(given.filter(([, secret]) => secret !== ""));
    // Longest first: one may be a prefix of another.
    const forms = [...this.#secrets.values()].flatMap(formsOf);
    this.#hidden = [...new Set(forms)].sort((one, other) => other.length - one.length);
  }

  /** The vendors with a credential, in their order. */
  get vendors(): readonly Vendor[] {
    return [...this.#secrets.keys()];
  }

  /** A vendor's credential; null: there is none. */
  of(vendor: Vendor): string | null {
    return this.#secrets.get(vendor) ?? null;
  }

  /** A text with all secrets replaced by ***, in their plain and encoded forms. */
  hideSecrets(text: string): string {
    return this.#hidden.reduce((shown, secret) => shown.replaceAll(secret, hidden), text);
  }

  /** The secrets for the collecting thread, whose message is not logged. */
  forThread(): Readonly<Partial<Record<Vendor, string>>> {
    return Object.fromEntries(this.#secrets);
  }
}

/** A secret and its parts, plain and in the encodings in which they are sent. */
function formsOf(secret: string): readonly string[] {
  const parts = [secret, ...secret.split(":")].filter((part) => part.length >= charactersMin);
  return parts.flatMap((part) => {
    const base64 = Buffer.from(part).toString("base64");
    return [part, encodeURIComponent(part), base64, JSON.stringify(part).slice(1, -1)];
  });
}

/** The credentials of the environment and their faults. */
interface ReadCredentials {
  readonly credentials: Credentials;
  /** A line each, for people, without secrets; empty: none. */
  readonly faults: readonly string[];
}

/**
 * Reads the credentials from variables or from the files that they name. An empty variable is
 * unset.
 */
export function readCredentials(environment: NodeJS.ProcessEnv): ReadCredentials {
  const secrets: Partial<Record<Vendor, string>> = {};
  const faults: string[] = [];
  for (const setting of credentialSettings) {
    const { secret, fault } = readOne(setting, environment);
    if (fault !== null) faults.push(fault);
    else if (secret !== null) secrets[setting.vendor] = secret;
  }
  return { credentials: new Credentials(secrets), faults };
}

function readOne(
  setting: CredentialSetting,
  environment: NodeJS.ProcessEnv,
): Omit<ReadSecret, "source"> {
  const { secret, source, fault } = readSecret(setting, environment);
  if (secret === null) return { secret, fault };
  const wrong = credentialFault(setting.vendor, secret);
  return wrong === null ? { secret, fault } : { secret: null, fault: `${source}: ${wrong}` };
}

/** What is wrong with a vendor's credential, for people, without quoting it; null: nothing. */
export function credentialFault(vendor: Vendor, secret: string): string | null {
  if (secret.length < charactersMin || secret.length > charactersMax) {
    const allowed = `Expected: ${charactersMin} to ${charactersMax} characters.`;
    return `the credential has ${secret.length} characters. ${allowed}`;
  }
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    return (
      "the credential has spaces, newlines or characters that are not ASCII. " +
      "Expected: visible ASCII characters."
    );
  }
  if (vendor === "dataforseo" && !/^[^:]+:[^:]+$/.test(secret)) {
    return "invalid value. Expected: login:password.";
  }
  return null;
}

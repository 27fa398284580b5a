import {
  type CollectionConfig,
  credentialSettings,
  readCollectionConfig,
} from "./collection/config.ts";
import { configSchema, settingsAlone } from "./config-schema.ts";
import { allSettings, type Setting } from "./config-settings.ts";
import type { Limit } from "./keys/key-store.ts";
import {
  clientSecretSetting,
  type PeopleConfig,
  readPeopleConfig,
} from "./people/people-config.ts";
import type { LogFormat, LogLevel } from "./platform/logger.ts";
import { maskedAddress } from "./platform/masked-address.ts";
import { readSecret, type SecretSetting } from "./platform/secret-setting.ts";

export { credentialSettings } from "./collection/config.ts";
export type { Setting } from "./config-settings.ts";

/** The settings of one serving process, checked and frozen. */
export interface Config {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly sessionTtlSeconds: number;
  /** How long a question or a list may take, its wait in line included. */
  readonly questionSeconds: number;
  readonly issuer: string;
  readonly logLevel: LogLevel;
  /** Not a setting: the demo has its log among sentences. Omitted: JSON. */
  readonly logFormat?: LogFormat;
  /** Calls per second of a key without a rate of its own. */
  readonly rateLimit: Limit;
  /** Calls per UTC day of a key without a quota of its own. */
  readonly dailyQuota: Limit;
  /** The most accounts with an open engine. */
  readonly openAccounts: number;
  /** Size of the reply cache in bytes, or off. */
  readonly replyCache: number | "off";
  /** Age in days, from which texts of answers are removed, or off. */
  readonly keepTexts: number | "off";
  /** Age in days, from which raw replies of collected answers are removed, or off. */
  readonly keepRaw: number | "off";
  /** Age at which a signing key is rotated, in days. */
  readonly signingKeyDays: number;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may read the API's replies. */
  readonly corsOrigins: readonly string[];
  /** Host names that are served; empty: all. */
  readonly allowedHosts: readonly string[];
  /** What addresses in messages and links begin with, without a final slash; null: not known. */
  readonly publicUrl: string | null;
  /** The field in which a trusted proxy names the person who is signed in to it; null: none. */
  readonly personHeader: string | null;
  /** The provider that signs people in, as it is given. */
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  /** What people sign in with, and what of it no flag gives. */
  readonly people: PeopleConfig;
  /** Whether the console is served, with its sessions. */
  readonly console: "on" | "off";
  /** Address of ClickHouse, which then holds answers and facts; null: the data folder does. */
  readonly clickhouseUrl: string | null;
  /** Cluster of ClickHouse's configuration over whose shards accounts are distributed. */
  readonly clickhouseCluster: string | null;
  /** Whether the local tables of a cluster are replicated ones. */
  readonly clickhouseReplicated: boolean;
  /** Address of PostgreSQL, which then holds control; null: the data folder does. */
  readonly postgresUrl: string | null;
  /** Address of Redis or Valkey, which then counts calls; null: the process does. */
  readonly redisUrl: string | null;
  /** What happens to calls while Redis is away: this process limits them, or they are refused. */
  readonly redisDown: "local" | "refuse";
  /** Whether webhooks may lead to private addresses, and be http. */
  readonly hooksToPrivate: boolean;
  /** Address of the SMTP server that takes mails; null: no mails are sent. */
  readonly smtpUrl: string | null;
  /** Sender of mails: `Name <address>`, or an address. */
  readonly mailFrom: string | null;
  /** Whether this node asks the vendors that it has credentials of. */
  readonly collect: "on" | "off";
  /** The most requests to a vendor at a time, on this node. */
  readonly collectConcurrency: number;
  /** Address that is asked in the place of all vendors; null: they are asked themselves. */
  readonly vendorStandIn: string | null;
  /** File of prices; null: the list's alone. */
  readonly pricesFile: string | null;
  /** The endpoint, model, price and parameters of a model that reads answers, as they are given. */
  readonly readerUrl: string;
  readonly readerModel: string;
  readonly readerPrice: string;
  readonly readerParameters: string;
  /** Whether it may have a private address, and be http. */
  readonly readerToPrivate: boolean;
  /** What collection is made of: credentials, which no flag gives, and what the above lead to. */
  readonly collection: CollectionConfig;
}

/** An invalid configuration, with every fault on a line of its own. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/** The variables of secrets, which no flag gives. */
export const secretSettings: readonly SecretSetting[] = [
  ...credentialSettings,
  clientSecretSetting,
];

/** What is set by a flag or a variable of its own. */
type SettingName = Exclude<keyof Config, "collection" | "people">;

/** Every setting that exists, in the order of docs/guide/settings.md. */
export const settings: readonly (Setting & { readonly name: SettingName })[] = allSettings;

/** Settings given on a command line, as text by name. */
export type GivenSettings = { readonly [Name in SettingName]?: string | undefined };

/**
 * The configuration from flags, then the environment, then defaults.
 * @throws ConfigError that names every fault, its source and what is allowed.
 */
export function readConfig(given: GivenSettings, environment: NodeJS.ProcessEnv): Config {
  const { variables, fileFaults } = withFiles(environment);
  const texts = Object.fromEntries(
    settings.map((setting) => [
      setting.name,
      given[setting.name] ?? variables[setting.environment] ?? setting.default,
    ]),
  );
  const parsed = configSchema.safeParse(texts);
  const collection = readCollectionConfig(texts, environment);
  const people = readPeopleConfig(texts, environment);
  const faults = [...fileFaults, ...settingsAlone(texts), ...collection.faults, ...people.faults];
  if (parsed.success && faults.length === 0) {
    const read = { collection: collection.config, people: people.config };
    return Object.freeze({ ...parsed.data, ...read });
  }
  const issues = parsed.error?.issues ?? [];
  throw new ConfigError([
    ...faults,
    ...settings.flatMap((setting) => {
      const wrong = issues.filter(({ path }) => path[0] === setting.name);
      if (wrong.length === 0) return [];
      const source = given[setting.name] === undefined ? setting.environment : setting.flag;
      // A list names each wrong item; any other setting its whole value.
      const items = wrong.filter(({ path }) => path.length > 1).map(({ message }) => message);
      const got = items.length > 0 ? items : [JSON.stringify(shown(setting.name, texts))];
      return got.map(
        (each) => `${source}: invalid value ${each}. Expected: ${setting.description}`,
      );
    }),
  ]);
}

/** The environment with the values of settings that are in files, and what is wrong with those. */
function withFiles(environment: NodeJS.ProcessEnv) {
  const read = settings.flatMap(({ environment: name, fileEnvironment }) => {
    if (fileEnvironment === undefined) return [];
    return { name, ...readSecret({ environment: name, fileEnvironment }, environment) };
  });
  const given = read.flatMap(({ name, secret }) => (secret === null ? [] : [[name, secret]]));
  return {
    variables: { ...environment, ...Object.fromEntries(given) } as NodeJS.ProcessEnv,
    fileFaults: read.flatMap(({ fault }) => fault ?? []),
  };
}

/** Settings whose values may contain passwords. */
const addresses: ReadonlySet<string> = new Set([
  "clickhouseUrl",
  "postgresUrl",
  "redisUrl",
  "smtpUrl",
]);

/** A setting's value for messages and the log. */
function shown(name: string, values: Readonly<Record<string, unknown>>): unknown {
  const value = values[name];
  return typeof value === "string" && addresses.has(name) ? maskedAddress(value) : value;
}

/** The settings that differ from their defaults, without names and passwords of addresses. */
export function changedSettings(config: Config): Partial<Config> {
  const defaults = readConfig({}, {});
  const changed = settings
    .map(({ name }) => name)
    .filter((name) => JSON.stringify(config[name]) !== JSON.stringify(defaults[name]));
  return Object.fromEntries(changed.map((name) => [name, shown(name, { ...config })]));
}

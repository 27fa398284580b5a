import { configSchema, engineAlone } from "./config-schema.ts";
import type { Limit } from "./control/key-store.ts";
import { type LogLevel, logLevels } from "./platform/logger.ts";
import { maskedAddress } from "./platform/masked-address.ts";

/** One setting of the service: a flag, an environment variable, a default. */
export interface Setting {
  readonly name: keyof Config;
  readonly flag: string;
  readonly environment: string;
  readonly description: string;
  readonly default: string;
}

/** The settings of one serving process, checked and frozen. */
export interface Config {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly sessionTtlSeconds: number;
  readonly issuer: string;
  readonly logLevel: LogLevel;
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
}

/** Every setting that exists, in the order of docs/guide/settings.md. */
export const settings: readonly Setting[] = [
  {
    name: "dataDir",
    flag: "--data-dir",
    environment: "SIGHTLINE_DATA_DIR",
    description: "Data folder, without ? in its path; created when absent.",
    default: "./data",
  },
  {
    name: "host",
    flag: "--host",
    environment: "SIGHTLINE_HOST",
    description: "Address to listen on.",
    default: "127.0.0.1",
  },
  {
    name: "port",
    flag: "--port",
    environment: "SIGHTLINE_PORT",
    description: "Port to listen on, 0 to 65535; 0 picks a free port.",
    default: "8080",
  },
  {
    name: "sessionTtlSeconds",
    flag: "--session-ttl-seconds",
    environment: "SIGHTLINE_SESSION_TTL_SECONDS",
    description: "Lifetime of a session token in seconds, 60 to 3600.",
    default: "600",
  },
  {
    name: "issuer",
    flag: "--issuer",
    environment: "SIGHTLINE_ISSUER",
    description: "The `iss` claim of session tokens: letters, digits and `._~:/-`.",
    default: "sightline",
  },
  {
    name: "logLevel",
    flag: "--log-level",
    environment: "SIGHTLINE_LOG_LEVEL",
    description: `One of ${logLevels.join(", ")}.`,
    default: "info",
  },
  {
    name: "rateLimit",
    flag: "--rate-limit",
    environment: "SIGHTLINE_RATE_LIMIT",
    description:
      "Calls per second per key, such as 20/s (1 to 10000; bursts of twice that), or off.",
    default: "20/s",
  },
  {
    name: "dailyQuota",
    flag: "--daily-quota",
    environment: "SIGHTLINE_DAILY_QUOTA",
    description: "Calls per key and UTC day, 1 to 1000000000, or off.",
    default: "100000",
  },
  {
    name: "openAccounts",
    flag: "--open-accounts",
    environment: "SIGHTLINE_OPEN_ACCOUNTS",
    description: "Accounts with an open engine, 1 to 10000; the least recently used are closed.",
    default: "100",
  },
  {
    name: "replyCache",
    flag: "--reply-cache",
    environment: "SIGHTLINE_REPLY_CACHE",
    description: "Size of the reply cache, 1MB to 4096MB, or off.",
    default: "64MB",
  },
  {
    name: "keepTexts",
    flag: "--keep-texts",
    environment: "SIGHTLINE_KEEP_TEXTS",
    description:
      "Age from which texts of answers are removed for good while the answers count on, 1d to " +
      "36500d, or off.",
    default: "off",
  },
  {
    name: "keepRaw",
    flag: "--keep-raw",
    environment: "SIGHTLINE_KEEP_RAW",
    description: "Age from which vendors' raw replies are removed for good, 1d to 36500d, or off.",
    default: "90d",
  },
  {
    name: "signingKeyDays",
    flag: "--signing-key-days",
    environment: "SIGHTLINE_SIGNING_KEY_DAYS",
    description: "Days after which the session signing key is rotated, 1 to 3650.",
    default: "90",
  },
  {
    name: "trustedProxies",
    flag: "--trusted-proxies",
    environment: "SIGHTLINE_TRUSTED_PROXIES",
    description:
      "Comma-separated IPs or CIDR ranges (10.0.0.0/8) of trusted proxies (X-Forwarded-For).",
    default: "",
  },
  {
    name: "corsOrigins",
    flag: "--cors-origins",
    environment: "SIGHTLINE_CORS_ORIGINS",
    description:
      "Comma-separated origins (https://app.example.com) that may call the API in browsers.",
    default: "",
  },
  {
    name: "allowedHosts",
    flag: "--allowed-hosts",
    environment: "SIGHTLINE_ALLOWED_HOSTS",
    description: "Comma-separated host names (api.example.com), without ports, that are served.",
    default: "",
  },
  {
    name: "console",
    flag: "--console",
    environment: "SIGHTLINE_CONSOLE",
    description: "The console at /, and signing in to it: on or off.",
    default: "on",
  },
  {
    name: "clickhouseUrl",
    flag: "--clickhouse-url",
    environment: "SIGHTLINE_CLICKHOUSE_URL",
    description:
      "Address of ClickHouse (http://user:password@host:8123/database), or the comma-separated " +
      "addresses of its nodes, for answers and facts; with a PostgreSQL address.",
    default: "",
  },
  {
    name: "clickhouseCluster",
    flag: "--clickhouse-cluster",
    environment: "SIGHTLINE_CLICKHOUSE_CLUSTER",
    description: "Cluster of ClickHouse's configuration that shards accounts: letters, digits, _.",
    default: "",
  },
  {
    name: "clickhouseReplicated",
    flag: "--clickhouse-replicated",
    environment: "SIGHTLINE_CLICKHOUSE_REPLICATED",
    description: "Replicated tables on each shard of the cluster: on or off.",
    default: "off",
  },
  {
    name: "postgresUrl",
    flag: "--postgres-url",
    environment: "SIGHTLINE_POSTGRES_URL",
    description:
      "Address of PostgreSQL (postgres://user:password@host:5432/database) for accounts and " +
      "keys; with a ClickHouse address.",
    default: "",
  },
  {
    name: "redisUrl",
    flag: "--redis-url",
    environment: "SIGHTLINE_REDIS_URL",
    description: "Address of Redis or Valkey (redis://host:6379) for limits shared by all nodes.",
    default: "",
  },
  {
    name: "redisDown",
    flag: "--redis-down",
    environment: "SIGHTLINE_REDIS_DOWN",
    description: "Calls while Redis is unavailable: local (each node limits) or refuse (503).",
    default: "local",
  },
  {
    name: "hooksToPrivate",
    flag: "--hooks-to-private",
    environment: "SIGHTLINE_HOOKS_TO_PRIVATE",
    description: "Webhooks to private addresses, also over http: on or off.",
    default: "off",
  },
];

/** An invalid configuration, with every fault on a line of its own. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/** Settings given on a command line, as text by name. */
export type GivenSettings = { readonly [Name in keyof Config]?: string | undefined };

/**
 * The configuration from flags, then the environment, then defaults.
 * @throws ConfigError that names every fault, its source and what is allowed.
 */
export function readConfig(given: GivenSettings, environment: NodeJS.ProcessEnv): Config {
  const texts = Object.fromEntries(
    settings.map((setting) => [
      setting.name,
      given[setting.name] ?? environment[setting.environment] ?? setting.default,
    ]),
  );
  const parsed = configSchema.safeParse(texts);
  const alone = engineAlone(texts);
  if (parsed.success && alone.length === 0) return Object.freeze(parsed.data);
  const issues = parsed.error?.issues ?? [];
  throw new ConfigError([
    ...alone,
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

/** Settings whose values may contain passwords. */
const addresses: ReadonlySet<string> = new Set(["clickhouseUrl", "postgresUrl", "redisUrl"]);

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

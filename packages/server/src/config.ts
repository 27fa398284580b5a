import { z } from "zod";
import { type LogLevel, logLevels } from "./platform/logger.ts";

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
}

/** Every setting that exists, in the order of docs/guide/settings.md. */
export const settings: readonly Setting[] = [
  {
    name: "dataDir",
    flag: "--data-dir",
    environment: "SIGHTLINE_DATA_DIR",
    description: "Folder of all data; made when absent.",
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
    description: "Port to listen on, 0 to 65535; 0 takes a free one.",
    default: "8080",
  },
  {
    name: "sessionTtlSeconds",
    flag: "--session-ttl-seconds",
    environment: "SIGHTLINE_SESSION_TTL_SECONDS",
    description: "Life of a session token in seconds, 60 to 3600.",
    default: "600",
  },
  {
    name: "issuer",
    flag: "--issuer",
    environment: "SIGHTLINE_ISSUER",
    description: "The `iss` of session tokens: letters, digits and `._~:/-`.",
    default: "sightline",
  },
  {
    name: "logLevel",
    flag: "--log-level",
    environment: "SIGHTLINE_LOG_LEVEL",
    description: `One of ${logLevels.join(", ")}.`,
    default: "info",
  },
];

/** A configuration that cannot be used: every fault at once, one a line. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "ConfigError";
    this.faults = faults;
  }
}

const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most);

const configSchema = z.object({
  dataDir: z.string().min(1),
  host: z.string().min(1),
  port: integer(0, 65_535),
  sessionTtlSeconds: integer(60, 3_600),
  issuer: z.string().regex(/^[A-Za-z0-9._~:/-]{1,200}$/),
  logLevel: z.enum(logLevels),
});

/** What a command line gave: by the setting's name, as text. */
export type GivenSettings = { readonly [Name in keyof Config]?: string | undefined };

/**
 * The configuration from flags, then the environment, then defaults.
 * @throws ConfigError that names every fault, where it came from and what is allowed.
 */
export function readConfig(given: GivenSettings, environment: NodeJS.ProcessEnv): Config {
  const texts = Object.fromEntries(
    settings.map((setting) => [
      setting.name,
      given[setting.name] ?? environment[setting.environment] ?? setting.default,
    ]),
  );
  const parsed = configSchema.safeParse(texts);
  if (parsed.success) return Object.freeze(parsed.data);
  const wrong = new Set(parsed.error.issues.map((issue) => issue.path[0]));
  throw new ConfigError(
    settings
      .filter((setting) => wrong.has(setting.name))
      .map((setting) => {
        const source = given[setting.name] === undefined ? setting.environment : setting.flag;
        const got = JSON.stringify(texts[setting.name]);
        return `${source}: got ${got}; allowed: ${setting.description}`;
      }),
  );
}

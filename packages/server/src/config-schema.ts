import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { standInAddress } from "./collection/send.ts";
import { hostFault, originFault } from "./http/origins.ts";
import type { Limit } from "./keys/key-store.ts";
import { sessionSecondsMax } from "./keys/session-life.ts";
import { mailSenderOf, smtpServerOf } from "./mail/smtp-address.ts";
import { logLevels } from "./platform/logger.ts";
import { maskedAddress, parsedAddress } from "./platform/masked-address.ts";

const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most);

/** A rate such as `20/s`, or `off`; also what `keys create --rate` takes. */
export const rateSchema = limitSchema(/^(\d{1,5})\/s$/, 10_000);

/** A number of calls a day, or `off`; also what `keys create --quota` takes. */
export const quotaSchema = limitSchema(/^(\d{1,10})$/, 1_000_000_000);

function limitSchema(pattern: RegExp, most: number) {
  return z.string().transform((text, context): Limit => {
    const calls = Number(pattern.exec(text)?.[1]);
    if (text === "off") return "off";
    if (calls >= 1 && calls <= most) return calls;
    context.addIssue({ code: "custom", message: "not a limit" });
    return z.NEVER;
  });
}

/** Megabytes such as `64MB`, as bytes, or `off`. */
function memorySchema(most: number) {
  return limitSchema(/^(\d{1,5})MB$/, most).transform((size) =>
    size === "off" ? size : size * 1_000_000,
  );
}

const listSchema = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

/** The settings as text, judged and turned into values. */
export const configSchema = z.object({
  dataDir: z
    .string()
    .min(1)
    .superRefine((path, context) => {
      if (!resolve(path).includes("?")) return;
      const message = `${JSON.stringify(resolve(path))} (DuckDB reads ? in a path as a query)`;
      context.addIssue({ code: "custom", path: [0], message });
    }),
  host: z.string().min(1),
  port: integer(0, 65_535),
  sessionTtlSeconds: integer(60, sessionSecondsMax),
  questionSeconds: integer(1, 600),
  issuer: z.string().regex(/^[A-Za-z0-9._~:/-]{1,200}$/),
  logLevel: z.enum(logLevels),
  rateLimit: rateSchema,
  dailyQuota: quotaSchema,
  openAccounts: integer(1, 10_000),
  replyCache: memorySchema(4_096),
  keepTexts: limitSchema(/^(\d{1,5})d$/, 36_500),
  keepRaw: limitSchema(/^(\d{1,5})d$/, 36_500),
  signingKeyDays: integer(1, 3_650),
  trustedProxies: listSchema.refine((items) => items.every(isNetwork)),
  corsOrigins: listOf(originFault),
  allowedHosts: listOf(hostFault),
  publicUrl: z
    .string()
    .refine((text) => text === "" || isPublicUrl(text))
    .transform((text) => (text === "" ? null : text.replace(/\/+$/, ""))),
  personHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{0,100}$/)
    .transform((name) => name || null),
  // Judged together: people/people-config.ts.
  oidcIssuer: z.string(),
  oidcClientId: z.string(),
  clickhouseUrl: addressSchema(["http:", "https:"], ",").superRefine(decodable),
  clickhouseCluster: z
    .string()
    .regex(/^\w{0,100}$/)
    .transform((name) => name || null),
  clickhouseReplicated: z.enum(["on", "off"]).transform((word) => word === "on"),
  postgresUrl: addressSchema(["postgres:", "postgresql:"]),
  redisUrl: addressSchema(["redis:", "rediss:"]).superRefine(decodable),
  redisDown: z.enum(["local", "refuse"]),
  hooksToPrivate: z.enum(["on", "off"]).transform((word) => word === "on"),
  smtpUrl: z
    .string()
    .refine((text) => text === "" || smtpServerOf(text) !== null)
    .transform((text) => text || null),
  mailFrom: z
    .string()
    .refine((text) => text === "" || mailSenderOf(text) !== null)
    .transform((text) => text || null),
  console: z.enum(["on", "off"]),
  collect: z.enum(["on", "off"]),
  collectConcurrency: integer(1, 64),
  vendorStandIn: z
    .string()
    .refine((text) => text === "" || standInAddress(text) !== null)
    .transform((text) => standInAddress(text)),
  pricesFile: z.string().transform((path) => path || null),
  // Judged together: collection/reader-config.ts.
  readerUrl: z.string(),
  readerModel: z.string(),
  readerPrice: z.string(),
  readerParameters: z.string(),
  readerToPrivate: z.enum(["on", "off"]).transform((word) => word === "on"),
});

/** An origin: the service's addresses begin at the root of their host. */
function isPublicUrl(text: string): boolean {
  const url = parsedAddress(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
  return url.href === `${url.origin}/`;
}

/** URLs of these schemes, where there may be several with a separator; nothing: null. */
function addressSchema(protocols: readonly string[], separator?: string) {
  const isAddress = (text: string) => {
    const url = parsedAddress(text);
    return url !== null && protocols.includes(url.protocol);
  };
  return z
    .string()
    .refine((text) => {
      return text === "" || (separator ? text.split(separator) : [text]).every(isAddress);
    })
    .transform((text) => text || null);
}

/** The drivers decode names and passwords; of what they cannot, they say only "malformed". */
function decodable(text: string | null, context: z.RefinementCtx): void {
  for (const address of text?.split(",") ?? []) {
    const url = URL.parse(address.trim());
    if (url === null || isEncoded(`${url.username}:${url.password}`)) continue;
    const what = "in names and passwords, write % as %25";
    const message = `${JSON.stringify(maskedAddress(address))} (${what})`;
    context.addIssue({ code: "custom", path: [0], message });
  }
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A list, each of whose items a function finds no fault with. */
function listOf(faultOf: (item: string) => string | null) {
  return listSchema.superRefine((items, context) => {
    items.forEach((item, index) => {
      const fault = faultOf(item);
      if (fault === null) return;
      const message = `${JSON.stringify(item)} (${fault})`;
      context.addIssue({ code: "custom", path: [index], message });
    });
  });
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  return family !== 0 && rest.length === 0 && (bits === undefined || isWithin(bits, most));
}

function isWithin(text: string, most: number): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= most;
}

/** Settings that are given without those that they need. */
export function settingsAlone(texts: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    ...engineAlone(texts),
    ...replicasAlone(texts),
    ...headerAlone(texts),
    ...mailAlone(texts),
  ];
}

/** Accounts in one engine and answers in the other's place would be two halves of a service. */
function engineAlone(texts: Readonly<Record<string, unknown>>): readonly string[] {
  const { postgresUrl, clickhouseUrl } = texts;
  const [postgres, clickhouse] = ["SIGHTLINE_POSTGRES_URL", "SIGHTLINE_CLICKHOUSE_URL"];
  if ((postgresUrl === "") === (clickhouseUrl === "")) return [];
  const [given, absent] = clickhouseUrl === "" ? [postgres, clickhouse] : [clickhouse, postgres];
  return [`${given} is set without ${absent}. Set both, or neither.`];
}

/** The cluster says how many replicas have to have an insert before it counts. */
function replicasAlone(texts: Readonly<Record<string, unknown>>): readonly string[] {
  const { clickhouseReplicated, clickhouseCluster } = texts;
  if (clickhouseReplicated !== "on" || clickhouseCluster !== "") return [];
  return ["SIGHTLINE_CLICKHOUSE_REPLICATED is on without SIGHTLINE_CLICKHOUSE_CLUSTER. Set both."];
}

/** A mail needs a sender, and a sender somebody who takes the mail. */
function mailAlone(texts: Readonly<Record<string, unknown>>): readonly string[] {
  const { smtpUrl, mailFrom } = texts;
  if ((smtpUrl === "") === (mailFrom === "")) return [];
  const [server, sender] = ["SIGHTLINE_SMTP_URL", "SIGHTLINE_MAIL_FROM"];
  const [given, absent] = smtpUrl === "" ? [sender, server] : [server, sender];
  return [`${given} is set without ${absent}. Set both, or neither.`];
}

/** Anybody can send the field: only what a trusted proxy sends is believed. */
function headerAlone(texts: Readonly<Record<string, unknown>>): readonly string[] {
  const { personHeader, trustedProxies } = texts;
  if (personHeader === "" || trustedProxies !== "") return [];
  return ["SIGHTLINE_PERSON_HEADER is set without SIGHTLINE_TRUSTED_PROXIES. Set both."];
}

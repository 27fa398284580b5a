import { scopes } from "@sightline/contract";
import { quotaSchema, rateSchema } from "@sightline/server/config-schema";
import { firstRunCode, isWithoutAccounts } from "@sightline/server/first-run-link";
import { type KeyRecord, keysOf, revokeKey } from "@sightline/server/key-store";
import { rotateSigningKey } from "@sightline/server/signing-keys";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { firstRunAddress, firstRunText } from "../first-run.ts";
import { durationOf, namesOf } from "../option-values.ts";
import { plainTable } from "../output/plain-table.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, placeOf, requireExisting, withStorage } from "../storage.ts";

interface CreateOptions extends DataOptions {
  readonly account?: string;
  readonly name?: string;
  readonly expiresIn?: string;
  readonly rate?: string;
  readonly quota?: string;
  readonly scope?: string;
}

/** `sightline keys create | list | revoke`: the static keys that clients exchange for sessions. */
export function keysCommand(): Command {
  const keys = new Command("keys");
  const dataOptions = (command: Command) =>
    command
      .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
      .option("--json", "print one JSON document");
  const create = dataOptions(keys.command("create"))
    .description("create a key; it is shown only once")
    .option("--account <id>", "the account; may be left out when there is only one")
    .option("--name <name>", "what the key is for", "")
    .option("--expires-in <duration>", "lifetime of the key, such as 90d (default: no expiry)")
    .option("--rate <rate>", "calls per second, such as 50/s, or off (default: the service's)")
    .option("--quota <calls>", "calls per UTC day, or off (default: the service's)")
    .option("--scope <scopes>", "scopes, comma-separated: read, import, manage, accounts", "read")
    .action(createKey);
  const list = dataOptions(keys.command("list"))
    .description("list keys, oldest first; never the keys themselves")
    .option("--account <id>", "only this account's keys")
    .action(listKeys);
  const revoke = dataOptions(keys.command("revoke"))
    .description("revoke a key and end its sessions")
    .argument("<keyId>", "the key's id, as create and list show it")
    .action(revokeOne);
  const link = dataOptions(keys.command("link"))
    .description("print another link that creates the first account in the console")
    .option("--url <url>", "where browsers reach the service (default: SIGHTLINE_HOST and _PORT)")
    .action(printLink);
  const rotate = dataOptions(keys.command("rotate-signing"))
    .description("create a new session signing key; a running service picks it up")
    .action(rotateSigning);
  withExamples(
    create,
    ["sightline keys create --name reports --expires-in 90d", "expires in 90 days"],
    ["sightline keys create --scope import --name crm", "may record answers, and nothing else"],
    ["sightline keys create | sightline login", "creates a key and stores it on this machine"],
  );
  withExamples(list, ["sightline keys list --json", "every key of every account"]);
  withExamples(revoke, ["sightline keys revoke 3Fr0hfFBElNT1haq", "its sessions end immediately"]);
  withExamples(link, [
    "sightline keys link --url https://sightline.example",
    "the link that `serve` printed is old",
  ]);
  withExamples(rotate, ["sightline keys rotate-signing", "existing sessions stay valid"]);
  return withExamples(keys, ["sightline keys create --name reports", "prints the key once"]);
}

async function createKey(options: CreateOptions): Promise<void> {
  const lifeMs = options.expiresIn === undefined ? null : durationOf(options.expiresIn);
  const may = namesOf(options.scope ?? "read", scopes, ["--scope", "scope"]);
  const created = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const expiresAt = lifeMs === null ? null : storage.clock.now() + lifeMs;
    return storage.keyRing.create(accountId, {
      name: options.name ?? "",
      expiresAt,
      ratePerSecond: limitOf(rateSchema, "--rate", options.rate),
      dailyQuota: limitOf(quotaSchema, "--quota", options.quota),
      scopes: may,
    });
  });
  const { keyId, key, accountId } = created;
  const expiresAt = instantText(created.expiresAt);
  const document = { keyId, key, accountId, expiresAt, scopes: may };
  const validity = expiresAt === null ? "without expiry" : `until ${expiresAt}`;
  const text = [
    `${key}\n`,
    `Key ${keyId} of account ${accountId}, valid ${validity}, may ${may.join(", ")}.`,
    "It is not stored and cannot be shown again.",
  ].join("\n");
  printResult(options.json === true, document, text);
}

/** Null: the service's default. */
function limitOf(schema: typeof rateSchema, option: string, text: string | undefined) {
  if (text === undefined) return null;
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  const allowed = option === "--rate" ? "1/s to 10000/s" : "1 to 1000000000";
  const got = JSON.stringify(text);
  throw new CommandError(`${option}: invalid value ${got}. Use ${allowed}, or off.`, 2);
}

async function printLink({ url, ...options }: DataOptions & { url?: string }): Promise<void> {
  requireExisting(options);
  const base = url ?? `http://${hostOf(placeOf(options))}`;
  const code = await withStorage(options, async ({ control, keyRing, clock }) => {
    return (await isWithoutAccounts(control)) ? firstRunCode(keyRing, clock.now()) : null;
  });
  if (code === null) {
    const instead = "sightline keys create --scope read,import,manage,accounts";
    throw new CommandError(`There is an account. Make a key that signs in: ${instead}`);
  }
  const link = firstRunAddress(base.replace(/\/+$/, ""), code);
  printResult(options.json === true, { console: link }, firstRunText(link));
}

function hostOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function rotateSigning(options: DataOptions): Promise<void> {
  const kid = await withStorage(options, ({ control, clock }) => rotateSigningKey(control, clock));
  const text = `Signing key ${kid} is published now and signs sessions in a minute.`;
  printResult(options.json === true, { kid }, text);
}

async function listKeys(options: CreateOptions): Promise<void> {
  const keys = await withStorage(options, async (storage) => {
    const accountId =
      options.account === undefined ? null : await accountOf(storage, options.account);
    return keysOf(storage.control, accountId);
  });
  const rows = keys.map(describe);
  printResult(options.json === true, { keys: rows }, keysText(rows));
}

function keysText(rows: readonly ReturnType<typeof describe>[]): string {
  if (rows.length === 0) return "There are no keys.";
  const columns = [
    ...["key id", "account", "name", "created", "expires", "revoked", "last used"],
    ...["rate", "quota", "scopes"],
  ];
  return plainTable(
    columns,
    rows.map((row) => Object.values({ ...row, scopes: row.scopes.join(",") })),
  );
}

async function revokeOne(keyId: string, options: DataOptions): Promise<void> {
  const key = await withStorage(options, ({ control, clock }) =>
    revokeKey(control, keyId, clock.now()),
  );
  if (key === null) throw new CommandError(`No key has the id ${keyId}. See: sightline keys list`);
  const row = describe(key);
  printResult(options.json === true, row, `Key ${keyId} was revoked at ${row.revokedAt}.`);
}

function describe({ id, accountId, name, ...times }: KeyRecord) {
  return {
    keyId: id,
    accountId,
    name,
    createdAt: instantText(times.createdAt),
    expiresAt: instantText(times.expiresAt),
    revokedAt: instantText(times.revokedAt),
    lastUsedAt: instantText(times.lastUsedAt),
    rate: times.ratePerSecond === null ? null : rateText(times.ratePerSecond),
    quota: times.dailyQuota,
    scopes: times.scopes,
  };
}

function rateText(rate: number | "off"): string {
  return rate === "off" ? "off" : `${rate}/s`;
}

function instantText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

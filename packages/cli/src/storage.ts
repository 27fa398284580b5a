import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { allAccounts, workspaceOf } from "@sightline/server/account-store";
import type { Actor } from "@sightline/server/actor";
import { type ClusterAddress, clusterOf } from "@sightline/server/cluster-address";
import { type Config, readConfig } from "@sightline/server/config";
import { type DataFolder, openDataFolder } from "@sightline/server/data-folder";
import type { MovePlace } from "@sightline/server/export-account";
import { openStorage, type Storage } from "@sightline/server/storage";
import { CommandError } from "./result.ts";

/** The options that every command on a data folder has. */
export interface DataOptions {
  readonly dataDir?: string;
  readonly hooksToPrivate?: string;
  readonly prices?: string;
  readonly vendorStandIn?: string;
  readonly json?: boolean;
}

/**
 * The data folder, which must exist and have all data.
 * @throws CommandError when it does not.
 */
export function existingFolder(options: DataOptions): DataFolder {
  refuseCluster(options);
  requireExisting(options);
  return openDataFolder(placeOf(options).dataDir);
}

/**
 * A mistyped folder is not created; a node's folder has nothing but the pepper, and may be new.
 * @throws CommandError when there is no such data folder.
 */
export function requireExisting(options: DataOptions): void {
  const { dataDir } = placeOf(options);
  if (clusterPlace(options) !== null || existsSync(join(dataDir, "control.sqlite"))) return;
  throw new CommandError(`${dataDir} is not a Sightline data folder. Set --data-dir.`, 2);
}

/**
 * @param instead what to do on several nodes.
 * @throws CommandError when data is not in the data folder, which is all that a command knows.
 */
export function refuseCluster(options: DataOptions, instead?: string): void {
  if (clusterPlace(options) === null) return;
  throw new CommandError(
    "This command works on a data folder, and the data is in ClickHouse and PostgreSQL. " +
      `${instead === undefined ? "" : `${instead} `}` +
      "For a data folder, unset SIGHTLINE_CLICKHOUSE_URL and SIGHTLINE_POSTGRES_URL.",
    2,
  );
}

/** Where the data of several nodes is; null: in the data folder. */
export function clusterPlace(options: DataOptions): ClusterAddress | null {
  return clusterOf(placeOf(options));
}

/** The settings of a command: where its data is, where webhooks may lead, who is asked. */
export function placeOf({ dataDir, hooksToPrivate, prices, vendorStandIn }: DataOptions): Config {
  const given = { dataDir, hooksToPrivate, pricesFile: prices, vendorStandIn };
  return readConfig(given, process.env);
}

/** The user of the command, as the audit log has it. */
function whoRuns(): Actor {
  return { kind: "command", id: null, name: userName(), requestId: null };
}

/** A process may run under a number that no user of the system has. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

/**
 * Runs `work` on the data, in the folder or on a cluster, and closes it in any case.
 * @throws also when a write did not reach the server that runs on the folder.
 */
export async function withStorage<Result>(
  options: DataOptions,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(placeOf(options), undefined, { actor: whoRuns() });
  try {
    const result = await work(storage);
    storage.confirm();
    return result;
  } finally {
    await storage.close();
  }
}

/**
 * The account of `--account`, or the only one.
 * @throws CommandError that lists the existing accounts.
 */
export async function accountOf(storage: Storage, given: string | undefined): Promise<string> {
  const accounts = await allAccounts(storage.control);
  const known = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  if (accounts.length === 0) {
    throw new CommandError(
      "There are no accounts yet. Create one: sightline apply workspace.yaml, or open the link " +
        "that sightline keys link prints",
      2,
    );
  }
  if (given === undefined) {
    const [only, ...others] = accounts;
    if (only !== undefined && others.length === 0) return only.id;
    throw new CommandError(`Choose an account with --account ID:\n${known}`, 2);
  }
  const found = accounts.find(({ id }) => id === given.toLowerCase());
  if (found !== undefined) return found.id;
  throw new CommandError(`No account has the id ${given}. Accounts:\n${known}`, 2);
}

/** An account as lists show it. Instants are RFC 3339, UTC; null: there is no answer. */
export async function describeAccount(
  { control, countAnswers }: Storage,
  accountId: string,
  name: string,
) {
  const workspace = await workspaceOf(control, accountId);
  const counts = await countAnswers(accountId);
  return {
    accountId,
    name,
    entities: workspace?.entities.length ?? 0,
    prompts: workspace?.prompts.length ?? 0,
    answers: counts.answers,
    outcomes: counts.outcomes,
    firstAnswer: instantText(counts.first),
    lastAnswer: instantText(counts.last),
    lastImport: instantText(counts.lastImport),
  };
}

function instantText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** A storage as a place from which or to which accounts are moved. */
export function movePlaceOf({ control, answers, clock, keyRing }: Storage): MovePlace {
  return { control, answers, clock, pepperFingerprint: keyRing.pepperFingerprint };
}

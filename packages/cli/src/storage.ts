import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "@sightline/server/config";
import { type DataFolder, openDataFolder } from "@sightline/server/data-folder";
import { openStorage, type Storage } from "@sightline/server/storage";
import { CommandError } from "./result.ts";

/** The options that every command on a data folder has. */
export interface DataOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
}

/**
 * The data folder, which must exist.
 * @throws CommandError when it does not.
 */
export function existingFolder({ dataDir: given }: DataOptions): DataFolder {
  const { dataDir } = readConfig({ dataDir: given }, process.env);
  if (existsSync(join(dataDir, "control.sqlite"))) return openDataFolder(dataDir);
  throw new CommandError(`${dataDir} is not a Sightline data folder. Set --data-dir.`, 2);
}

/**
 * Runs `work` on the data folder and closes it in any case.
 * @throws also when a write did not reach the server that runs on the folder.
 */
export async function withStorage<Result>(
  { dataDir }: DataOptions,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(readConfig({ dataDir }, process.env).dataDir);
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
  const accounts = await storage.control.accounts();
  const known = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  if (accounts.length === 0) {
    throw new CommandError(
      "There are no accounts yet. Create one: sightline apply workspace.yaml",
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

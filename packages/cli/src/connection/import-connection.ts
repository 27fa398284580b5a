import { readFile } from "node:fs/promises";
import { processIo } from "../command-io.ts";
import { CommandError } from "../result.ts";
import { keyOf } from "./address.ts";
import { connectionOf } from "./connection.ts";
import type { Profile } from "./profile-file.ts";

/** The options of an import that say where it goes. */
export interface ImportPlace {
  readonly account?: string;
  readonly dataDir?: string;
  readonly url?: string;
  readonly keyFile?: string;
  /** Of a command that takes one: it is meant for the service, not this machine. */
  readonly profile?: string;
}

/**
 * The service of `--url`, and the key for it; null without one: the answers stay on this machine,
 * whatever the environment says.
 * @throws CommandError when there is no key, or an option that does not go with `--url`.
 */
export async function importConnection(options: ImportPlace): Promise<Profile | null> {
  const { url, keyFile, profile } = options;
  if (url === undefined && profile === undefined) {
    if (keyFile === undefined) return null;
    throw new CommandError("--key-file is the key of a service: give its address with --url.", 2);
  }
  const isLocal = options.account !== undefined || options.dataDir !== undefined;
  if (isLocal) {
    throw new CommandError(
      "--account and --data-dir do not go with --url or --profile: the account is that of the key.",
      2,
    );
  }
  const key = keyFile === undefined ? {} : { key: await keyIn(keyFile) };
  const named = {
    ...(url === undefined ? {} : { url }),
    ...(profile === undefined ? {} : { profile }),
  };
  return connectionOf({ ...named, ...key }, processIo);
}

async function keyIn(file: string): Promise<string> {
  const source = `--key-file ${file}`;
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${source}: the file cannot be read: ${reason}.`, 2);
  });
  const [line = ""] = text.trimStart().split("\n"); // `keys create` prints more after the key
  return keyOf(line.trim(), source);
}

import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { nearestName, quoted } from "@sightline/contract";
import type { CommandIo } from "../command-io.ts";
import { CommandError } from "../result.ts";
import { addressOf, keyOf } from "./address.ts";

/** A service's address and its key. */
export interface Profile {
  readonly url: string;
  readonly key: string;
}

type Environment = CommandIo["environment"];

const bytesMax = 16_384;
const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * The file of a profile. Each profile has its own file, so that concurrent logins cannot undo each
 * other. A relative XDG_CONFIG_HOME is ignored, as the XDG Base Directory Specification says.
 */
export function profilePath(name: string, environment: Environment): string {
  if (!namePattern.test(name)) {
    throw new CommandError(
      `--profile: invalid name ${quoted(name)}. Use up to 63 lower-case letters, digits, - and _.`,
      2,
    );
  }
  return join(profilesFolder(environment), `${name}.json`);
}

/**
 * Reads a profile. @returns null when there is none.
 * @throws CommandError when other users can read it (as ssh does with keys), or it is invalid.
 */
export async function readProfile(name: string, environment: Environment): Promise<Profile | null> {
  const path = profilePath(name, environment);
  const file = await open(path, constants.O_RDONLY).catch(nullWhenAbsent);
  if (file === null) return null;
  try {
    await refuseOthers(file, path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, 0);
    return profileOf(buffer.subarray(0, bytesRead).toString(), path);
  } finally {
    await file.close();
  }
}

/**
 * Writes a profile atomically, readable by its owner only.
 * @returns its path.
 */
export async function writeProfile(
  name: string,
  { url, key }: Profile,
  environment: Environment,
): Promise<string> {
  const path = profilePath(name, environment);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const next = join(folder, `.${name}.${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(next, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ url, key }, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  return path;
}

/**
 * Removes a profile.
 * @returns its former path; null when there was none.
 */
export async function removeProfile(name: string, environment: Environment) {
  const path = profilePath(name, environment);
  const removed = await rm(path).then(() => true, nullWhenAbsent);
  return removed === null ? null : path;
}

/** The error for a missing profile. */
export async function noProfile(name: string, environment: Environment): Promise<CommandError> {
  const files = await readdir(profilesFolder(environment)).catch(() => []);
  const known = files
    .filter((file) => namePattern.test(file.replace(/\.json$/, "")) && file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .sort();
  const nearest = nearestName(name, known);
  const advice =
    nearest !== null
      ? `Did you mean ${nearest}?`
      : known.length === 0
        ? "There are none yet. Create one: sightline login"
        : `Profiles: ${known.join(", ")}.`;
  return new CommandError(`There is no profile ${quoted(name)}. ${advice}`, 2);
}

function profilesFolder({ XDG_CONFIG_HOME: given, HOME: home }: Environment): string {
  const isGiven = given !== undefined && isAbsolute(given);
  const folder = isGiven ? given : join(home ?? homedir(), ".config");
  return join(folder, "sightline", "profiles");
}

function nullWhenAbsent(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

async function refuseOthers(file: FileHandle, path: string): Promise<void> {
  const { mode, uid } = await file.stat();
  // Windows has neither; there the user's folder protects the file.
  const own = process.getuid?.();
  if (own === undefined) return;
  if (uid !== own && own !== 0) {
    throw new CommandError(`${path} belongs to another user, so it is not used.`);
  }
  if ((mode & 0o077) === 0) return;
  throw new CommandError(
    `${path} holds a key but is open to other users (mode ${(mode & 0o777).toString(8)}), so it ` +
      `is not used. Run: chmod 600 ${path}. If another user may have read it, revoke the key.`,
  );
}

function profileOf(text: string, path: string): Profile {
  const { url, key } = objectOf(text);
  if (typeof url !== "string" || typeof key !== "string") {
    throw new CommandError(`${path} is not a valid profile. Recreate it: sightline login`);
  }
  return { url: addressOf(url, path), key: keyOf(key, path) };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" && document !== null ? { ...document } : {};
  } catch {
    return {}; // The parser's message would repeat part of the file, and so of the key.
  }
}

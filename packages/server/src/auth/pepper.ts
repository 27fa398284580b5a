import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const pepperBytes = 32;

/**
 * The pepper under which keys are hashed: 32 random bytes in a file that only its owner may read,
 * made at the first call. Processes that make it at once all get the same.
 * @throws when the file has another length: a damaged pepper would make every key unknown.
 */
export function readPepper(path: string): Buffer {
  const found = readIfThere(path);
  if (found !== null) return found;
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, randomBytes(pepperBytes), { mode: 0o600, flush: true });
  try {
    linkSync(fresh, path); // unlike a rename, it never replaces another process's
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(fresh);
  }
  return whole(path, readFileSync(path));
}

function whole(path: string, pepper: Buffer): Buffer {
  if (pepper.length === pepperBytes) return pepper;
  throw new Error(
    `${path}: the pepper has ${pepper.length} bytes instead of ${pepperBytes}. ` +
      "Put back the file of a backup: no key is known under another pepper.",
  );
}

function readIfThere(path: string): Buffer | null {
  try {
    return whole(path, readFileSync(path));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

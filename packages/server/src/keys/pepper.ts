import { createHmac, randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { ControlEngine } from "../control/control-engine.ts";
import type { DataFolder } from "../platform/data-folder.ts";
import { keysOf } from "./key-store.ts";

const pepperBytes = 32;
const checksumBytes = 4;

/**
 * Reads the pepper that keys are hashed with: 32 random bytes and their CRC-32, in a file that only
 * its owner can read.
 * @returns null: there is no such file.
 * @throws when the file is damaged: with another pepper every key would be unknown.
 */
export function readPepper(path: string): Buffer | null {
  try {
    return whole(path, readFileSync(path));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Creates the pepper. Concurrent processes all get the same one. */
export function makePepper(path: string): Buffer {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, withChecksum(randomBytes(pepperBytes)), { mode: 0o600, flush: true });
  try {
    linkSync(fresh, path); // unlike a rename, this never replaces another process's file
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(fresh);
  }
  syncFolder(dirname(path)); // otherwise a power loss could lose the name, and every key with it
  return whole(path, readFileSync(path));
}

/** A hash that shows whether two peppers are equal, and reveals nothing else. */
export function fingerprintOf(pepper: Uint8Array): string {
  return createHmac("sha256", pepper).update("sightline pepper").digest("hex");
}

function withChecksum(pepper: Buffer): Buffer {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(crc32(pepper));
  return Buffer.concat([pepper, checksum]);
}

function whole(path: string, file: Buffer): Buffer {
  const pepper = file.subarray(0, pepperBytes);
  if (withChecksum(pepper).equals(file) && pepper.length === pepperBytes) return pepper;
  throw new Error(
    `${path}: the pepper is damaged. ` +
      "Put back the file of a backup: no key works under another pepper.",
  );
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}

/**
 * The pepper of a data folder. It is created when there are neither keys nor a pepper.
 * @throws when it is missing although keys exist: no key works with another one.
 */
export async function pepperOf({ pepper }: DataFolder, control: ControlEngine): Promise<Buffer> {
  const found = readPepper(pepper);
  if (found !== null) return found;
  const { length } = await keysOf(control, null);
  if (length === 0) return makePepper(pepper);
  // Another process may have created the pepper and the first key meanwhile.
  const made = readPepper(pepper);
  if (made !== null) return made;
  throw new Error(
    `${pepper} is missing, but keys exist (${length}), and no key works under another pepper. ` +
      "Put back the pepper of a backup (tar --zstd -xf BACKUP pepper).",
  );
}

/**
 * The pepper of a node, which all nodes share. The first node creates it.
 * @throws when it is missing or differs, with the file to copy and its target.
 */
export async function pepperOfNode(
  { pepper }: DataFolder,
  control: ControlEngine,
): Promise<Buffer> {
  const found = readPepper(pepper);
  const { length: keys } = found === null ? await keysOf(control, null) : [];
  if (keys > 0) throw new Error(missing(pepper));
  const own = found ?? makePepper(pepper);
  if (await control.claimPepper(fingerprintOf(own))) return own;
  if (found !== null) {
    throw new Error(
      `${pepper} is not the pepper of the other nodes, and no key works under another one. ` +
        `Replace it by the file \`pepper\` from the data folder of another node.`,
    );
  }
  // Not used: the next start must not take it for a copied one.
  rmSync(pepper, { force: true });
  throw new Error(missing(pepper));
}

function missing(path: string): string {
  return (
    `${path} is missing, but the other nodes have a pepper, and no key works under another one. ` +
    "Copy the file `pepper` from the data folder of another node, or from a backup, to there."
  );
}

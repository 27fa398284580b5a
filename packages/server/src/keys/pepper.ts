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

const pepperBytes = 32;
const checksumBytes = 4;

/**
 * The pepper under which keys are hashed: 32 random bytes with their CRC-32, in a file that only
 * its owner can read. Null when there is no such file.
 * @throws when the file is damaged: another pepper would make every key unknown.
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

/** Tells whether two peppers are the same, and nothing else of them. */
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

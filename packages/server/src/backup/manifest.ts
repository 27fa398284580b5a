import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** The file of a backup that tells what else is in it. */
export const manifestName = "sightline-backup.json";

/** A file of a backup. */
export interface ManifestFile {
  /** From the data folder's root, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** What a backup holds. */
export interface Manifest {
  readonly version: 1;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  readonly files: readonly ManifestFile[];
}

/** SHA-256 of a file, hexadecimal. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

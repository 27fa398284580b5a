import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { z } from "zod";

/** The file of a backup that lists the others. It comes first. */
export const manifestName = "sightline-backup.json";

/** An entry takes about 150 bytes: enough for 400,000 accounts. */
export const manifestBytesMax = 64 * 1024 * 1024;

/** The only paths that a backup may contain: it is untrusted input. */
const allowedPath =
  /^(control\.sqlite|pepper|accounts\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/answers\.sqlite)$/;

const fileSchema = z.object({
  path: z.string().regex(allowedPath),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifestSchema = z.object({
  version: z.literal(1),
  createdAt: z.iso.datetime(),
  files: z
    .array(fileSchema)
    .refine((files) => new Set(files.map(({ path }) => path)).size === files.length)
    .refine((files) => files.some(({ path }) => path === "control.sqlite")),
});

/** A file of a backup: its path from the data folder's root, with `/`, and its SHA-256 in hex. */
export type ManifestFile = Readonly<z.infer<typeof fileSchema>>;

/** What a backup holds. `createdAt` is RFC 3339, UTC. */
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

/** The manifest in a text, or its fault, as the end of a sentence. */
export function parseManifest(text: string): Manifest | string {
  const document = parseJson(text);
  const parsed = manifestSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const later = z.object({ version: z.int().min(2) }).safeParse(document);
  if (later.success) {
    return `it has format ${later.data.version}, and this version of Sightline reads format 1`;
  }
  const at = parsed.error.issues[0]?.path.join("/") ?? "";
  return `its ${manifestName} is not valid${at === "" ? "" : `, at /${at}`}`;
}

/** Undefined, which JSON cannot contain, for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** SHA-256 of a file, hexadecimal. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

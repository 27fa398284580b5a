import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../breaking-changes/breaking-changes.ts";

const root = join(import.meta.dirname, "../../../..");

/** The document of today, as others generate clients from it. */
export const todayPath: string = join(root, "openapi.json");

/** The document that clients of v1 were last told of. */
export const releasedPath: string = join(root, "openapi.v1.json");

/** What the Python client has of it. */
export const pythonPath: string = join(root, "packages/python/src/sightline/_generated.py");

/** A document as its file is written: two spaces, in the order of the document, a line's end. */
export function fileText(document: Json): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The document in a file. */
export function readDocument(path: string): Json {
  return JSON.parse(readFileSync(path, "utf8")) as Json;
}

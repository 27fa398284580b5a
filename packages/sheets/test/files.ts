import type { Encoding } from "../src/index.ts";

/** A text as a spreadsheet program saves it: UTF-16 with its mark, UTF-8 with one if it is told. */
export function saved(text: string, encoding: Encoding, hasMark = true): Uint8Array<ArrayBuffer> {
  if (encoding === "windows-1252") return new Uint8Array(Buffer.from(text, "latin1"));
  const marked = hasMark ? `\ufeff${text}` : text;
  const bytes = new Uint8Array(Buffer.from(marked, encoding === "utf-8" ? "utf8" : "utf16le"));
  return encoding === "utf-16be" ? new Uint8Array(Buffer.from(bytes).swap16()) : bytes;
}

/** Bytes in pieces of a size, as they come from a file or the network. */
export async function* inPieces(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Everything that comes. */
export async function allOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

import type { IncomingMessage } from "node:http";
import { quoted } from "@sightline/contract";

/** Fields of which Node would take the first in silence, and a proxy perhaps the last. */
const singleFields = ["Host", "Authorization", "Content-Type"] as const;

/**
 * Why a head that the parser took is refused all the same; null: it is good. RFC 9112, 3.2 wants
 * one Host field, which HTTP/1.0 may leave out: Node would refuse a missing one itself, but with an
 * empty reply. Of the transfer codings Node undoes `chunked` alone, and takes others as if they
 * were not there.
 */
export function headFault({ httpVersion, rawHeaders, headers }: IncomingMessage): string | null {
  const repeated = repeatedField(rawHeaders);
  if (repeated === "Host" || (headers.host === undefined && httpVersion !== "1.0")) {
    return "Send exactly one `Host` field.";
  }
  if (repeated !== null) return `Send \`${repeated}\` once.`;
  const coding = headers["transfer-encoding"];
  if (coding === undefined || coding.trim().toLowerCase() === "chunked") return null;
  return `\`Transfer-Encoding\` must be chunked, got ${quoted(coding)}.`;
}

/** The first of the single fields that comes more than once. */
function repeatedField(rawHeaders: readonly string[]): (typeof singleFields)[number] | null {
  const seen = new Set<string>();
  for (let name = 0; name < rawHeaders.length; name += 2) {
    const field = rawHeaders[name] ?? "";
    const single = singleFields.find((each) => isNamed(each, field));
    if (single === undefined) continue;
    if (seen.has(single)) return single;
    seen.add(single);
  }
  return null;
}

/** Compares lengths first: this is done for each field of each request. */
function isNamed(name: string, field: string): boolean {
  return name.length === field.length && name.toLowerCase() === field.toLowerCase();
}

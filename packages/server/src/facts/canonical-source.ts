import { canonicalUrl } from "../extraction/index.ts";
import type { CitedSource } from "./plan/cited-source.ts";

/** A source as the facts name it; null in, null out. No fact names a URL that is none. */
export function canonicalSource(source: CitedSource | null): CitedSource | null {
  if (source === null || source.url === null) return source;
  return { ...source, url: canonicalUrl(source.url) ?? "" };
}

/** A source that answers cite. Both conditions hold for the same citation. */
export interface CitedSource {
  /** A registrable domain in lower case; null: any. */
  readonly domain: string | null;
  /** A page; null: any. */
  readonly url: string | null;
}

/** The source that a valid request names; null: none. */
export function citedSourceOf({
  domain,
  url,
}: {
  readonly domain?: string | undefined;
  readonly url?: string | undefined;
}): CitedSource | null {
  if (domain === undefined && url === undefined) return null;
  return Object.freeze({ domain: domain?.toLowerCase() ?? null, url: url ?? null });
}

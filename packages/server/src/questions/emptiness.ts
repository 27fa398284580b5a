import type { EmptyReason } from "@sightline/contract";

/** What kind of nothing a reply is, and when the account has answers. */
export interface Emptiness {
  readonly reason: EmptyReason;
  /** When the account's first answer was given, in milliseconds since 1970; null: there is none. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

/** The part of a reply that says why it is empty. */
export function emptyPart(empty: Emptiness | null) {
  if (empty === null) return null;
  const { reason, firstMs, lastMs } = empty;
  return { reason, first: dateTime(firstMs), last: dateTime(lastMs) };
}

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

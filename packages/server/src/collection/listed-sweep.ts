import type { CollectionPart, ListedCollection } from "@sightline/contract";
import type { SweepPart, SweepRecord } from "./store/collection-store.ts";

/** A sweep as it is listed. */
export function listedSweep(sweep: SweepRecord): ListedCollection {
  const { id, slot, source, createdAt, deadline, cancelledAt } = sweep;
  const parts = sweep.parts.map(listedPart);
  const sum = (of: (part: SweepPart) => number) =>
    sweep.parts.reduce((total, part) => total + of(part), 0);
  const [jobs, done] = [sum((part) => part.jobs), sum((part) => part.done)];
  return {
    id,
    slot: instant(slot),
    source,
    createdAt: instant(createdAt),
    deadline: instant(deadline),
    cancelledAt: instantOrNull(cancelledAt),
    endedAt: instantOrNull(endedAt(sweep)),
    ...{ jobs, done, missing: jobs - done },
    spentDollars: dollars(sum((part) => part.spentMicros)),
    parts,
  };
}

/** When the last part of a sweep was published, in milliseconds since 1970; null: under way. */
export function endedAt({ parts, createdAt }: Pick<SweepRecord, "parts" | "createdAt">) {
  const published = parts.flatMap((part) => part.publishedAt ?? []);
  // One without jobs has nothing to wait for.
  return published.length < parts.length ? null : Math.max(createdAt, ...published);
}

/** Dollars of millionths of a dollar. */
export function dollars(micros: number): number {
  return micros / 1_000_000;
}

/** An instant of milliseconds since 1970. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same, where there may be none. */
export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

function listedPart(part: SweepPart): CollectionPart {
  const { provider, surface, vendor, jobs, queued, underWay, done, failed } = part;
  return {
    ...{ provider, surface, vendor, jobs, queued, underWay, done, failed: [...failed] },
    missing: jobs - done,
    spentDollars: dollars(part.spentMicros),
    warnings: [...part.warnings],
    suspicious: [...part.suspicious],
    heldUntil: instantOrNull(part.heldUntil),
    publishedAt: instantOrNull(part.publishedAt),
  };
}

import type { CollectionsResponse, ListedCollection } from "@sightline/client";
import { dateText } from "../data/format.ts";
import type { TagKind } from "../parts/tag.tsx";

type Part = ListedCollection["parts"][number];

/** How a sweep stands, in words. */
interface SweepState {
  readonly kind: TagKind;
  readonly text: string;
  /** Whether questions are still being asked, or waited for. */
  readonly isUnderWay: boolean;
}

/** What tells how a sweep stands. */
interface ShownSweep
  extends Pick<ListedCollection, "endedAt" | "cancelledAt" | "missing" | "done"> {
  readonly parts: readonly Pick<Part, "publishedAt" | "underWay" | "heldUntil" | "suspicious">[];
}

/** How a sweep stands. */
export function sweepStateOf({
  endedAt,
  cancelledAt,
  missing,
  done,
  parts,
}: ShownSweep): SweepState {
  if (endedAt === null) {
    const open = parts.filter(({ publishedAt }) => publishedAt === null);
    if (open.length > 0 && open.every(({ suspicious }) => suspicious.length > 0)) {
      return { kind: "worse", text: "held back", isUnderWay: false };
    }
    const isHeld = open.every(({ underWay, heldUntil }) => underWay === 0 && heldUntil !== null);
    if (isHeld && open.length > 0) return { kind: "doubt", text: "cap reached", isUnderWay: true };
    const text = cancelledAt === null ? "under way" : "being cancelled";
    return { kind: "accent", text, isUnderWay: true };
  }
  const ended = (kind: TagKind, text: string) => ({ kind, text, isUnderWay: false });
  if (missing === 0) return ended("better", "done");
  if (cancelledAt !== null) return ended("plain", "cancelled");
  return done === 0 ? ended("worse", "given up") : ended("doubt", "done in part");
}

/** How many questions of a part failed. The reasons may be more than are listed. */
export function failedCountOf({
  jobs,
  queued,
  underWay,
  done,
}: Pick<Part, "jobs" | "queued" | "underWay" | "done">): number {
  return jobs - queued - underWay - done;
}

/** When a sweep is of, in UTC. */
export const slotText = ({ slot }: Pick<ListedCollection, "slot">): string =>
  dateText(slot, "instant").replace(" UTC", "");

/** A question takes seconds; parts are published once a second. */
const lookMs = 3_000;
/** While no process collects, only what the operator does changes anything. */
const idleLookMs = 15_000;
/** Browsers' timers take some weeks at most, and a computer that slept has one go on late. */
const lookMsMax = 3_600_000;

/** What tells when something changes next. */
interface Looked {
  readonly collections: readonly ShownSweep[];
  readonly collectors: number;
  /** The first one first. */
  readonly next: readonly Pick<CollectionsResponse["next"][number], "at">[];
}

/**
 * In how many milliseconds sweeps are to be looked at again: soon while one is under way, else when
 * the next one begins. False: nothing begins by itself.
 */
export function lookAgainMs({ collections, collectors, next }: Looked, now: number) {
  const isUnderWay = collections.some((sweep) => sweepStateOf(sweep).isUnderWay);
  if (isUnderWay) return collectors === 0 ? idleLookMs : lookMs;
  const [first] = next;
  if (first === undefined || collectors === 0) return false;
  return Math.min(Math.max(0, Date.parse(first.at) - now) + lookMs, lookMsMax);
}

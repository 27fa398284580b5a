import type { MetricName, Role } from "@sightline/client";
import { metricTexts } from "../data/names.ts";
import type { Sorting } from "../parts/table.tsx";

/** A value of an account's brand over the days of the page. */
export interface BoardValue {
  readonly value: number | null;
  readonly n: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Like for like, against as many days before; null: nothing to compare. */
  readonly change: number | null;
  readonly verdict: string | null;
  /** By week, oldest first; empty: not asked for. */
  readonly points: readonly (number | null)[];
}

/** An account of the person, at a glance. */
export interface BoardRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly brand: string | null;
  /** Omitted: it has none. */
  readonly tags?: readonly string[];
  /** later: its numbers are being made. */
  readonly state: "ready" | "empty" | "later";
  readonly metrics: Readonly<
    Record<"mentions" | "citations" | "visibility" | "rank", BoardValue>
  > | null;
  readonly lastAnswer: string | null;
  readonly failedSweeps: number;
}

/** The reply about all accounts of a person. */
export interface Board {
  readonly accounts: readonly BoardRow[];
  /** More accounts than one page shows. */
  readonly leftOut: number;
  /** The first and the last UTC day of the values. */
  readonly from: string;
  readonly to: string;
}

/** The value of a metric in a row; null: there are no values. */
export function boardValueOf({ metrics }: BoardRow, metric: MetricName): BoardValue | null {
  return metrics?.[metricTexts[metric].field] ?? null;
}

/** What the page is narrowed to, and its order. */
export interface BoardChoice {
  readonly search: string;
  /** Accounts with one of them; empty: all. */
  readonly tags: readonly string[];
  readonly sorting: Sorting;
}

/** The rows that are shown, in their order: what has no value is last, whichever way they stand. */
export function shownRows(
  rows: readonly BoardRow[],
  { search, tags, sorting: { key, descending } }: BoardChoice,
): readonly BoardRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(({ name, brand, tags: own = [] }) => {
    const text = `${name} ${brand ?? ""} ${own.join(" ")}`.toLowerCase();
    const isTagged = tags.length === 0 || tags.some((tag) => own.includes(tag));
    return isTagged && words.every((word) => text.includes(word));
  });
  const sign = descending ? -1 : 1;
  return found.toSorted((one, other) => {
    const [a, b] = [sortedBy(one, key), sortedBy(other, key)];
    if (a === b) return compared(one.name, other.name);
    if (a === null || b === null) return a === null ? 1 : -1;
    return sign * compared(a, b);
  });
}

function sortedBy(row: BoardRow, key: string): string | number | null {
  if (key === "answer") return row.lastAnswer;
  if (key === "failed") return row.failedSweeps;
  const metric = (Object.keys(metricTexts) as MetricName[]).find((each) => each === key);
  return metric === undefined ? row.name : (boardValueOf(row, metric)?.value ?? null);
}

function compared(one: string | number, other: string | number): number {
  if (typeof one === "string" && typeof other === "string") return one.localeCompare(other);
  return one < other ? -1 : one > other ? 1 : 0;
}

/** All tags of the accounts, in their order. */
export function tagsOf(rows: readonly BoardRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ tags = [] }) => tags))].toSorted(compared);
}

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** What is known of a column's place in a table. */
export interface PlacedColumn {
  readonly key: string;
  /**
   * Where it goes among those that may be dropped, the smallest first; those with the same number
   * go together; undefined: it stays.
   */
  readonly drops?: number;
}

interface Fit {
  readonly columns: readonly PlacedColumn[];
  /** Of each column where none is dropped, by its key, in px. */
  readonly widths: ReadonlyMap<string, number>;
  /** By how much the table is wider than its place, in px. */
  readonly excess: number;
  /** The key of the column that rows are sorted by, which stays. */
  readonly sorted: string | undefined;
}

/** The keys of the columns without which a table fits its place, or all that may be dropped. */
export function droppedColumns({ columns, widths, excess, sorted }: Fit): readonly string[] {
  const mayDrop = columns
    .filter(({ key, drops }) => drops !== undefined && key !== sorted)
    .toSorted((a, b) => (a.drops ?? 0) - (b.drops ?? 0));
  const dropped: string[] = [];
  let left = excess;
  let last: number | undefined;
  for (const { key, drops } of mayDrop) {
    if (left <= 0 && drops !== last) break;
    dropped.push(key);
    left -= widths.get(key) ?? 0;
    last = drops;
  }
  return dropped;
}

const none: readonly string[] = [];

/**
 * The keys of the columns for which a table has no place. It is measured with all of them before it
 * is painted, and again when its place, its rows or its font change: nothing on the page moves.
 */
export function useDroppedColumns(
  frame: RefObject<HTMLElement | null>,
  columns: readonly PlacedColumn[],
  sorted: string | undefined,
): readonly string[] {
  const [dropped, setDropped] = useState(none);
  const look = useRef(() => {});
  useLayoutEffect(() => {
    look.current = () => {
      const { current } = frame;
      if (current === null || current.clientWidth === 0) return;
      const { widths, excess } = measured(current, columns);
      const found = droppedColumns({ columns, widths, excess, sorted });
      setDropped((before) => (before.join() === found.join() ? before : found));
    };
    look.current();
  });
  useEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    const watch = new ResizeObserver(() => look.current());
    watch.observe(current);
    for (const table of current.children) watch.observe(table);
    return () => watch.disconnect();
  }, [frame]);
  return dropped;
}

/** What a table's columns would take if none was dropped. */
function measured(frame: HTMLElement, columns: readonly PlacedColumn[]) {
  frame.dataset["measured"] = "";
  const table = frame.querySelector("table");
  const heads = [...(table?.tHead?.rows[0]?.cells ?? [])];
  const widths = new Map(
    columns.map(({ key }, index) => [key, heads[index]?.offsetWidth ?? 0] as const),
  );
  const excess = (table?.offsetWidth ?? 0) - frame.clientWidth;
  delete frame.dataset["measured"];
  return { widths, excess };
}

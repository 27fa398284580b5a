import { type ReactNode, useState } from "react";
import { countOf } from "../data/format.ts";
import type { Column } from "./table.tsx";
import css from "./ticked.module.css";

/** The rows of a list that are ticked. */
export interface Ticked<Row> {
  readonly has: (row: Row) => boolean;
  readonly toggle: (rows: readonly Row[], isTicked: boolean) => void;
  readonly clear: () => void;
}

/** No row is ticked at first. `keyOf` is the row's key, which it keeps when it is fetched again. */
export function useTicked<Row>(keyOf: (row: Row) => string): Ticked<Row> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    has: (row) => keys.has(keyOf(row)),
    toggle: (rows, isTicked) => {
      const toggled = new Set(keys);
      for (const row of rows) {
        if (isTicked) toggled.add(keyOf(row));
        else toggled.delete(keyOf(row));
      }
      setKeys(toggled);
    },
    clear: () => setKeys(new Set()),
  };
}

interface TickColumnOptions<Row> {
  readonly ticked: Ticked<Row>;
  /** The name that a screen reader says; null: nothing can be done with this row. */
  readonly nameOf: (row: Row) => string | null;
}

/** The column whose boxes tick the rows of a table. */
export function tickColumn<Row>({ ticked, nameOf }: TickColumnOptions<Row>): Column<Row> {
  return {
    key: "tick",
    title: <span className="visually-hidden">Select</span>,
    cell: (row) => {
      const name = nameOf(row);
      return name === null ? null : (
        <input
          type="checkbox"
          className={css["tick"]}
          aria-label={`Select ${name}`}
          checked={ticked.has(row)}
          onChange={({ target }) => ticked.toggle([row], target.checked)}
        />
      );
    },
  };
}

interface TickedBarProps<Row> {
  /** Those that can be ticked: what nobody sees is not changed. */
  readonly rows: readonly Row[];
  readonly ticked: Ticked<Row>;
  /** What a row is, such as "prompt". */
  readonly noun: string;
  /** What can be done with those that are ticked, shown when some are. */
  readonly children: ReactNode;
}

/** The line above a table whose rows can be ticked: one box ticks them all. */
export function TickedBar<Row>({ rows, ticked, noun, children }: TickedBarProps<Row>) {
  const { length: count } = rows.filter(ticked.has);
  const isAll = count === rows.length && count > 0;
  return (
    <div className={css["bar"]}>
      <label>
        <input
          type="checkbox"
          className={css["tick"]}
          checked={isAll}
          ref={(box) => {
            if (box !== null) box.indeterminate = count > 0 && !isAll;
          }}
          onChange={({ target }) => ticked.toggle(rows, target.checked)}
        />
        {count === 0
          ? `Select all ${countOf(rows.length, noun)}`
          : `${countOf(count, noun)} selected`}
      </label>
      {count === 0 ? null : children}
    </div>
  );
}

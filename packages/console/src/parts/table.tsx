import { type CSSProperties, type Key, type ReactNode, useEffect, useRef } from "react";
import type { ExplanationName } from "../data/explanations.ts";
import { Explained } from "./explained.tsx";
import { useDroppedColumns } from "./fitting-columns.ts";
import { Icon } from "./icon.tsx";
import { useHiddenSides } from "./sideways.ts";
import css from "./table.module.css";

/** A column of a table. */
export interface Column<Row> {
  readonly key: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the right. */
  readonly figure?: boolean;
  /**
   * Where there is no place for all, columns with a number are dropped, the smallest first and
   * equal ones together; never the one that rows are sorted by. What it says then stands in the
   * row's details, or below its name.
   */
  readonly drops?: number;
  /** Another cell says the same where it is dropped. */
  readonly repeats?: boolean;
  /** What the title means. */
  readonly explained?: ExplanationName;
  /** What rows are found by, which the others leave some width; the first unless one says so. */
  readonly main?: boolean;
  /** The title is a button that sorts by this column. */
  readonly sorts?: boolean;
}

/** By which column rows are sorted. */
export interface Sorting {
  readonly key: string;
  readonly descending: boolean;
}

/** A bar behind a row, under its name. */
export interface Bar {
  /** Of the longest bar, 0 to 1. */
  readonly length: number;
  readonly isBrand: boolean;
}

interface TableProps<Row> {
  /** What the table holds, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Already in order: the caller sorts, or the service did. */
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
  readonly rowClass?: (row: Row) => string | undefined;
  /** What an open row shows below itself; null: it is shut. */
  readonly detailOf?: (row: Row) => ReactNode;
  /** It has nothing to press: what scrolls sideways must be reached by keys. */
  readonly isPlain?: boolean;
  /** How long the bar behind a row is, 0 to 1, and whether it is the brand's. */
  readonly barOf?: (row: Row) => Bar;
}

/**
 * A table of a panel. Where it is too narrow for all columns it drops those that matter least; what
 * is still too wide scrolls sideways under a shadow, and the page never does.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, sorting, onSort } = props;
  const frame = useRef<HTMLDivElement>(null);
  const dropped = useDroppedColumns(frame, columns, sorting?.key);
  const hidden = useHiddenSides(frame);
  const main = columns.find((column) => column.main === true) ?? columns[0];
  const parts: Parts<Row> = {
    main,
    classOf: (column) =>
      [
        column.figure === true ? css["figure"] : column === main ? css["main"] : "",
        dropped.includes(column.key) ? css["dropped"] : "",
      ].join(" "),
    toSay: columns.filter(({ key, repeats }) => dropped.includes(key) && repeats !== true),
  };
  // A link to an open row leads to it; one that is opened later is where its reader pressed.
  useEffect(() => {
    frame.current?.querySelector("tr[data-open]")?.scrollIntoView({ block: "nearest" });
  }, []);
  const reached =
    props.isPlain === true ? { tabIndex: 0, role: "region", "aria-label": caption } : {};
  return (
    <div className={[css["frame"], ...hidden.map((side) => css[side])].join(" ")}>
      <div ref={frame} className={css["scroll"]} data-dropped={dropped.join(" ")} {...reached}>
        <table className={css["table"]}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={parts.classOf(column)}
                  aria-sort={sortOf(column.key, sorting)}
                >
                  <span className={css["title"]}>
                    {column.sorts === true && onSort !== undefined ? (
                      <SortButton column={column} sorting={sorting} onSort={onSort} />
                    ) : (
                      <span>{column.title}</span>
                    )}
                    <Explanation title={column.title} name={column.explained} />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <TableRow key={keyOf(row)} table={props} parts={parts} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** What a table's rows know of its columns. */
interface Parts<Row> {
  readonly main: Column<Row> | undefined;
  readonly classOf: (column: Column<Row>) => string;
  /** Those that are dropped, and that no other cell repeats. */
  readonly toSay: readonly Column<Row>[];
}

interface TableRowProps<Row> {
  readonly table: TableProps<Row>;
  readonly parts: Parts<Row>;
  readonly row: Row;
}

function TableRow<Row>({ table, parts: { main, classOf, toSay }, row }: TableRowProps<Row>) {
  const { columns, detailOf } = table;
  const detail = detailOf?.(row) ?? null;
  const bar = table.barOf?.(row);
  const classes = [table.rowClass?.(row), bar === undefined ? "" : css["barred"]];
  return (
    <>
      <tr
        className={classes.filter(Boolean).join(" ")}
        style={bar === undefined ? undefined : barStyle(bar)}
        data-open={detail === null ? undefined : true}
      >
        {columns.map((column) => (
          <td key={column.key} className={classOf(column)}>
            {column.cell(row)}
            {column === main && detailOf === undefined ? (
              <Dropped columns={toSay} row={row} />
            ) : null}
          </td>
        ))}
      </tr>
      {detail === null ? null : (
        <tr className={css["detail"]}>
          <td colSpan={columns.length}>
            <div className={css["inside"]}>
              <Dropped columns={toSay} row={row} isExplained />
              {detail}
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

interface ExplanationProps {
  readonly title: ReactNode;
  readonly name: ExplanationName | undefined;
}

function Explanation({ title, name }: ExplanationProps) {
  if (name === undefined || typeof title !== "string") return null;
  return <Explained of={name} title={title} />;
}

interface DroppedProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  /** In one row at a time: in each, the buttons would be more than the words. */
  readonly isExplained?: boolean;
}

/** What a row says in columns for which there is no place. */
function Dropped<Row>({ columns, row, isExplained = false }: DroppedProps<Row>) {
  if (columns.length === 0) return null;
  return (
    <dl className={css["list"]}>
      {columns.map(({ key, title, cell, explained }) => (
        <div key={key}>
          <dt>
            {title}
            {isExplained ? <Explanation title={title} name={explained} /> : null}
          </dt>
          <dd>{cell(row)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The longest bar ends before the figures begin. */
const longestPercent = 50;

const barStyle = ({ length, isBrand }: Bar) =>
  ({
    "--bar": `${(length * longestPercent).toFixed(2)}%`,
    "--bar-ground": isBrand ? "var(--accent-soft)" : "var(--inset)",
  }) as CSSProperties;

function sortOf(key: string, sorting: Sorting | undefined) {
  if (sorting?.key !== key) return undefined;
  return sorting.descending ? "descending" : "ascending";
}

interface SortButtonProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
}

function SortButton<Row>({ column, sorting, onSort }: SortButtonProps<Row>) {
  const isSorted = sorting?.key === column.key;
  const descending = isSorted ? !sorting.descending : column.figure === true;
  return (
    <button
      type="button"
      className={`${css["sort"]} ${isSorted ? "" : css["unsorted"]}`}
      onClick={() => onSort({ key: column.key, descending })}
    >
      {column.title}
      <Icon name={isSorted && !sorting.descending ? "rise" : "fall"} />
    </button>
  );
}

import { type CSSProperties, Fragment, type Key, type ReactNode, useEffect, useRef } from "react";
import { Icon } from "./icon.tsx";
import css from "./table.module.css";

/** A column of a table. */
export interface Column<Row> {
  readonly key: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the right. */
  readonly figure?: boolean;
  /** Left out on a phone. */
  readonly minor?: boolean;
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

/** A table of a panel. It scrolls sideways where it must, and the page never does. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, sorting, onSort } = props;
  const classOf = ({ figure = false, minor = false }: Column<Row>) =>
    [figure ? css["figure"] : "", minor ? css["minor"] : ""].join(" ");
  const frame = useRef<HTMLDivElement>(null);
  // A link to an open row leads to it; one that is opened later is where its reader pressed.
  useEffect(() => {
    frame.current?.querySelector("tr[data-open]")?.scrollIntoView({ block: "nearest" });
  }, []);
  const reached =
    props.isPlain === true ? { tabIndex: 0, role: "region", "aria-label": caption } : {};
  return (
    <div ref={frame} className={css["scroll"]} {...reached}>
      <table className={css["table"]}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classOf(column)}
                aria-sort={sortOf(column.key, sorting)}
              >
                {column.sorts === true && onSort !== undefined ? (
                  <SortButton column={column} sorting={sorting} onSort={onSort} />
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const detail = props.detailOf?.(row) ?? null;
            const bar = props.barOf?.(row);
            const classes = [props.rowClass?.(row), bar === undefined ? "" : css["barred"]];
            return (
              <Fragment key={keyOf(row)}>
                <tr
                  className={classes.filter(Boolean).join(" ")}
                  style={bar === undefined ? undefined : barStyle(bar)}
                  data-open={detail === null ? undefined : true}
                >
                  {columns.map((column) => (
                    <td key={column.key} className={classOf(column)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
                {detail === null ? null : (
                  <tr className={css["detail"]}>
                    <td colSpan={columns.length}>{detail}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
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

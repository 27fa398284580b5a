import type { MetricName } from "@sightline/client";
import { countOf, countText, dateText, intervalText, nothing, valueText } from "../data/format.ts";
import { metricOrder, metricTexts } from "../data/names.ts";
import { addressOf, changeView } from "../data/use-view.ts";
import { plainView } from "../data/view.ts";
import { type Column, type Sorting, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { ChangeFigure } from "../questions/changes/change.tsx";
import { wordOf } from "../questions/changes/change-text.ts";
import css from "./board.module.css";
import { type Board, type BoardRow, type BoardValue, boardValueOf } from "./rows.ts";
import { sparkPath, sparkSize } from "./spark-path.ts";

interface AccountTableProps {
  readonly board: Board;
  /** Those that are shown, in their order. */
  readonly rows: readonly BoardRow[];
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

/** An account a row; its name leads to its pages. */
export function AccountTable({ board, rows, sorting, onSort }: AccountTableProps) {
  return (
    <Table
      caption="Accounts"
      rows={rows}
      keyOf={({ id }) => id}
      sorting={sorting}
      onSort={onSort}
      columns={columnsOf(board)}
    />
  );
}

function columnsOf(board: Board): readonly Column<BoardRow>[] {
  return [
    {
      key: "name",
      title: "Account",
      main: true,
      sorts: true,
      cell: (row) => <Name row={row} board={board} />,
    },
    { key: "course", title: "12 weeks", drops: 2, cell: (row) => <Course row={row} /> },
    ...metricOrder.map(
      (metric, place): Column<BoardRow> => ({
        key: metric,
        title: metricTexts[metric].title,
        figure: true,
        sorts: true,
        explained: metric,
        // The first stays: it is what most look for. The others go together.
        ...(place === 0 ? {} : { drops: 3 }),
        cell: (row) => <Figure metric={metric} value={boardValueOf(row, metric)} />,
      }),
    ),
    {
      key: "answer",
      title: "Newest answer",
      sorts: true,
      drops: 1,
      cell: ({ lastAnswer }) =>
        lastAnswer === null ? <span className={css["nothing"]}>none</span> : dateText(lastAnswer),
    },
    {
      key: "failed",
      title: "Failed sweeps",
      figure: true,
      sorts: true,
      drops: 1,
      cell: ({ failedSweeps }) =>
        failedSweeps === 0 ? (
          <span className={css["nothing"]}>0</span>
        ) : (
          <Tag kind="worse">{countText(failedSweeps)}</Tag>
        ),
    },
  ];
}

interface NameProps {
  readonly row: BoardRow;
  readonly board: Board;
}

/** Leads to the account, over the days of the table, so that its values are the same there. */
function Name({ row: { id, name, brand, role, tags = [], state }, board }: NameProps) {
  const { from: first, to: last } = board;
  const change = { ...plainView, account: id, period: { first, last } };
  return (
    <>
      <a
        className={css["name"]}
        href={addressOf(change)}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          changeView(change);
        }}
      >
        {name}
      </a>
      <div className="small quiet">
        {[brand === name ? null : brand, role].filter(Boolean).join(" · ")}
      </div>
      {state === "ready" ? null : (
        <div className="small quiet">
          {state === "later" ? "Its numbers are being made." : "No answers of these days."}
        </div>
      )}
      {tags.length === 0 ? null : (
        <div className={css["tags"]}>
          {tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </div>
      )}
    </>
  );
}

interface FigureProps {
  readonly metric: MetricName;
  readonly value: BoardValue | null;
}

function Figure({ metric, value }: FigureProps) {
  if (value === null) return <span className={css["nothing"]}>{nothing}</span>;
  return (
    <div className={css["figure"]}>
      <span className={css["value"]} title={basisText(metric, value)}>
        {valueText(metric, value.value)}
      </span>
      <span className={css["change"]}>
        <ChangeFigure metric={metric} value={value.change} verdict={value.verdict} />
      </span>
      <span className={css["verdict"]}>
        {value.change === null || value.verdict === null
          ? "nothing to compare"
          : wordOf(value.verdict)}
      </span>
    </div>
  );
}

/** What a value rests on. */
function basisText(metric: MetricName, { low, high, n }: BoardValue): string {
  const bounds = low === null || high === null ? null : intervalText(metric, { low, high });
  const counted = countOf(n, metric === "rank" ? "mention" : "answer");
  return bounds === null ? counted : `${bounds} likely · ${counted}`;
}

/** The mentions of twelve weeks. Its words are those of the values next to it. */
function Course({ row }: { readonly row: BoardRow }) {
  const points = boardValueOf(row, "mentions")?.points ?? [];
  if (points.every((each) => each === null))
    return <span className={css["nothing"]}>{nothing}</span>;
  const { width, height } = sparkSize;
  const words = points.map((each) => valueText("mentions", each, 0)).join(", ");
  return (
    <svg
      className={css["course"]}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Mentions by week: ${words}`}
    >
      <path d={sparkPath(points)} />
    </svg>
  );
}

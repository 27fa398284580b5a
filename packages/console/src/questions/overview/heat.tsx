import type { PortrayalFlag } from "@sightline/client";
import { type CSSProperties, type KeyboardEvent, useRef, useState } from "react";
import { useAccountName } from "../../data/account.ts";
import { tagsOf } from "../../data/filters.ts";
import { countOf, countText } from "../../data/format.ts";
import { useSummary } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { changeOwn, changeView, chooseItems } from "../../data/use-view.ts";
import { Segments } from "../../parts/button.tsx";
import { type CsvForm, saveCsv } from "../../parts/csv.ts";
import { CsvMenu } from "../../parts/csv-menu.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useHiddenSides } from "../../parts/sideways.ts";
import { CopyMenu } from "../copy-menu.tsx";
import { fileName, tableTexts } from "../described.ts";
import { emptyText } from "../empty-texts.tsx";
import { measureOf } from "./board-measure.ts";
import css from "./heat.module.css";
import {
  type Heat,
  type HeatCell,
  type HeatGroup,
  type HeatGrouping,
  type HeatRow,
  heatGroupings,
  heatOf,
  heatRecords,
  heatTitle,
} from "./heat-cells.ts";
import { MeasureChoice } from "./leaderboard.tsx";

const groupingTexts: Readonly<Record<HeatGrouping, string>> = {
  provider: "Provider",
  model: "Model",
  surface: "Surface",
  topic: "Topic",
  tag: "Tag",
  region: "Region",
};

const listNames = {
  provider: "providers",
  model: "models",
  surface: "surfaces",
  topic: "topics",
  tag: "tags",
  region: "regions",
} as const;

interface HeatPanelProps {
  readonly question: ViewQuestion;
  /** What answers say, in place of the chosen metric. */
  readonly flag?: PortrayalFlag;
}

/** The chosen metric, or a flag, of each entity by provider, topic or region. */
export function HeatPanel({ question, flag }: HeatPanelProps) {
  const { view, filters, workspace } = question;
  const by = heatGroupings.find((each) => each === view.own["by"]) ?? "provider";
  const measure = flag ?? measureOf(view);
  const title = heatTitle(measure);
  const asked = { groupBy: by, filters, portrayal: flag !== undefined };
  const summary = useSummary(asked);
  const owner = useAccountName(workspace.brand.name);
  const { data } = summary;
  const hasSurfaces = useSeveralSurfaces(data === undefined ? null : filters, workspace.brand.id);
  const hasTags = tagsOf(workspace).length > 0;
  const isOffered = { surface: hasSurfaces, tag: hasTags } as Partial<Record<string, boolean>>;
  const shown = heatGroupings.filter((each) => (isOffered[each] ?? true) || by === each);
  const copied = {
    path: "/v1/insights/summary",
    call: "insights.summary",
    body: asked,
    command: [flag === undefined ? "summary" : "portrayal", "--group-by", by],
  } as const;
  const save = (form: CsvForm) => {
    if (data === undefined) return;
    const file = { owner, what: `${title} by ${data.groupBy}`, filters, workspace };
    const answers = data.groups.reduce((sum, group) => sum + group.answers, 0);
    const n = countOf(answers, "answer") + (by === "tag" ? `, ${ofSeveral}` : "");
    const about = tableTexts({ ...file, title: file.what, n, definitions: [] });
    saveCsv({ name: fileName(file), about, rows: heatRecords(data, measure) }, form);
  };
  return (
    <Panel
      title={flag === undefined ? `By ${by}` : `${title} by ${by}`}
      query={summary}
      minHeight={240}
      flush
      className={css["panel"]}
      tools={
        <>
          {flag === undefined ? <MeasureChoice view={view} label="Value of each cell" /> : null}
          <Segments<HeatGrouping>
            label="Columns"
            options={shown.map((each) => [each, groupingTexts[each]])}
            value={by}
            onChange={(chosen) =>
              changeOwn({ by: chosen === "provider" ? "" : chosen }, { replace: true })
            }
          />
          <CsvMenu onSave={save} />
          <CopyMenu label="Copy the table as" question={copied} />
        </>
      }
      staleOf={(shown) => `Loading; these are still by ${shown.groupBy}`}
      emptyOf={({ empty, groups }) => emptyText(empty) ?? (groups.length === 0 ? noGroups : null)}
    >
      {(reply) => {
        const heat = heatOf(reply, measure);
        const shownBy = heatGroupings.find((each) => each === reply.groupBy) ?? by;
        return (
          <>
            <HeatTable heat={heat} by={shownBy} caption={`${title} by ${shownBy}`} />
            <p className={css["foot"]}>
              The stronger the ground, the {measure === "rank" ? "better" : "higher"}. Quiet: too
              few prompts for an interval.{leftText(heat.groupsLeft, shownBy)}
              {shownBy === "tag" ? " An answer is in the column of each tag of its prompt." : null}
            </p>
          </>
        );
      }}
    </Panel>
  );
}

/** Whether answers come from more than one surface; asked once the table is there. */
function useSeveralSurfaces(filters: ViewQuestion["filters"] | null, brandId: string): boolean {
  const { data } = useSummary(
    filters === null ? null : { groupBy: "surface", filters, entityIds: [brandId] },
  );
  return (data?.groups.filter(({ answers }) => answers > 0).length ?? 0) > 1;
}

const ofSeveral = "those of several tags in each";

const leftText = (left: number, by: HeatGrouping): string =>
  left === 0 ? "" : ` ${countOf(left, by)} with fewer answers not shown; the CSV has all.`;

const noGroups = { title: "Nothing to divide", text: "No answer of the period counts." };

interface HeatTableProps {
  readonly heat: Heat;
  readonly by: HeatGrouping;
  readonly caption: string;
}

/** The place of a cell; the row -1 is that of the heads. */
type Place = readonly [row: number, column: number];

/** One stop of the Tab key, among whose cells the arrow keys move. */
function HeatTable({ heat: { groups, rows }, by, caption }: HeatTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Place>([-1, 0]);
  const hidden = useHiddenSides(frame);
  const isAt = (row: number, column: number) => at[0] === row && at[1] === column;
  const move = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, at, [rows.length - 1, groups.length - 1]);
    const cell = next && frame.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`);
    if (next === null || cell == null) return;
    event.preventDefault();
    setAt(next);
    cell.focus();
  };
  return (
    <div className={`${css["frame"]} ${hidden.map((side) => css[side]).join(" ")}`}>
      <div ref={frame} className={css["scroll"]} onKeyDown={move}>
        <table
          className={css["table"]}
          style={{ "--least": `${namesPx + groups.length * columnPx}px` } as CSSProperties}
        >
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              <td className={css["corner"]} />
              {groups.map((group, column) => (
                <th key={group.key} scope="col">
                  <button
                    type="button"
                    className={css["head"]}
                    data-cell={`-1,${column}`}
                    tabIndex={isAt(-1, column) ? 0 : -1}
                    onFocus={() => setAt([-1, column])}
                    title={group.key === null ? undefined : `Filter by ${group.name}`}
                    onClick={() => filterBy(by, group)}
                  >
                    {group.name}
                    <span className={css["basis"]}>{countText(group.answers)}</span>
                    <span className="visually-hidden"> answers</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={row.id} className={row.isBrand ? css["brand"] : undefined}>
                <th scope="row" title={row.name}>
                  {row.name}
                </th>
                {row.cells.map((cell, column) => (
                  <td key={cell.group.key}>
                    <CellButton
                      {...{ cell, row, by }}
                      place={[index, column]}
                      isStop={isAt(index, column)}
                      onFocus={setAt}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface CellButtonProps {
  readonly cell: HeatCell;
  readonly row: HeatRow;
  readonly by: HeatGrouping;
  readonly place: Place;
  /** The Tab key stops here. */
  readonly isStop: boolean;
  readonly onFocus: (place: Place) => void;
}

function CellButton({ cell, row, by, place, isStop, onFocus }: CellButtonProps) {
  const { group, text, basis, sure, strength } = cell;
  const ground = { "--strength": `${((strength ?? 0) * strongest).toFixed(1)}%` } as CSSProperties;
  return (
    <button
      type="button"
      className={`${css["cell"]} ${strength === null ? css["quiet"] : ""}`}
      style={ground}
      data-cell={place}
      tabIndex={isStop ? 0 : -1}
      onFocus={() => onFocus(place)}
      title={`${row.name}, ${group.name}: ${text}, ${sure}`}
      onClick={() => {
        filterBy(by, group);
        changeView({ only: row.isBrand ? [] : [row.id] }, { replace: group.key !== null });
      }}
    >
      {text}
      <span className={css["basis"]}>{basis}</span>
      <span className="visually-hidden">
        , {sure}: filter by {group.name}, with {row.name}
      </span>
    </button>
  );
}

/** Of the names and of a column at least. */
const namesPx = 112;
const columnPx = 92;

/** Per cent of the accent in the strongest ground: with more, the text on it is hard to read. */
const strongest = 30;

function filterBy(by: HeatGrouping, { key }: HeatGroup): void {
  if (key !== null) chooseItems(listNames[by], [key]);
}

/** Where a key leads from a place; null: it is none of the table's keys. */
function placeAfter(key: string, [row, column]: Place, [lastRow, lastColumn]: Place): Place | null {
  const places: Readonly<Record<string, Place>> = {
    ArrowDown: [Math.min(lastRow, row + 1), column],
    ArrowUp: [Math.max(-1, row - 1), column],
    ArrowRight: [row, Math.min(lastColumn, column + 1)],
    ArrowLeft: [row, Math.max(0, column - 1)],
    Home: [row, 0],
    End: [row, lastColumn],
  };
  return places[key] ?? null;
}

import type { ContributionGrouping } from "@sightline/client";
import { Breakable, BreakableText } from "../../parts/breakable.tsx";
import { ProviderLabel } from "../../parts/provider-label.tsx";
import { RegionLabel } from "../../parts/region-label.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import css from "./changes.module.css";
import { type ContributionRow, groupingTexts, type SideText } from "./contributions.ts";

interface ContributionTableProps {
  readonly by: ContributionGrouping;
  readonly rows: readonly ContributionRow[];
  /** Opens the answers of a side of a line. */
  readonly open: (side: SideText) => void;
  /** What stands at the end of a line in addition; left out on a phone. */
  readonly last?: Column<ContributionRow> | undefined;
}

/** What each part contributes to a change, with value and counts of both periods. */
export function ContributionTable({ by, rows, open, last }: ContributionTableProps) {
  return (
    <Table
      caption={`Contributions by ${by}`}
      columns={[...columnsOf(by, open), ...(last === undefined ? [] : [last])]}
      rows={rows}
      keyOf={({ kind, key }) => `${kind} ${key}`}
      rowClass={({ kind }) => css[kind]}
    />
  );
}

/** What contributions by something are, in words. */
export function contributionText(by: ContributionGrouping): string {
  return (
    `${explained[by]} Contributions add up to the change. A contribution is not a test: chance ` +
    "moves each of them too."
  );
}

const ofAnswers =
  "A line counts as far as its own value, or its share of the answers, is another than before.";

const explained: Readonly<Record<ContributionGrouping, string>> = {
  prompt: ofAnswers,
  topic: ofAnswers,
  tag: `${ofAnswers} An answer whose prompt has several tags gives each an equal part of itself.`,
  provider: ofAnswers,
  model: ofAnswers,
  surface: ofAnswers,
  region: ofAnswers,
  domain: "An answer that counts gives each domain that it cites an equal part of itself.",
};

/** The columns of the table; on a phone both sides stand below the name. */
function columnsOf(
  by: ContributionGrouping,
  open: (side: SideText) => void,
): readonly Column<ContributionRow>[] {
  const side = (of: "before" | "after", title: string): Column<ContributionRow> => ({
    key: of,
    title,
    figure: true,
    drops: 3,
    repeats: true,
    cell: (row) => <Side side={row[of]} name={`${title}, ${row.name}`} open={open} />,
  });
  return [
    {
      key: "name",
      title: groupingTexts[by],
      cell: (row) => (
        <>
          <span className={css["name"]}>
            <NameOf by={by} row={row} />
          </span>
          <span className={css["both"]}>
            <span>
              <span>Before</span>
              <Side side={row.before} name={`Before, ${row.name}`} open={open} />
            </span>
            <span>
              <span>Now</span>
              <Side side={row.after} name={`Now, ${row.name}`} open={open} />
            </span>
          </span>
        </>
      ),
    },
    side("before", "Before"),
    side("after", "Now"),
    {
      key: "bar",
      title: <span className="visually-hidden">Bar</span>,
      drops: 1,
      repeats: true,
      cell: ({ bar }) => (bar === null ? null : <Bar length={bar} />),
    },
    {
      key: "contribution",
      title: "Contribution",
      figure: true,
      explained: "contribution",
      cell: ({ contribution, bar }) => (
        <>
          {contribution}
          <span className={css["under"]}>{bar === null ? null : <Bar length={bar} />}</span>
        </>
      ),
    },
  ];
}

interface NameProps {
  readonly by: ContributionGrouping;
  readonly row: ContributionRow;
}

/** The name of a line; of a provider or a region, behind its sign. */
function NameOf({ by, row: { kind, key, name } }: NameProps) {
  if (by === "domain") return <Breakable text={name} />;
  if (kind === "part" && by === "provider") return <ProviderLabel provider={key} />;
  if (kind === "part" && by === "region" && key !== "") return <RegionLabel code={key} />;
  return <BreakableText text={name} />;
}

interface SideProps {
  readonly side: SideText;
  /** Such as "Before, Grok". */
  readonly name: string;
  readonly open: (side: SideText) => void;
}

/** The value and the counts of a side, which open its answers where a filter finds them. */
export function Side({ side, name, open }: SideProps) {
  const { value, counts, evidence } = side;
  const text = (
    <>
      {value}
      <span className={css["counts"]}>{counts}</span>
    </>
  );
  if (evidence === null) return <span>{text}</span>;
  return (
    <button type="button" className={css["side"]} onClick={() => open(side)}>
      {text}
      <span className="visually-hidden">: answers behind {name}</span>
    </button>
  );
}

/** From zero in the middle: to the right it raises the value, to the left it lowers it. */
function Bar({ length }: { readonly length: number }) {
  const width = `${(Math.abs(length) * 50).toFixed(2)}%`;
  return (
    <span className={css["scale"]} aria-hidden="true">
      <span className={css[length < 0 ? "lowers" : "raises"]} style={{ width }} />
    </span>
  );
}

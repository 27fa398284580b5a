import { type Style, styled, type Terminal } from "./terminal.ts";
import { fitted, padded, textWidth } from "./text-width.ts";

/** A column of a table. */
export interface Column {
  readonly heading: string;
  /** Where a cell's text stands: numbers to the right, digit below digit. */
  readonly align: "left" | "right";
  /** The least width that it may be cut to; without it, it is never cut. */
  readonly widthMin?: number;
}

/** A cell: its text, which must be safe, and its style. */
export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/** What stands between two columns. */
export const apart = "  ";

/**
 * Lines of a table with a heading, no wider than the terminal: columns that may be cut give way,
 * the widest first. Where even that does not do, lines are longer: a number is never cut.
 */
export function tableLines(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): readonly string[] {
  const widths = columnWidths(terminal.width, columns, rows);
  const line = (cells: readonly Cell[]) =>
    columns
      .map(({ align }, place) => {
        const { text, style } = cells[place] ?? { text: "" };
        const width = widths[place] ?? 0;
        const cut = padded(fitted(text, width), width, align);
        return styled(terminal, style, cut);
      })
      .join(apart)
      .trimEnd();
  return [
    line(columns.map(({ heading }) => ({ text: heading, style: "dim" }))),
    ...rows.map((cells) => line(cells)),
  ];
}

/** The width of each column, and so what is left for one that takes what it gets. */
export function columnWidths(
  width: number,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): readonly number[] {
  const widths = columns.map(({ heading }, place) =>
    rows.reduce(
      (most, cells) => Math.max(most, textWidth(cells[place]?.text ?? "")),
      textWidth(heading),
    ),
  );
  const leasts = columns.map(({ widthMin }, place) => widthMin ?? widths[place] ?? 0);
  const room = width - apart.length * (columns.length - 1);
  let excess = widths.reduce((sum, each) => sum + each, 0) - room;
  while (excess > 0) {
    const loose = widths.map((each, place) => (each > (leasts[place] ?? 0) ? each : 0));
    const widest = loose.indexOf(Math.max(...loose));
    if ((loose[widest] ?? 0) === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

import { boardTable, singlesTable } from "./board-section.ts";
import { prose } from "./prose.ts";
import type { PartResult } from "./results.ts";

const begin = "<!-- bench:begin -->";
const end = "<!-- bench:end -->";

/** The README with the figures of the boards; unchanged while no board is measured. */
export function withFigures(readme: string, results: readonly PartResult[]): string {
  const board = results.find((result) => result.part === "board");
  if (board === undefined) return readme;
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md lacks ${begin} … ${end}`);
  const { cores, processor, day } = board.machine;
  const block = [
    begin,
    ...prose(
      `A board asks ${board.panels.length} questions at the same time. On ${cores} cores of ` +
        `${processor}, over HTTP, without the reply cache, on ${day}; \`times\` is how many ` +
        "times as long the other engine takes on the same answers:",
    ),
    "",
    ...boardTable(board),
    "",
    ...singlesTable(board),
    "",
    ...prose(
      "[bench/RESULTS.md](bench/RESULTS.md) has every question and the figures to reach. " +
        "`tasks/bench` measures on your machine and writes both.",
    ),
  ];
  return `${readme.slice(0, from)}${block.join("\n")}\n${readme.slice(to)}`;
}

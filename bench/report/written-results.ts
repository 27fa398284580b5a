import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boardTable, singlesTable } from "./board-section.ts";
import { prose } from "./markdown.ts";
import { renderResults } from "./render.ts";
import type { PartResult } from "./results.ts";

const bench = join(import.meta.dirname, "..");
const readme = join(bench, "../README.md");
const folder = join(bench, "results");
const partOrder = [
  ...(["board", "workload", "insights", "start"] as const),
  ...(["accounts", "ingest", "nodes"] as const),
];
const workloadOrder: readonly string[] = ["S", "M", "L"];

/** Keeps a result, instead of an earlier one of the same part, and renders the report again. */
export function writeResult(result: PartResult): void {
  mkdirSync(folder, { recursive: true });
  const name = result.part === "workload" ? result.workload : result.part;
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  writeReport();
}

/** Renders the report, and the figures in the README, from what is kept. */
export function writeReport(): void {
  const results = keptResults();
  writeFileSync(join(bench, "RESULTS.md"), renderResults(results));
  writeFileSync(readme, withFigures(readFileSync(readme, "utf8"), results));
}

function keptResults(): readonly PartResult[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as PartResult)
    .sort((a, b) => place(a) - place(b));
}

function place(result: PartResult): number {
  const part = partOrder.indexOf(result.part) * workloadOrder.length;
  if (result.part !== "workload") return part;
  return part + workloadOrder.indexOf(result.workload);
}

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

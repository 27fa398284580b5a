import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFigures } from "./readme-figures.ts";
import { renderResults } from "./render.ts";
import type { PartResult } from "./results.ts";

const bench = join(import.meta.dirname, "..");
const readme = join(bench, "../README.md");
const folder = join(bench, "results");
const partOrder = ["board", "workload", "start", "accounts", "ingest", "nodes"] as const;
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

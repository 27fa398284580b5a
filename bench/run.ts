import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Size, scaled, sizes, workloads } from "./generator/workload.ts";
import { accountsPart } from "./parts/accounts-part.ts";
import { boardPart } from "./parts/board-part.ts";
import { ingestPart } from "./parts/ingest-part.ts";
import { insightsPart } from "./parts/insights-part.ts";
import { nodesPart } from "./parts/nodes-part.ts";
import { type BenchOptions, say } from "./parts/options.ts";
import { startPart } from "./parts/start-part.ts";
import { workloadPart } from "./parts/workload-part.ts";
import { peerNames } from "./peers/peer.ts";
import { renderResults } from "./report/render.ts";
import type { PartResult } from "./report/results.ts";
import { writeReport, writeResult } from "./report/written-results.ts";

// tasks/bench [PART…]: measures, and writes bench/results/ and bench/RESULTS.md.
const usage = `usage: tasks/bench [PART…] [OPTION…]
parts: board (panels asked together, of M; single questions of M and S), S M L (questions
  of a workload), insights (comparisons, changes, plans and gaps of M), start, accounts,
  ingest, nodes (import through one node of a cluster and through two), report (only
  renders what was measured); all is the default
options:
  --data-dir DIR     where workloads are filled and kept (default .runs/bench)
  --no-peers         only the service; M, S and the board are compared with the peers otherwise
  --peer NAME        only this peer: postgres or clickhouse; also for L, which else has none
  --only REGEX       only questions whose names match; prints, writes nothing
  --times N          how often the service is asked each question (default 30)
  --scale FACTOR     a part of each workload; prints, writes nothing
  --refill           refills what is kept
`;

const parts = [
  ...(["board", ...sizes, "insights", "start"] as const),
  ...(["accounts", "ingest", "nodes", "report"] as const),
];
type Part = (typeof parts)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "data-dir": { type: "string", default: ".runs/bench" },
    "no-peers": { type: "boolean", default: false },
    peer: { type: "string", multiple: true },
    only: { type: "string" },
    times: { type: "string", default: "30" },
    scale: { type: "string", default: "1" },
    refill: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter(
  (name) => name !== "all" && !parts.some((part) => part === name),
);
if (values.help || unknown.length > 0) {
  process.stderr.write(usage);
  process.exit(values.help ? 0 : 2);
}
const everything = positionals.length === 0 || positionals.includes("all");
const isWritten = values.only === undefined && values.scale === "1";
for (const part of parts) {
  if (!everything && !positionals.includes(part)) continue;
  const result = await measured(part);
  if (result === null) continue;
  if (isWritten) writeResult(result);
  process.stdout.write(`${renderResults([result])}\n`);
}

/** Null: nothing was to be measured. */
async function measured(part: Part): Promise<PartResult | null> {
  const started = performance.now();
  const result = await run(part);
  say(`${part}: took ${Math.round((performance.now() - started) / 1_000)} s`);
  return result;
}

function run(part: Part): Promise<PartResult | null> {
  switch (part) {
    case "board":
      return boardPart([workloadOf("M"), workloadOf("S")], optionsOf("M"));
    case "S":
    case "M":
    case "L":
      return workloadPart(workloadOf(part), optionsOf(part));
    case "insights":
      return insightsPart(workloadOf("M"), optionsOf("M"));
    case "start":
      return startPart(workloadOf("L"), optionsOf("L"));
    case "accounts":
      return accountsPart(optionsOf("M"));
    case "ingest":
      return ingestPart(optionsOf("M"));
    case "nodes":
      return nodesPart(optionsOf("M"));
    case "report":
      writeReport();
      return Promise.resolve(null);
  }
}

function workloadOf(size: Size) {
  return scaled(workloads[size], Number(values.scale));
}

function optionsOf(size: Size): BenchOptions {
  const asked = peerNames.filter((name) => values.peer?.includes(name));
  const usual = size === "L" ? [] : peerNames;
  const peers = values["no-peers"] ? [] : values.peer === undefined ? usual : asked;
  return {
    folder: resolve(values["data-dir"]),
    peers,
    refill: values.refill,
    scale: Number(values.scale),
    only: values.only === undefined ? null : new RegExp(values.only),
    times: Number(values.times),
  };
}

import { geometricMean } from "../measure/timing.ts";
import { type PeerName, peerNames, peerTitles } from "../peers/peer.ts";
import { type Bound, boundsOf } from "./bounds.ts";
import { markdownTable, prose } from "./markdown.ts";
import { partSection } from "./part-sections.ts";
import type { PartResult, QuestionResult, WorkloadResult } from "./results.ts";

/** The report, as Markdown, of all results that are there. */
export function renderResults(results: readonly PartResult[]): string {
  return [
    "# Results of the benchmarks",
    "",
    ...prose(
      "Written by `tasks/bench`; how it measures is in the " +
        "[decision](../docs/decisions/benchmarks.md). Times are in milliseconds, " +
        "warm. The service is asked over HTTP with its reply cache off, the peers by their own " +
        "clients: in process (ClickHouse) or over the loopback address (PostgreSQL).",
    ),
    "",
    ...machines(results),
    "",
    ...boundsSection(boundsOf(results)),
    ...results.flatMap((result) =>
      result.part === "workload" ? workloadSection(result) : partSection(result),
    ),
  ].join("\n");
}

function machines(results: readonly PartResult[]): readonly string[] {
  const lines = results.map(({ machine }) => {
    const { processor, cores, memoryGb, node, day } = machine;
    return `${cores} cores of ${processor}, ${memoryGb} GB of memory, Node ${node}, ${day}`;
  });
  return [...new Set(lines)].map((line) => `- ${line}`);
}

function boundsSection(bounds: readonly Bound[]): readonly string[] {
  if (bounds.length === 0) return [];
  const table = markdownTable(
    ["Figure", "Wanted", "Got", ""],
    bounds.map(({ what, wanted, got, holds }) => [what, wanted, got, holds ? "holds" : "MISSED"]),
  );
  return ["## Figures to reach", "", ...table, ""];
}

function workloadSection(result: WorkloadResult): readonly string[] {
  const peers = peerNames.filter((name) => result.versions[name] !== undefined);
  const versions = peers.map((name) => `${peerTitles[name]} ${result.versions[name]}`);
  const fills = Object.entries(result.fillSeconds).map(([name, seconds]) => {
    return `${name} ${Math.round(seconds)} s`;
  });
  return [
    `## ${result.workload}: ${result.answers.toLocaleString("en")} answers`,
    "",
    ...prose(
      `Filled: ${fills.join(", ")}. ${versions.length === 0 ? "No peer" : versions.join(", ")}. ` +
        "One connection, one question at a time. `times`: how many times as long the peer takes; " +
        "below 1 the peer is faster.",
    ),
    "",
    ...questionTable(result.questions, peers),
    "",
    ...peers.flatMap((name) => prose(meanLine(result.questions, name))),
    "",
  ];
}

function questionTable(questions: readonly QuestionResult[], peers: readonly PeerName[]) {
  const titles = peers.flatMap((name) => [peerTitles[name], "times"]);
  const head = ["Question", "Median", "p99", "Table", "kB"];
  return markdownTable(
    [...head, ...titles],
    questions.map((question) => {
      const { name, ours, plan, bytes } = question;
      return [
        name,
        ours.medianMs.toFixed(2),
        ours.p99Ms.toFixed(2),
        plan,
        (bytes / 1_000).toFixed(1),
        ...peers.flatMap((peer) => peerCells(question, peer)),
      ];
    }),
  );
}

function peerCells({ ours, peers }: QuestionResult, name: PeerName): readonly string[] {
  const timing = peers[name];
  if (timing === undefined) return ["", ""];
  return [timing.medianMs.toFixed(1), (timing.medianMs / ours.medianMs).toFixed(1)];
}

function meanLine(questions: readonly QuestionResult[], name: PeerName): string {
  const meanOf = (kind: QuestionResult["kind"] | "all"): string => {
    const counted = questions.filter((question) => kind === "all" || question.kind === kind);
    const ratios = ratiosOf(counted, name).map(({ ratio }) => ratio);
    return geometricMean(ratios).toFixed(1);
  };
  const parts = `series ${meanOf("series")}, sources ${meanOf("sources")}`;
  const ratios = ratiosOf(questions, name);
  const lost = ratios.filter(({ ratio }) => ratio < 1).length;
  return (
    `- ${peerTitles[name]}, geometric mean of times: ${meanOf("all")} (${parts}); ` +
    `faster than the service in ${lost} of ${ratios.length} questions`
  );
}

/** How many times a peer takes as long, for each question that it was asked. */
function ratiosOf(
  questions: readonly QuestionResult[],
  peer: PeerName,
): readonly { readonly name: string; readonly ratio: number }[] {
  return questions.flatMap(({ name, ours, peers }) => {
    const timing = peers[peer];
    return timing === undefined ? [] : [{ name, ratio: timing.medianMs / ours.medianMs }];
  });
}

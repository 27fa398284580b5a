import { markdownTable } from "./markdown-table.ts";
import type {
  CacheResult,
  GrowthResult,
  IngestResult,
  PartResult,
  StartResult,
  TwoAccountsResult,
  WorkloadResult,
} from "./results.ts";

/** The section of a part that is no workload, as lines of Markdown. */
export function partSection(result: Exclude<PartResult, WorkloadResult>): readonly string[] {
  switch (result.part) {
    case "growth":
      return growthSection(result);
    case "two-accounts":
      return twoAccountsSection(result);
    case "start":
      return startSection(result);
    case "cache":
      return cacheSection(result);
    case "ingest":
      return ingestSection(result);
  }
}

function growthSection({ smallerName, largerName, questions }: GrowthResult) {
  return [
    `## ${largerName} against ${smallerName}, in turns`,
    "",
    ...markdownTable(
      ["Question", smallerName, largerName, "times"],
      questions.map(({ name, smallerMs, largerMs }) => [
        name,
        ...[smallerMs, largerMs, largerMs / smallerMs].map((figure) => figure.toFixed(2)),
      ]),
    ),
    "",
  ];
}

function twoAccountsSection({ workload, slowerRatio, questions }: TwoAccountsResult) {
  return [
    `## Two accounts with ${workload} in one service`,
    "",
    `Beside an idle neighbour a question takes ${slowerRatio.toFixed(2)} times as long ` +
      "as alone (geometric mean of the slower account's medians).",
    "",
    ...markdownTable(
      ["Question", "Alone", "First of two", "Second of two"],
      questions.map(({ name, aloneMs, firstMs, secondMs }) => [
        name,
        ...[aloneMs, firstMs, secondMs].map((ms) => ms.toFixed(2)),
      ]),
    ),
    "",
  ];
}

function startSection({ workload, listening, ready, firstQuestion }: StartResult) {
  return [
    `## Start with ${workload} on disk`,
    "",
    `From the start of the process: listening after ${listening.medianMs.toFixed(0)} ms, ready ` +
      `after ${ready.medianMs.toFixed(0)} ms (slowest of ${ready.times}: ` +
      `${ready.p99Ms.toFixed(0)} ms); the first question then takes ` +
      `${firstQuestion.medianMs.toFixed(1)} ms.`,
    "",
  ];
}

function cacheSection({ workload, connections, questions }: CacheResult) {
  return [
    `## Cached questions of ${workload}, ${connections} connections`,
    "",
    ...markdownTable(
      ["Question", "kB", "Replies/s", "Bare route/s", "Share"],
      questions.map(({ name, bytes, perSecond, barePerSecond }) => [
        name,
        (bytes / 1_000).toFixed(1),
        String(perSecond),
        String(barePerSecond),
        `${((100 * perSecond) / barePerSecond).toFixed(0)} %`,
      ]),
    ),
    "",
  ];
}

function ingestSection(result: IngestResult) {
  const { answers, megabytes, recordedSeconds, visibleSeconds } = result;
  const times = [
    ["idle, before", result.idleBefore],
    ["meanwhile", result.during],
    ["idle, after", result.idleAfter],
  ] as const;
  return [
    "## Import into a service that is asked",
    "",
    `${answers.toLocaleString("en")} answers (${megabytes} MB of NDJSON): recorded after ` +
      `${recordedSeconds.toFixed(1)} s, all visible after ${visibleSeconds.toFixed(1)} s, ` +
      `${result.answersPerSecond} a second. The server held at most ${result.peakMemoryMb} MB.`,
    "",
    ...markdownTable(
      ["Questions", "Median", "p99", "Asked"],
      times.map(([when, { medianMs, p99Ms, times: asked }]) => [
        when,
        medianMs.toFixed(2),
        p99Ms.toFixed(2),
        String(asked),
      ]),
    ),
    "",
  ];
}

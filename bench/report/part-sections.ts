import { boardSection } from "./board-section.ts";
import { markdownTable, prose } from "./markdown.ts";
import type {
  AccountsResult,
  IngestResult,
  InsightsResult,
  NodesResult,
  PartResult,
  StartResult,
  WorkloadResult,
} from "./results.ts";

/** The section of a part other than a workload, as lines of Markdown. */
export function partSection(result: Exclude<PartResult, WorkloadResult>): readonly string[] {
  switch (result.part) {
    case "accounts":
      return accountsSection(result);
    case "board":
      return boardSection(result);
    case "start":
      return startSection(result);
    case "ingest":
      return ingestSection(result);
    case "insights":
      return insightsSection(result);
    case "nodes":
      return nodesSection(result);
  }
}

function insightsSection({ workload, days, questions }: InsightsResult) {
  return [
    `## Insights of ${workload}`,
    "",
    ...prose(
      `${days} days, and ${days} before where they are compared. One connection, one question ` +
        "at a time.",
    ),
    "",
    ...markdownTable(
      ["Question", "Median", "p99", "Wanted", "kB"],
      questions.map(({ name, ours, wantedMs, bytes }) => [
        name,
        ours.medianMs.toFixed(0),
        ours.p99Ms.toFixed(0),
        wantedMs === null ? "" : String(wantedMs),
        (bytes / 1_000).toFixed(1),
      ]),
    ),
    "",
  ];
}

function startSection({ workload, listening, ready, firstQuestion }: StartResult) {
  return [
    `## Start with ${workload} on disk`,
    "",
    ...prose(
      `From the start of the process: listening after ${listening.medianMs.toFixed(0)} ms, ready ` +
        `after ${ready.medianMs.toFixed(0)} ms (slowest of ${ready.times}: ` +
        `${ready.p99Ms.toFixed(0)} ms); the first question then takes ` +
        `${firstQuestion.medianMs.toFixed(1)} ms.`,
    ),
    "",
  ];
}

function accountsSection({ answersEach, sizes }: AccountsResult) {
  return [
    "## Many accounts",
    "",
    ...prose(
      `Each tracks a brand and a prompt; those with answers have ${answersEach} each. ` +
        "Times in milliseconds; idle is a share of one core.",
    ),
    "",
    ...markdownTable(
      [
        "Accounts",
        "With answers",
        "First start",
        "Ready",
        "Idle",
        "Memory",
        "First question",
        "slowest",
        "Import counts after",
      ],
      sizes.map((size) => [
        size.accounts.toLocaleString("en"),
        String(size.answered),
        size.firstStartMs.toFixed(0),
        size.ready.medianMs.toFixed(0),
        `${size.idleCorePercent.toFixed(1)} %`,
        `${size.idleMemoryMb} MB`,
        size.firstQuestion.medianMs.toFixed(1),
        size.firstQuestion.p99Ms.toFixed(1),
        size.countsAfterMs.toFixed(0),
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
    ...prose(
      `${answers.toLocaleString("en")} answers (${megabytes} MB of NDJSON): recorded after ` +
        `${recordedSeconds.toFixed(1)} s, all visible after ${visibleSeconds.toFixed(1)} s, ` +
        `${result.answersPerSecond} a second. The server held at most ${result.peakMemoryMb} MB.`,
    ),
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

function nodesSection({ megabytes, connections, runs, tables }: NodesResult) {
  const bytes = tables.map(({ table, bytesPerAnswer }) => `\`${table}\` ${bytesPerAnswer}`);
  return [
    "## Import through the nodes of a cluster",
    "",
    ...prose(
      `${megabytes} MB of answers posted to all nodes at the same time, over one ClickHouse, ` +
        "PostgreSQL and Redis, all on this machine; then questions of all kinds, over " +
        `${connections} connections. Bytes on ClickHouse's disk per answer: ${bytes.join(", ")}.`,
    ),
    "",
    ...markdownTable(
      ["Nodes", "Answers", "Recorded", "Visible", "Answers/s", "Questions/s", "Peak memory"],
      runs.map((run) => [
        String(run.nodes),
        run.answers.toLocaleString("en"),
        `${run.recordedSeconds.toFixed(1)} s`,
        `${run.visibleSeconds.toFixed(1)} s`,
        String(run.answersPerSecond),
        run.questionsPerSecond.toFixed(0),
        `${run.peakMemoryMb} MB`,
      ]),
    ),
    "",
  ];
}

import { type PeerName, peerNames, peerTitles } from "../peers/peer.ts";
import type { AccountsSize, BoardRange, BoardResult, PartResult } from "./results.ts";

/** A figure that must be reached, and what was measured. */
export interface Bound {
  readonly what: string;
  readonly wanted: string;
  readonly got: string;
  readonly holds: boolean;
}

/** What the results that are there say about every figure that must be reached. */
export function boundsOf(results: readonly PartResult[]): readonly Bound[] {
  return results.flatMap(partBounds);
}

function partBounds(result: PartResult): readonly Bound[] {
  switch (result.part) {
    case "accounts":
      return result.sizes.filter(({ accounts }) => accounts === accountsMax).flatMap(manyBounds);
    case "board":
      return boardBounds(result);
    case "insights":
      return result.questions.flatMap(({ name, ours, wantedMs }) =>
        atMostMs(`${result.workload}: ${name}`, ours.medianMs, wantedMs ?? undefined),
      );
    case "nodes":
      return []; // two nodes of one machine share its cores
    case "workload":
      return []; // the tables show single questions, wins and losses; nobody waits for one alone
    case "start":
      return [
        atMost(`Start with ${result.workload} on disk`, result.ready.medianMs, {
          wanted: 2_000,
          unit: "ms",
        }),
      ];
    case "ingest":
      return [
        atLeast("Ingest until visible", result.answersPerSecond, {
          wanted: 6_000,
          unit: "answers/s",
        }),
        atMost("Ingest, peak memory of the server", result.peakMemoryMb, {
          wanted: 450,
          unit: "MB",
        }),
      ];
  }
}

/** The number of accounts that bounds are set for. */
const accountsMax = 10_000;

function manyBounds(size: AccountsSize): readonly Bound[] {
  const { accounts, ready, idleCorePercent, idleMemoryMb, firstQuestion, countsAfterMs } = size;
  const many = `${accounts.toLocaleString("en")} accounts`;
  return [
    atMost(`${many}, ready`, ready.medianMs, { wanted: 5_000, unit: "ms" }),
    atMost(`${many}, idle`, idleCorePercent, { wanted: 3, unit: "% of a core" }),
    atMost(`${many}, idle memory`, idleMemoryMb, { wanted: 300, unit: "MB" }),
    atMost(`${many}, slowest first question`, firstQuestion.p99Ms, { wanted: 150, unit: "ms" }),
    atMost(`${many}, imported answers count`, countsAfterMs, { wanted: 1_000, unit: "ms" }),
  ];
}

/** The workload whose boards have bounds. */
const boundWorkload = "M";
/** Of a workload's single questions, at the 99th percentile. */
const singlesMaxMs: Readonly<Record<string, number>> = { M: 300, S: 80 };
const warmMaxMs: Readonly<Record<number, number>> = { 90: 55, 365: 100 };
const peerLeast: Readonly<Record<Exclude<PeerName, "cluster">, number>> = {
  postgres: 20,
  clickhouse: 2,
};
/** Our own service on ClickHouse may take so many times as long as on the embedded engine. */
const clusterMax = 5;

function boardBounds({
  workload,
  fresh,
  ranges,
  people,
  boardsPerSecond,
  singles,
}: BoardResult): readonly Bound[] {
  const board = `Board of ${workload}`;
  if (workload !== boundWorkload) return [];
  return [
    atMost(`${board}, fresh process`, fresh.medianMs, { wanted: 180, unit: "ms" }),
    ...ranges.flatMap(({ days, ours }) =>
      atMostMs(`${board}, warm, ${days} days`, ours.medianMs, warmMaxMs[days]),
    ),
    atLeast(`${board}, ${people} people`, boardsPerSecond, { wanted: 28, unit: "boards/s" }),
    ...ranges.flatMap((range) => peerBounds(`${board}, warm, ${range.days} days`, range)),
    ...singles.flatMap(({ workload: name, connections, timing }) =>
      atMostMs(
        `Single questions of ${name}, ${connections} connections, p99`,
        timing.p99Ms,
        singlesMaxMs[name],
      ),
    ),
  ];
}

function peerBounds(board: string, { ours, peers }: BoardRange): readonly Bound[] {
  return peerNames.flatMap((name) => {
    const theirs = peers[name];
    if (theirs === undefined) return [];
    const times = theirs.medianMs / ours.medianMs;
    if (name === "cluster") {
      const limit = { wanted: clusterMax, unit: "times" };
      return [atMost(`${board}, on a cluster's engines`, times, limit)];
    }
    const limit = { wanted: peerLeast[name], unit: "times" };
    return [atLeast(`${board}, against ${peerTitles[name]}`, times, limit)];
  });
}

/** None where no bound is set. */
function atMostMs(what: string, got: number, wanted: number | undefined): readonly Bound[] {
  return wanted === undefined ? [] : [atMost(what, got, { wanted, unit: "ms" })];
}

interface Limit {
  readonly wanted: number;
  readonly unit: string;
}

function atMost(what: string, got: number, { wanted, unit }: Limit): Bound {
  return { what, wanted: `≤ ${wanted} ${unit}`, got: shown(got), holds: got <= wanted };
}

function atLeast(what: string, got: number, { wanted, unit }: Limit): Bound {
  return { what, wanted: `≥ ${wanted} ${unit}`, got: shown(got), holds: got >= wanted };
}

function shown(figure: number): string {
  return figure >= 100 ? String(Math.round(figure)) : figure.toFixed(1);
}

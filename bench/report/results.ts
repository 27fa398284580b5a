import type { Machine } from "../measure/machine.ts";
import type { Timing } from "../measure/timing.ts";
import type { PeerName } from "../peers/peer.ts";

/** One question of a workload. */
export interface QuestionResult {
  readonly name: string;
  readonly kind: "series" | "sources";
  readonly days: number;
  readonly ours: Timing;
  /** Of the reply. */
  readonly bytes: number;
  /** The plan that answered it, by the service's own metric; `none`: no row can pass. */
  readonly plan: string;
  readonly peers: Readonly<Partial<Record<PeerName, Timing>>>;
}

/** What was measured of S, M or L. */
export interface WorkloadResult {
  readonly part: "workload";
  readonly workload: string;
  readonly answers: number;
  readonly machine: Machine;
  /** By engine; of when it was filled, which may have been an earlier run. */
  readonly fillSeconds: Readonly<Record<string, number>>;
  /** By peer. */
  readonly versions: Readonly<Record<string, string>>;
  readonly questions: readonly QuestionResult[];
}

/** From the start of the process. */
export interface StartResult {
  readonly part: "start";
  readonly workload: string;
  readonly machine: Machine;
  readonly listening: Timing;
  readonly ready: Timing;
  /** The first question after, by itself. */
  readonly firstQuestion: Timing;
}

/** An import of real answers into a service that is asked. */
export interface IngestResult {
  readonly part: "ingest";
  readonly machine: Machine;
  readonly answers: number;
  readonly megabytes: number;
  /** From the start of the command until all count. */
  readonly visibleSeconds: number;
  /** From the start of the command to its end. */
  readonly recordedSeconds: number;
  readonly answersPerSecond: number;
  /** Of the server. */
  readonly peakMemoryMb: number;
  /** Questions with the answers that were there before. */
  readonly idleBefore: Timing;
  readonly during: Timing;
  /** Questions with all answers. */
  readonly idleAfter: Timing;
}

/** A board of so many days, asked of the service and its peers in turns. */
export interface BoardRange {
  readonly days: number;
  readonly ours: Timing;
  readonly peers: Readonly<Partial<Record<PeerName, Timing>>>;
}

/** Single questions of all kinds over several connections. */
export interface SinglesResult {
  readonly workload: string;
  readonly connections: number;
  readonly perSecond: number;
  readonly timing: Timing;
}

/** Boards: all panels asked at the same time. */
export interface BoardResult {
  readonly part: "board";
  readonly workload: string;
  readonly machine: Machine;
  /** The names of the panels. */
  readonly panels: readonly string[];
  /** By peer. */
  readonly versions: Readonly<Record<string, string>>;
  /** The first board of each of some processes, 90 days. */
  readonly fresh: Timing;
  readonly ranges: readonly BoardRange[];
  readonly people: number;
  readonly boardsPerSecond: number;
  readonly singles: readonly SinglesResult[];
}

/** What so many accounts cost. */
export interface AccountsSize {
  readonly accounts: number;
  /** Of them, those with answers. */
  readonly answered: number;
  /** Until ready, with the facts of all answers still to be built. */
  readonly firstStartMs: number;
  /** Until ready, later. */
  readonly ready: Timing;
  /** Of one core, in percent. */
  readonly idleCorePercent: number;
  readonly idleMemoryMb: number;
  /** The first question of each of some accounts. */
  readonly firstQuestion: Timing;
  /** From the end of an import into an account without answers until they count. */
  readonly countsAfterMs: number;
}

/** Start, idle cost and first questions by the number of accounts. */
export interface AccountsResult {
  readonly part: "accounts";
  readonly machine: Machine;
  readonly answersEach: number;
  readonly sizes: readonly AccountsSize[];
}

/** The same answers, sent through so many nodes at the same time. */
export interface NodesRun {
  readonly nodes: number;
  readonly answers: number;
  readonly recordedSeconds: number;
  /** Until all count. */
  readonly visibleSeconds: number;
  readonly answersPerSecond: number;
  /** Over all nodes, when all answers count. */
  readonly questionsPerSecond: number;
  /** Of the node that held most. */
  readonly peakMemoryMb: number;
}

/** What a table of ClickHouse takes on the disk. */
export interface TableBytes {
  readonly table: string;
  readonly bytesPerAnswer: number;
}

/** Imports into a cluster through one node, and through two. */
export interface NodesResult {
  readonly part: "nodes";
  readonly machine: Machine;
  readonly megabytes: number;
  /** To all nodes together, while they are asked. */
  readonly connections: number;
  readonly runs: readonly NodesRun[];
  readonly tables: readonly TableBytes[];
}

/** A question of the insights. */
export interface InsightResult {
  readonly name: string;
  /** Of the median; null: nothing is wanted of it. */
  readonly wantedMs: number | null;
  readonly ours: Timing;
  /** Of the reply. */
  readonly bytes: number;
}

/** Questions of the insights, one at a time. */
export interface InsightsResult {
  readonly part: "insights";
  readonly workload: string;
  readonly machine: Machine;
  /** That are compared with as many before. */
  readonly days: number;
  readonly questions: readonly InsightResult[];
}

/** What is written of any part of the benchmarks. */
export type PartResult =
  | AccountsResult
  | BoardResult
  | WorkloadResult
  | StartResult
  | IngestResult
  | NodesResult
  | InsightsResult;

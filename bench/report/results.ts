import type { Machine } from "../measure/machine.ts";
import type { Timing } from "../measure/timing.ts";
import type { PeerName } from "../peers/peer.ts";

/** What cannot be undercut by who reads rows and replies over HTTP. */
export interface Floor {
  readonly bytes: number;
  /** Reading the bytes at the speed of memory. */
  readonly memoryMs: number;
  /** A bare HTTP reply of the same size. */
  readonly httpMs: number;
}

/** One question of a workload. */
export interface QuestionResult {
  readonly name: string;
  readonly kind: "series" | "sources";
  readonly days: number;
  readonly ours: Timing;
  /** Of the reply. */
  readonly bytes: number;
  /** Rows that the plan reads. */
  readonly rows: number;
  /** The tables that it reads them from; "": no row can pass, so none is read. */
  readonly plan: string;
  readonly floor: Floor;
  readonly peers: Readonly<Partial<Record<PeerName, Timing>>>;
}

/** What was measured of S, M or L. */
export interface WorkloadResult {
  readonly part: "workload";
  readonly workload: string;
  readonly answers: number;
  readonly machine: Machine;
  readonly memoryGbPerSecond: number;
  /** By engine; of when it was filled, which may have been an earlier run. */
  readonly fillSeconds: Readonly<Record<string, number>>;
  /** By peer. */
  readonly versions: Readonly<Record<string, string>>;
  readonly questions: readonly QuestionResult[];
}

/** The same series of two workloads that differ in their size alone, asked in turns: medians. */
export interface GrowthResult {
  readonly part: "growth";
  readonly smallerName: string;
  readonly largerName: string;
  readonly machine: Machine;
  readonly questions: readonly {
    readonly name: string;
    readonly smallerMs: number;
    readonly largerMs: number;
  }[];
}

/** One account alone, and beside another. */
export interface TwoAccountsResult {
  readonly part: "two-accounts";
  readonly workload: string;
  readonly machine: Machine;
  /** The geometric mean of the slower account's questions: beside an idle neighbour / alone. */
  readonly slowerRatio: number;
  readonly questions: readonly {
    readonly name: string;
    readonly aloneMs: number;
    readonly firstMs: number;
    readonly secondMs: number;
  }[];
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

/** Cached questions beside a bare route. */
export interface CacheResult {
  readonly part: "cache";
  readonly workload: string;
  readonly machine: Machine;
  readonly connections: number;
  readonly questions: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly perSecond: number;
    readonly barePerSecond: number;
  }[];
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

/** What is written of any part of the benchmarks. */
export type PartResult =
  | WorkloadResult
  | GrowthResult
  | TwoAccountsResult
  | StartResult
  | CacheResult
  | IngestResult;

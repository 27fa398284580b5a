import { PoolerError } from "../../../control/postgres/own-session.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { EngineState, TableSize } from "../../../platform/engine-state.ts";

/** An engine that answered. */
export interface CheckedEngine {
  readonly kind: EngineState["kind"];
  readonly address: string;
  readonly version: string;
  /** By so much the engine's clock is ahead of this node's, as far as the network lets see. */
  readonly clockAheadMs: number;
  /** The largest first. */
  readonly sizes: readonly TableSize[];
}

/** What a look at an engine showed: null when it did not answer. */
export interface EngineFinding {
  readonly engine: CheckedEngine | null;
  /** Whether it has every table of this version. */
  readonly isCurrent: boolean;
  readonly faults: readonly string[];
}

/** The oldest versions that the tests of this version of Sightline run on. */
const testedFrom = { ClickHouse: "26.7", PostgreSQL: "15", Redis: "7" } as const;

/** Sessions are checked with a tolerance of five seconds; nodes may differ in both directions. */
const clockDifferenceMaxMs = 2_000;

/** Logs of an engine about itself that are smaller are nobody's concern. */
const ownTablesMin = 1_000_000_000;

/** Looks at one engine: whether it answers, its version, its clock and its sizes. */
export async function checkEngine(state: EngineState, clock: Clock): Promise<EngineFinding> {
  try {
    const version = versionIn(await state.version());
    const { aheadMs, uncertainMs } = await compareClocks(state, clock);
    const sizes = (await state.sizes()).toSorted((a, b) => b.bytes - a.bytes);
    const missing = await state.missing();
    const { kind, address } = state;
    return {
      isCurrent: missing.length === 0,
      engine: { kind, address, version, clockAheadMs: Math.round(aheadMs), sizes },
      faults: [
        ...versionFaults(kind, version),
        ...(Math.abs(aheadMs) - uncertainMs > clockDifferenceMaxMs ? [clockFault(aheadMs)] : []),
        ...sizeFaults(sizes),
        ...missingFaults(missing),
      ],
    };
  } catch (error) {
    return { engine: null, isCurrent: false, faults: [noAnswer(error)] };
  }
}

/** The finding names the engine already. */
const engineInFront = /^\w+ (is unavailable|refuses): /;

/** The fault of an engine that does not answer. Of a long message, the first line says why. */
export function noAnswer(error: unknown): string {
  if (error instanceof PoolerError) return error.message;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  const [first = ""] = reason.trim().split("\n");
  return `does not answer: ${first.replace(engineInFront, "")}`;
}

/** The reply was made at some time between asking and getting it. */
async function compareClocks({ nowMs }: EngineState, clock: Clock) {
  const before = clock.now();
  const began = clock.elapsed();
  const theirs = await nowMs();
  const tookMs = clock.elapsed() - began;
  return { aheadMs: theirs - (before + tookMs / 2), uncertainMs: tookMs / 2 };
}

function clockFault(aheadMs: number): string {
  const seconds = Math.abs(aheadMs / 1_000).toFixed(1);
  const direction = aheadMs > 0 ? "ahead of" : "behind";
  return `its clock is ${seconds} s ${direction} this node's; run NTP on both`;
}

function versionFaults(kind: EngineState["kind"], version: string): readonly string[] {
  if (version === "") return ["its version is not known"];
  const tested = testedFrom[kind];
  if (compareVersions(version, tested) >= 0) return [];
  return [`its version is ${version}; Sightline is tested with ${tested} and later`];
}

function sizeFaults(sizes: readonly TableSize[]): readonly string[] {
  const sum = (isOfEngine: boolean) =>
    sizes.reduce((total, size) => total + (size.isOfEngine === isOfEngine ? size.bytes : 0), 0);
  const own = sum(true);
  const [largest] = sizes.filter(({ isOfEngine }) => isOfEngine);
  if (own < ownTablesMin || own < sum(false) || largest === undefined) return [];
  return [
    `its tables about itself have ${own} bytes, more than ours; the largest is ${largest.table}. ` +
      "Switch the logs off or give them a TTL (deploy/cluster/clickhouse/config.xml)",
  ];
}

function missingFaults(missing: readonly string[]): readonly string[] {
  if (missing.length === 0) return [];
  return [`it lacks ${missing.join(", ")}; run sightline migrate`];
}

/** The first number with dots in a text. */
function versionIn(text: string): string {
  return /\d+(\.\d+)*/.exec(text)?.[0] ?? "";
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let place = 0; place < right.length; place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

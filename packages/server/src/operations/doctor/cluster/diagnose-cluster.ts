import { join } from "node:path";
import type { ProgressTotals } from "../../../accounts/progress-store.ts";
import { addressesOf } from "../../../answers/clickhouse/tables.ts";
import { openClickhouseState } from "../../../facts/clickhouse/migrate-clickhouse.ts";
import { openRedisState } from "../../../keys/limits/redis/redis-link.ts";
import { fingerprintOf, readPepper } from "../../../keys/pepper.ts";
import { type Clock, systemClock } from "../../../platform/clock.ts";
import type { ClusterAddress } from "../../../platform/cluster-address.ts";
import { type EngineState, hostOf } from "../../../platform/engine-state.ts";
import type { Fault } from "../findings.ts";
import { type CheckedEngine, checkEngine, noAnswer } from "./check-engine.ts";
import { type LeaseCounts, openPostgresState, type PostgresState } from "./postgres-state.ts";

/** An engine of the cluster, and how to reach it. */
interface EngineToCheck {
  /** For the report: host and port. */
  readonly name: string;
  readonly open: () => Promise<EngineState>;
}

/** What a cluster is made of. */
export interface ClusterToCheck {
  readonly postgres: { readonly name: string; readonly open: () => Promise<PostgresState> };
  /** Every server of ClickHouse, and Redis when there is one. */
  readonly engines: readonly EngineToCheck[];
  /** The node's own pepper. */
  readonly pepper: { readonly name: string; readonly fingerprint: () => string | null };
  readonly clock: Clock;
}

/** What the doctor found on a cluster. */
export interface ClusterDiagnosis {
  readonly ok: boolean;
  readonly engines: readonly CheckedEngine[];
  /** Null: PostgreSQL did not answer. */
  readonly leases: LeaseCounts | null;
  readonly totals: ProgressTotals | null;
  /** The file is the engine's name, or the pepper. */
  readonly faults: readonly Fault[];
}

/** Facts that are behind for longer than this without a node that works on them are a fault. */
const unattendedMs = 60_000;

/** Looks at every engine of a cluster, and whether its nodes keep up. Changes nothing. */
export async function diagnoseCluster(cluster: ClusterToCheck): Promise<ClusterDiagnosis> {
  const { postgres, clock } = cluster;
  const faults: Fault[] = [];
  const engines: CheckedEngine[] = [];
  const look = async <State extends EngineState>(
    name: string,
    open: () => Promise<State>,
    more: (state: State) => Promise<void> = async () => undefined,
  ) => {
    const state = await opened(open);
    if (typeof state === "string") {
      faults.push({ file: name, fault: state });
      return;
    }
    try {
      const found = await checkEngine(state, clock);
      for (const fault of found.faults) faults.push({ file: name, fault });
      if (found.engine === null) return;
      engines.push(found.engine);
      if (found.isCurrent) await more(state);
    } finally {
      await state.close();
    }
  };
  let leases: LeaseCounts | null = null;
  let totals: ProgressTotals | null = null;
  await look(postgres.name, postgres.open, async (state) => {
    leases = await state.leases();
    totals = await state.totals();
    faults.push(...unattended(postgres.name, { leases, totals, clock }));
    for (const fault of await state.storedFaults()) faults.push({ file: postgres.name, fault });
    faults.push(...otherPepper(cluster.pepper, await state.pepper()));
  });
  for (const { name, open } of cluster.engines) await look(name, open);
  return { ok: faults.length === 0, engines, leases, totals, faults };
}

/** A node starts with the pepper of all nodes alone. */
function otherPepper(
  { name: file, fingerprint }: ClusterToCheck["pepper"],
  ofNodes: string | null,
): readonly Fault[] {
  try {
    const own = fingerprint();
    if (ofNodes === null || own === ofNodes) return [];
    const what = own === null ? "is missing" : "is not the pepper of the other nodes";
    return [{ file, fault: `${what}; copy the file from the data folder of another node` }];
  } catch (error) {
    return [{ file, fault: error instanceof Error ? error.message : String(error) }];
  }
}

async function opened<State>(open: () => Promise<State>): Promise<State | string> {
  try {
    return await open();
  } catch (error) {
    return noAnswer(error);
  }
}

interface Attendance {
  readonly leases: LeaseCounts;
  readonly totals: ProgressTotals;
  readonly clock: Clock;
}

/** Nodes hold leases while they work; when there is work and no lease, no node runs. */
function unattended(
  file: string,
  { leases, totals: { behind, recordedAtMs }, clock }: Attendance,
): readonly Fault[] {
  if (behind === 0 || leases.held > 0 || recordedAtMs === null) return [];
  if (clock.now() - recordedAtMs < unattendedMs) return [];
  const fault = `${behind} answers are not in the facts, and no node works on them; start a node`;
  return [{ file, fault }];
}

/** Looks at every engine that a node's settings name, and at its pepper. Changes nothing. */
export function diagnoseNodes(
  { dataDir, redisUrl }: { readonly dataDir: string; readonly redisUrl: string | null },
  address: ClusterAddress,
  clock: Clock = systemClock,
): Promise<ClusterDiagnosis> {
  const { postgresUrl } = address;
  const pepper = join(dataDir, "pepper");
  return diagnoseCluster({
    clock,
    pepper: {
      name: pepper,
      fingerprint: () => {
        const own = readPepper(pepper);
        return own === null ? null : fingerprintOf(own);
      },
    },
    postgres: { name: hostOf(postgresUrl), open: () => openPostgresState(postgresUrl) },
    engines: [
      ...addressesOf(address).map((url) => ({
        name: hostOf(url),
        open: () => openClickhouseState(url, address),
      })),
      ...(redisUrl === null
        ? []
        : [{ name: hostOf(redisUrl), open: () => openRedisState(redisUrl) }]),
    ],
  });
}

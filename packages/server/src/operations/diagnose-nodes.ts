import { join } from "node:path";
import { addressesOf } from "../answers/clickhouse/tables.ts";
import { openClickhouseState } from "../facts/clickhouse/migrate-clickhouse.ts";
import { openRedisState } from "../keys/limits/redis/redis-link.ts";
import { fingerprintOf, readPepper } from "../keys/pepper.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { ClusterAddress } from "../platform/cluster-address.ts";
import { hostOf } from "../platform/engine-state.ts";
import { type ClusterDiagnosis, diagnoseCluster } from "./doctor/cluster/diagnose-cluster.ts";
import { openPostgresState } from "./doctor/cluster/postgres-state.ts";

export type { ClusterDiagnosis };

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

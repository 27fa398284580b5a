/** Where a service on several nodes has its data; all of it can be sent to another thread. */
export interface ClusterAddress {
  readonly postgresUrl: string;
  /** Of several nodes, separated by commas. */
  readonly clickhouseUrl: string;
  /** Whose shards accounts are distributed over; null: there is one shard. */
  readonly clickhouseCluster: string | null;
  readonly clickhouseReplicated: boolean;
}

/** The part of it that ClickHouse is opened by. */
export type ClickhouseAddress = Omit<ClusterAddress, "postgresUrl">;

/** The settings that say where data is. */
export interface StoragePlace {
  readonly dataDir: string;
  readonly postgresUrl: string | null;
  readonly clickhouseUrl: string | null;
  readonly clickhouseCluster: string | null;
  readonly clickhouseReplicated: boolean;
}

/** Null: the data folder has everything, and one process serves it. */
export function clusterOf(place: StoragePlace): ClusterAddress | null {
  const { postgresUrl, clickhouseUrl, clickhouseCluster, clickhouseReplicated } = place;
  if (postgresUrl === null || clickhouseUrl === null) return null;
  return { postgresUrl, clickhouseUrl, clickhouseCluster, clickhouseReplicated };
}

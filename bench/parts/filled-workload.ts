import { mkdirSync, rmSync } from "node:fs";
import { fillPostgres } from "../fill/fill-postgres.ts";
import { type FilledAccount, fillSightline } from "../fill/fill-sightline.ts";
import { type Kept, keptOrFilled } from "../fill/kept.ts";
import { writtenBy } from "../fill/write-facts.ts";
import { generatorVersion, type Workload } from "../generator/workload.ts";
import { openClickHouse, refillClickHouse } from "../peers/clickhouse-peer.ts";
import { clickHouseTables } from "../peers/clickhouse-sql.ts";
import { fillCluster, openCluster } from "../peers/cluster-peer.ts";
import type { Peer, PeerName } from "../peers/peer.ts";
import { openPostgres } from "../peers/postgres-peer.ts";
import { postgresIndexes, postgresTables } from "../peers/postgres-sql.ts";
import { type BenchOptions, keptFolder, say } from "./options.ts";

/** A data folder of the service that holds a workload. */
export interface FilledFolder {
  readonly dataDir: string;
  readonly account: Kept<FilledAccount>;
}

/** Fills the service's data folder with a workload, unless that was done before. */
export async function filledSightline(
  options: BenchOptions,
  workload: Workload,
): Promise<FilledFolder> {
  const dataDir = keptFolder(options, workload.name, "sightline");
  const account = await filled(options, workload, {
    thing: "sightline",
    versions: { generatorVersion, workload, ...writtenBy },
    fill: () => fillSightline(dataDir, workload),
  });
  return { dataDir, account };
}

/** How a peer is filled and opened. */
interface PeerWay {
  readonly versions: object;
  readonly fill: (folder: string, workload: Workload) => Promise<object>;
  readonly open: (folder: string, workload: Workload, filled: Kept<object>) => Promise<Peer>;
}

const ways: Readonly<Record<PeerName, PeerWay>> = {
  postgres: {
    versions: { postgresTables, postgresIndexes },
    fill: fillPostgres,
    open: openPostgres,
  },
  clickhouse: {
    versions: { clickHouseTables },
    fill: refillClickHouse,
    open: openClickHouse,
  },
  cluster: {
    versions: writtenBy,
    fill: fillCluster,
    open: (folder, workload, filled) => openCluster(folder, workload, filled as KeptAccount),
  },
};

type KeptAccount = Kept<FilledAccount>;

/** A peer that holds a workload. */
export interface FilledPeer {
  readonly fillSeconds: number;
  /** Opens the peer, works with it, and closes it whatever happens. */
  readonly during: <Result>(work: (peer: Peer) => Promise<Result>) => Promise<Result>;
}

/** Fills a peer with a workload, unless that was done before. */
export async function filledPeer(
  options: BenchOptions,
  workload: Workload,
  name: PeerName,
): Promise<FilledPeer> {
  const folder = keptFolder(options, workload.name, name);
  const { versions, fill, open } = ways[name];
  const note = await filled(options, workload, {
    thing: name,
    versions: { generatorVersion, workload, ...versions },
    fill: () => fill(folder, workload),
  });
  return {
    fillSeconds: note.seconds,
    during: async (work) => {
      const peer = await open(folder, workload, note);
      try {
        return await work(peer);
      } finally {
        await peer.close();
      }
    },
  };
}

/** Opens all peers, works with them, and closes them whatever happens. */
export function duringPeers<Result>(
  filled: ReadonlyMap<PeerName, FilledPeer>,
  work: (peers: ReadonlyMap<PeerName, Peer>) => Promise<Result>,
): Promise<Result> {
  const open = new Map<PeerName, Peer>();
  // Each peer runs while those after it do.
  const during = (left: readonly (readonly [PeerName, FilledPeer])[]): Promise<Result> => {
    const [first, ...others] = left;
    if (first === undefined) return work(open);
    const [name, peer] = first;
    return peer.during((opened) => {
      open.set(name, opened);
      return during(others);
    });
  };
  return during([...filled]);
}

interface ThingToFill<Filled> {
  readonly thing: string;
  readonly versions: object;
  readonly fill: () => Promise<Filled>;
}

function filled<Filled extends object>(
  options: BenchOptions,
  workload: Workload,
  { thing, versions, fill }: ThingToFill<Filled>,
): Promise<Kept<Filled>> {
  mkdirSync(keptFolder(options, workload.name, ""), { recursive: true });
  const noteFile = keptFolder(options, workload.name, `${thing}.json`);
  if (options.refill) rmSync(noteFile, { force: true });
  return keptOrFilled({
    noteFile,
    versions,
    fill: () => {
      say(`filling ${thing} with ${workload.name} (${workload.answers} answers) ...`);
      return fill();
    },
  });
}

import type { EngineRows } from "../engine-rows.ts";
import type { Question } from "../questions.ts";

/** The engines that people use today, and our own service on the engines of a cluster. */
export const peerNames = ["postgres", "clickhouse", "cluster"] as const;
/** One of the peers. */
export type PeerName = (typeof peerNames)[number];

/** The peers as people write them. */
export const peerTitles: Readonly<Record<PeerName, string>> = {
  postgres: "PostgreSQL",
  clickhouse: "ClickHouse",
  cluster: "Sightline on ClickHouse",
};

/** Connections to a peer: as many as a board has panels. */
export const peerConnections = 8;

/** What a peer said to some questions. */
interface PeerReply {
  /** Of each question, in their order. */
  readonly rows: readonly EngineRows[];
  /** Until all rows were there, as the peer's own client has them. */
  readonly ms: number;
}

/** A peer that holds a workload. */
export interface Peer {
  /** The engine's own version. */
  readonly version: string;
  /** Asks up to peerConnections questions at the same time, each over its own connection. */
  readonly ask: (questions: readonly Question[]) => Promise<PeerReply>;
  readonly close: () => Promise<void>;
}

/** A statement with what is bound to it. */
export interface PeerStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The rows of a question from the columns that every peer's statement gives, in this order. */
export function toEngineRows(
  question: Question,
  rows: readonly (readonly unknown[])[],
): EngineRows {
  if (question.kind === "series") {
    return {
      kind: "series",
      rows: rows.map(([bucketSeconds, entity, sum, mentions]) => ({
        bucketMs: Number(bucketSeconds) * 1_000,
        entity: Number(entity),
        sum: Number(sum),
        mentions: Number(mentions),
      })),
    };
  }
  return {
    kind: "sources",
    rows: rows.map(([source, citations, total, allCitations]) => ({
      source: String(source),
      citations: Number(citations),
      total: Number(total),
      allCitations: Number(allCitations),
    })),
  };
}

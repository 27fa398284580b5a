import { rmSync } from "node:fs";
import { join } from "node:path";
import type { SourceAnalysisResponse, TimeSeriesResponse } from "@sightline/contract";
import { startServing, stopped } from "@sightline/test-kit/command.ts";
import { workspaceOf } from "../../packages/server/src/accounts/account-store.ts";
import { openClusterEngines } from "../../packages/server/src/cluster-engines.ts";
import { openControl } from "../../packages/server/src/control/control.ts";
import { onlyNode } from "../../packages/server/src/control/leases.ts";
import { migrateCluster } from "../../packages/server/src/operations/migrate.ts";
import { systemClock } from "../../packages/server/src/platform/clock.ts";
import { createLogger } from "../../packages/server/src/platform/logger.ts";
import type { EngineRows } from "../engine-rows.ts";
import { addAccount, type FilledAccount } from "../fill/fill-sightline.ts";
import type { Kept } from "../fill/kept.ts";
import { writeFactsInto } from "../fill/write-facts.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { BoardClient } from "../measure/board-client.ts";
import { unlimited } from "../measure/served.ts";
import { requestOf } from "../question-request.ts";
import type { Question } from "../questions.ts";
import { type ClusterServers, startClusterServers } from "./cluster-servers.ts";
import { type Peer, peerConnections } from "./peer.ts";

// The service itself, with its facts in ClickHouse and its control in PostgreSQL: what a cluster of
// one node and one shard costs beside the embedded engines.

/** Fills PostgreSQL and ClickHouse with a workload's facts. What was there goes. */
export async function fillCluster(folder: string, workload: Workload): Promise<FilledAccount> {
  rmSync(folder, { recursive: true, force: true });
  return withEngines(folder, async ({ address, environment, postgres }) => {
    await migrateCluster(address);
    const account = await addAccount(join(folder, "node"), workload, {
      name: "Bench",
      environment,
    });
    const control = await openControl({ postgres: address.postgresUrl }, systemClock);
    const workspace = await workspaceOf(control, account.accountId);
    await control.close();
    if (workspace === null) throw new Error("the account was not applied");
    const engines = await openClusterEngines(address, systemClock);
    const logger = createLogger("fatal");
    const facts = await engines.openFacts({ logger, openMax: 1, leases: onlyNode });
    await writeFactsInto(facts, { accountId: account.accountId, workspace, workload });
    await facts.close();
    await engines.close();
    // There is no record: from its beginning on, a service finds nothing to do.
    const client = await postgres.connect();
    await client.query("update cluster_generations set mark_sequence = 0, mark_stamp = ''");
    await client.end();
    return account;
  });
}

/** A service over a filled folder, asked over HTTP as the embedded one is. */
export async function openCluster(
  folder: string,
  workload: Workload,
  { key }: Kept<FilledAccount>,
): Promise<Peer> {
  const engines = await startClusterServers(folder);
  const environment = { ...unlimited, ...engines.environment };
  const serving = await startServing(join(folder, "node"), { environment });
  const client = await BoardClient.open(serving.url, key, peerConnections);
  const catalogue = catalogueOf(workload);
  return {
    version: "26.7 (chdb 3.4.0), PostgreSQL 15",
    ask: async (questions) => {
      const { bodies, ms } = await client.ask(questions.map((each) => requestOf(each, catalogue)));
      const rows = questions.map((each, place) => rowsOfReply(each, bodies[place] ?? ""));
      return { rows, ms };
    },
    close: async () => {
      client.close();
      await stopped(serving);
      await engines.stop();
    },
  };
}

async function withEngines<Result>(
  folder: string,
  work: (engines: ClusterServers) => Promise<Result>,
): Promise<Result> {
  const engines = await startClusterServers(folder);
  try {
    return await work(engines);
  } finally {
    await engines.stop();
  }
}

/**
 * A reply as rows of an engine that give the same values: a value is its own sum over one answer,
 * or over one mention.
 */
function rowsOfReply(question: Question, body: string): EngineRows {
  if (question.kind === "series") {
    const { series } = JSON.parse(body) as TimeSeriesResponse;
    const rows = series.flatMap(({ data }, place) =>
      data.flatMap(({ timestamp, value }) => {
        if (value === null) return [];
        const bucketMs = Date.parse(timestamp);
        const own = { bucketMs, entity: place + 1, sum: value, mentions: 1 };
        return [own, { bucketMs, entity: 0, sum: 1, mentions: 1 }];
      }),
    );
    return { kind: "series", rows };
  }
  const { sources, pagination } = JSON.parse(body) as SourceAnalysisResponse;
  const rows = sources.map(({ source, citations, share }) => {
    return { source, citations, total: pagination.total, allCitations: citations / share };
  });
  return { kind: "sources", rows };
}

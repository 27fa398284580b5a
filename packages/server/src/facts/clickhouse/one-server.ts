import { addressesOf, deploymentOf } from "../../answers/clickhouse/deployment.ts";
import { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { ClickhouseError } from "../../platform/clickhouse/clickhouse-error.ts";
import type { ClickhouseAddress } from "../../platform/cluster-address.ts";
import { type Statement, sql } from "../../platform/sql.ts";

/** Short: who is away is not waited for. */
const querySeconds = 2;

/**
 * Without a cluster, all addresses have to lead to the same tables: of two servers each would have
 * a part of the rows, and numbers would be of the one that is asked.
 * @throws when they do not. One that is away is left out.
 */
export async function requireOneServer(address: ClickhouseAddress): Promise<void> {
  const { cluster, database } = deploymentOf(address);
  const urls = addressesOf(address);
  if (cluster !== null || urls.length === 1) return;
  const found = await Promise.all(urls.map((url) => tableAt(url, database)));
  const tables = new Set(found.filter((id) => id !== null));
  if (tables.size < 2) return;
  throw new Error(
    `the addresses of ClickHouse lead to ${tables.size} servers, and each would have a part of ` +
      "the answers: name their cluster (--clickhouse-cluster), or give the address of one",
  );
}

/** What identifies the table of answers that an address leads to; null: none, or it is away. */
async function tableAt(url: string, database: string): Promise<string | null> {
  const clickhouse = await Clickhouse.open([url], { limits: { querySeconds } });
  const named = {
    query: sql`select toString(uuid) from system.tables
      where database = ${{ type: "String", value: database }} and name = 'answers'`,
    shape: { id: "text" },
  } as const satisfies Statement<{ id: "text" }>;
  try {
    return (await clickhouse.query(named))[0]?.id ?? null;
  } catch (error) {
    if (error instanceof ClickhouseError) return null;
    throw error;
  } finally {
    await clickhouse.close();
  }
}

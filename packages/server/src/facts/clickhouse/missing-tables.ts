import { answersTable, rawRepliesTable } from "../../answers/clickhouse/answers-table.ts";
import { type Deployment, localName } from "../../answers/clickhouse/create-table.ts";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { ClickhouseError } from "../../platform/clickhouse/clickhouse-error.ts";
import { type Statement, sql } from "../../platform/sql.ts";
import { factsTables } from "./facts-tables.ts";

/** All tables of ours. */
export const clickhouseTables = [answersTable, rawRepliesTable, ...factsTables] as const;

/** The tables that every node has, and the columns of each. */
function expectedTables(deployment: Deployment): ReadonlyMap<string, readonly string[]> {
  return new Map(
    clickhouseTables.flatMap((table) => {
      const columns = table.columns.map(([name]) => name);
      return [localName(table.name, deployment), table.name].map(
        (name) => [name, columns] as const,
      );
    }),
  );
}

function selectColumns(database: string) {
  return {
    query: sql`select table, name from system.columns
      where database = ${{ type: "String", value: database }}`,
    shape: { table: "text", name: "text" },
  } as const satisfies Statement<{ table: "text"; name: "text" }>;
}

/** What a node lacks of this version: tables, and columns of tables of an earlier version. */
export async function missingTables(
  clickhouse: Clickhouse,
  deployment: Deployment,
): Promise<readonly string[]> {
  const rows = await clickhouse.query(selectColumns(deployment.database));
  const found = Map.groupBy(rows, ({ table }) => table);
  return [...expectedTables(deployment)].flatMap(([table, columns]) => {
    const there = found.get(table)?.map(({ name }) => name);
    if (there === undefined) return [table];
    return columns.filter((each) => !there.includes(each)).map((each) => `${table}.${each}`);
  });
}

/**
 * @throws when a node lacks something: whatever is asked of it would fail, account by account. One
 * that is away is not waited for.
 */
export async function requireTables(clickhouse: Clickhouse, deployment: Deployment): Promise<void> {
  const missing = await missingTables(clickhouse, deployment).catch((error: unknown) => {
    if (error instanceof ClickhouseError && error.fault === "unavailable") return [];
    throw error;
  });
  if (missing.length === 0) return;
  throw new Error(`ClickHouse lacks ${missing.join(", ")}: run sightline migrate`);
}

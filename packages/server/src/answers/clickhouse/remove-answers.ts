import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { constant } from "../../platform/clickhouse/statement.ts";
import type { AnswerSelection } from "../answer-selection.ts";
import { removalOf, selectedStatement } from "./answer-statements.ts";
import { type Deployment, localName } from "./create-table.ts";
import { placesOfImport, readPlaces } from "./record-places.ts";

/** What answers are removed with, as the account's only writer. */
export interface RemovalContext {
  readonly clickhouse: Clickhouse;
  readonly client: PoolClient;
  readonly deployment: Deployment;
  readonly accountId: string;
}

/**
 * Removes answers. PostgreSQL notes what is to go, ClickHouse removes it, and the record gets
 * another id: who dies in between leaves a record that nobody reads until the rest is removed.
 * @returns how many there were.
 */
export async function removeAnswers(
  selection: AnswerSelection,
  context: RemovalContext,
): Promise<number> {
  const { clickhouse, client, deployment, accountId } = context;
  const places = await readPlaces(client, accountId);
  if (places === null) return 0;
  const { importId } = selection;
  const importPlaces = importId === null ? null : await placesOfImport(client, accountId, importId);
  const rows = { selection, importPlaces };
  const [found] = await clickhouse.query(selectedStatement(accountId, places, rows));
  const { selected = 0, lastOther = 0, lastOtherRecordedAt = 0 } = found ?? {};
  if (selected === 0 && places.removing === null) return 0;
  // The last place that counts is always that of an answer.
  await client.query(
    `update cluster_records set removing = $2, committed = least(committed, $3),
       recorded_at = case when $3 = 0 then null else $4::bigint end
     where account_id = $1`,
    [accountId, JSON.stringify(selection), lastOther, lastOtherRecordedAt],
  );
  const table = constant(localName("answers", deployment));
  await clickhouse.everywhere(removalOf(table, accountId, rows));
  await client.query(
    "update cluster_records set removing = null, record_id = $2 where account_id = $1",
    [accountId, randomUUID()],
  );
  return selected;
}

/** Ends what a writer began to remove that died. */
export async function finishRemoval(context: RemovalContext): Promise<void> {
  const places = await readPlaces(context.client, context.accountId);
  if (places === null || places.removing === null) return;
  await removeAnswers(JSON.parse(places.removing) as AnswerSelection, context);
}

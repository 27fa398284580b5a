import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { constant } from "../../platform/sql.ts";
import type { AnswerSelection } from "../answer-selection.ts";
import { removalOf, selectedStatement } from "./answer-statements.ts";
import { type Deployment, localName } from "./create-table.ts";
import { removeRawSelected } from "./raw-replies.ts";
import { placesOfImport, readPlaces } from "./record-places.ts";

/** Where answers are looked for. */
export interface SelectionContext {
  readonly clickhouse: Clickhouse;
  readonly client: Pool | PoolClient;
  readonly accountId: string;
}

/** What answers are removed with, as the account's only writer. */
export interface RemovalContext extends SelectionContext {
  readonly deployment: Deployment;
}

/** How many answers are selected. */
export async function countSelected(
  selection: AnswerSelection,
  context: SelectionContext,
): Promise<number> {
  return (await look(selection, context))?.found.selected ?? 0;
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
  const now = await look(selection, context);
  if (now === null) return 0;
  const { selected, lastOther, lastOtherRecordedAt } = now.found;
  if (selected === 0 && now.places.removing === null) return 0;
  // Before the note: what counts is what was selected, and who does it again finds none.
  await removeRawSelected(now, context);
  // The last place that counts is always that of an answer.
  await client.query(
    `update cluster_records set removing = $2, committed = least(committed, $3),
       recorded_at = case when $3 = 0 then null else $4::bigint end
     where account_id = $1`,
    [accountId, JSON.stringify(selection), lastOther, lastOtherRecordedAt],
  );
  const table = constant(localName("answers", deployment));
  await clickhouse.everywhere(removalOf(table, accountId, now));
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

const none = { selected: 0, lastOther: 0, lastOtherRecordedAt: 0 };

/** Null: the account has no record. */
async function look(
  selection: AnswerSelection,
  { clickhouse, client, accountId }: SelectionContext,
) {
  const places = await readPlaces(client, accountId);
  if (places === null) return null;
  const { importId } = selection;
  const importPlaces = importId === null ? null : await placesOfImport(client, accountId, importId);
  const rows = { selection, importPlaces };
  const [found = none] = await clickhouse.query(selectedStatement(accountId, places, rows));
  return { places, rows, found };
}

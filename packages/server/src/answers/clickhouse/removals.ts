import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { constant, type Fragment, sql } from "../../platform/sql.ts";
import type { AnswerSelection, TextRemoval } from "../answer-store.ts";
import { type AnswerRow, toAnswer } from "./answer-row.ts";
import { removalOf, selectedStatement, textsBefore } from "./answer-statements.ts";
import { whileLocked } from "./only-writer.ts";
import { removeRawOf, removeRawSelected } from "./raw-replies.ts";
import { readSequences, sequencesOfImport } from "./record-sequences.ts";
import { type Deployment, localName } from "./tables.ts";

/** Where answers are looked for. */
interface SelectionContext {
  readonly clickhouse: Clickhouse;
  readonly client: Pool | PoolClient;
  readonly accountId: string;
}

/** What answers are removed with, as the account's only writer. */
interface RemovalContext extends SelectionContext {
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
  const places = await readSequences(context.client, context.accountId);
  if (places === null || places.removing === null) return;
  await removeAnswers(JSON.parse(places.removing) as AnswerSelection, context);
}

const none = { selected: 0, lastOther: 0, lastOtherRecordedAt: 0 };

/** Null: the account has no record. */
async function look(
  selection: AnswerSelection,
  { clickhouse, client, accountId }: SelectionContext,
) {
  const places = await readSequences(client, accountId);
  if (places === null) return null;
  const { importId } = selection;
  const importSequences =
    importId === null ? null : await sequencesOfImport(client, accountId, importId);
  const rows = { selection, importSequences };
  const [found = none] = await clickhouse.query(selectedStatement(accountId, places, rows));
  return { places, rows, found };
}

/** What texts are removed with. */
interface TextRemovalContext {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
  readonly deployment: Deployment;
  readonly accountId: string;
}

/** Of the locks of accounts whose texts are being removed: their first number. */
const textLocks = 5_303_003;
/** A request takes 128 KB for each of its values: this many numbers of 16 digits fit. */
const answersMax = 4_000;
/** Of the texts of all lists of entities. */
const listCharactersMax = 60_000;
/** Of texts that one call looks at. */
const textCharactersMax = 32 * 1024 * 1024;

/**
 * Removes texts by one mutation, which writes what stays in the same step: a row has its text, or
 * what the text mentioned. So no crash loses anything, and two nodes do no harm; only
 * one of them works on an account, since each mutation writes whole columns again.
 * @returns of how many answers; 0: there are no more, or another node removes them.
 */
export async function removeTexts(
  removal: TextRemoval,
  context: TextRemovalContext,
): Promise<number> {
  const { pool, accountId } = context;
  const lock = [textLocks, accountId] as const;
  return (await whileLocked(pool, lock, 0, () => removeSome(removal, context)))?.result ?? 0;
}

async function removeSome(
  { beforeMs, limit, mentionedIn }: TextRemoval,
  { clickhouse, pool, deployment, accountId }: TextRemovalContext,
): Promise<number> {
  const places = await readSequences(pool, accountId);
  if (places === null) return 0;
  const range = { accountId, places, beforeMs, limit: Math.min(limit, answersMax) };
  const removed = new RemovedTexts();
  let characters = 0;
  for await (const row of clickhouse.stream(textsBefore(range))) {
    removed.add(row, JSON.stringify(mentionedIn(toAnswer(row))));
    characters += row.text.length;
    if (characters > textCharactersMax || removed.listCharacters > listCharactersMax) break;
  }
  if (removed.sequences.length === 0) return 0;
  // First: who dies before the texts are gone does all of it again.
  await removeRawOf(removed.ids, { clickhouse, deployment, accountId });
  const table = constant(localName("answers", deployment));
  await clickhouse.everywhere(textRemovalOf(table, accountId, removed));
  return removed.sequences.length;
}

/** Answers with what they mention; many mention the same. */
class RemovedTexts {
  readonly ids: string[] = [];
  readonly sequences: number[] = [];
  /** For each answer, the place of its list, from 1. */
  readonly places: number[] = [];
  readonly lists: string[] = [];
  listCharacters = 0;
  readonly #placeOf = new Map<string, number>();

  add({ id, sequence }: Pick<AnswerRow, "id" | "sequence">, list: string): void {
    this.ids.push(id);
    let place = this.#placeOf.get(list);
    if (place === undefined) {
      this.lists.push(list);
      this.listCharacters += list.length;
      place = this.lists.length;
      this.#placeOf.set(list, place);
    }
    this.sequences.push(sequence);
    this.places.push(place);
  }
}

/**
 * Waits until the texts are gone. A title and spans are found in what JSON.stringify wrote: within
 * a text, quotes have a backslash, so that none looks like the name of a field.
 */
function textRemovalOf(
  table: Fragment,
  accountId: string,
  { sequences, places, lists }: RemovedTexts,
): Fragment {
  const these = sql`${{ type: "Array(UInt64)", value: sequences }}`;
  const placesOfLists = sql`${{ type: "Array(UInt32)", value: places }}`;
  const title = String.raw`"title":"(?:[^"\\]|\\.)*"`;
  const spans = String.raw`,"spans":\[[\d,\[\]]*\]`;
  return sql`alter table ${table} update text = '', metadata = 'null', search_queries = '',
      citations = replaceRegexpAll(
        replaceRegexpAll(citations, ${{ type: "String", value: title }}, '"title":""'),
        ${{ type: "String", value: spans }}, ''),
      mentioned = arrayElement(${{ type: "Array(String)", value: lists }},
        transform(sequence, ${these}, ${placesOfLists}, toUInt32(1)))
    where account_id = ${{ type: "UUID", value: accountId }} and mentioned = ''
      and sequence in ${these}
    settings mutations_sync = 2`;
}

import type { Pool, PoolClient } from "pg";
import { LeaseLostError } from "../../control/leases.ts";
import { inTransaction } from "../../control/postgres/in-transaction.ts";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { constant, type Statement, sql } from "../../platform/sql.ts";
import { dailySums, type FactRows } from "../columns.ts";
import { FactsError, GenerationGoneError } from "../engine.ts";
import type { Snapshot } from "../snapshot.ts";
import { documentsOf, type GenerationState, stateColumns, toState } from "./generation-rows.ts";
import { rollupRows, type VisibleRows } from "./visible-rows.ts";

/** Whose facts are written, and the number of the lease under which. */
export interface Writer {
  readonly accountId: string;
  readonly fence: number;
}

/** Another node writes the account's facts. */
export class SupersededError extends FactsError {
  constructor(accountId: string) {
    super("unavailable", new LeaseLostError(accountId));
    this.name = "SupersededError";
  }
}

/** A number that was taken, and what it goes on from. */
export interface Reservation {
  readonly state: GenerationState;
  readonly number: number;
}

/** Begins a generation beside the one that answers, in the place of one that was begun before. */
export async function insertGeneration(
  pool: Pool,
  writer: Writer,
  snapshot: Snapshot,
): Promise<GenerationState> {
  const documents = await documentsOf(snapshot);
  return inTransaction(pool, async (client) => {
    await client.query(
      `insert into cluster_facts (account_id, fence) values ($1, 0)
       on conflict (account_id) do nothing`,
      [writer.accountId],
    );
    await lockAccount(client, writer);
    await retire(client, writer.accountId, "next");
    const { rows } = await client.query(
      `insert into cluster_generations as generations (account_id, header, topics, prompts)
       values ($1, $2, $3, $4) returning ${stateColumns}`,
      [writer.accountId, ...documents],
    );
    const state = toState(rows[0]);
    await client.query("update cluster_facts set next = $2 where account_id = $1", [
      writer.accountId,
      state.generation,
    ]);
    return state;
  });
}

/** More than can begin between a backup and its restore; there are 4,294,967,295 numbers. */
const generationsSkipped = 1_000_000;

/** After a restore: generations that begin have numbers that ClickHouse does not have. */
export async function skipUsedGenerations(pool: Pool): Promise<void> {
  const sequence = "pg_get_serial_sequence('cluster_generations', 'generation')";
  await pool.query(`select setval(${sequence}, nextval(${sequence}) + $1)`, [generationsSkipped]);
}

/** Goes on with a snapshot that adds prompts and topics. */
export async function updateSnapshot(
  pool: Pool,
  writer: Writer,
  extension: { readonly generation: number; readonly snapshot: Snapshot },
): Promise<GenerationState> {
  const documents = await documentsOf(extension.snapshot);
  return inTransaction(pool, async (client) => {
    await lockGeneration(client, writer, extension.generation);
    const { rows } = await client.query(
      `update cluster_generations as generations
       set header = $2, topics = $3, prompts = $4, snapshot_number = snapshot_number + 1
       where generation = $1 returning ${stateColumns}`,
      [extension.generation, ...documents],
    );
    return toState(rows[0]);
  });
}

/**
 * Takes the next number of a batch. A number before it that does not count is abandoned: its writer
 * died, or goes on too late.
 */
export function reserveBatch(pool: Pool, writer: Writer, generation: number): Promise<Reservation> {
  return reserve(pool, writer, {
    generation,
    taken: "reserved = reserved + 1",
    number: "reserved",
  });
}

/** Takes the number of the next fold; batches that do not count yet are abandoned. */
function reserveFold(pool: Pool, writer: Writer, generation: number): Promise<Reservation> {
  return reserve(pool, writer, {
    generation,
    taken: "fold_reserved = fold_reserved + 1",
    number: "fold_reserved",
  });
}

function reserve(
  pool: Pool,
  writer: Writer,
  what: { readonly generation: number; readonly taken: string; readonly number: string },
): Promise<Reservation> {
  return inTransaction(pool, async (client) => {
    await lockGeneration(client, writer, what.generation);
    const { rows } = await client.query(
      `update cluster_generations as generations
       set ${what.taken}, abandoned = abandoned || array(
         -- All after the last that counts, up to the last abandoned one, were abandoned before.
         select generate_series(
           greatest(committed, (select max(each) from unnest(abandoned) as each)) + 1, reserved))
       where generation = $1 returning ${what.number} as number, ${stateColumns}`,
      [what.generation],
    );
    return { state: toState(rows[0]), number: Number(rows[0].number) };
  });
}

/** Lets a batch count and moves the mark. @throws SupersededError when it was abandoned. */
export function commitBatch(
  pool: Pool,
  writer: Writer,
  batch: {
    readonly reserved: Reservation;
    readonly rows: Pick<FactRows, "mark" | "skippedPrompts" | "answers">;
    readonly rollupRows: number;
  },
): Promise<GenerationState> {
  const { reserved, rows, rollupRows } = batch;
  const { generation } = reserved.state;
  const { firstMs, lastMs } = instantsOf(rows.answers.answeredAt);
  return inTransaction(pool, async (client) => {
    await lockGeneration(client, writer, generation);
    const skipped = await client.query(
      `insert into cluster_skipped_prompts (generation, prompt_id)
       select $1, unnest($2::text[]) on conflict do nothing`,
      [generation, [...new Set(rows.skippedPrompts)]],
    );
    const updated = await client.query(
      `update cluster_generations as generations
       set committed = $2, mark_sequence = $3, mark_stamp = $4,
         skipped_count = skipped_count + $5, rows_since_fold = rows_since_fold + $6,
         first_at = least(first_at, $7), last_at = greatest(last_at, $8)
       where generation = $1 and reserved = $2 and not $2 = any(abandoned)
         and mark_sequence = $9 and mark_stamp = $10
       returning ${stateColumns}`,
      [
        ...[generation, reserved.number, rows.mark.sequence, rows.mark.stamp],
        ...[skipped.rowCount ?? 0, rollupRows, firstMs, lastMs],
        ...[reserved.state.mark.sequence, reserved.state.mark.stamp],
      ],
    );
    if (updated.rowCount !== 1) throw new SupersededError(writer.accountId);
    return toState(updated.rows[0]);
  });
}

/** Lets the rows of a fold be those in force. @throws SupersededError when another one came. */
function commitFold(
  pool: Pool,
  writer: Writer,
  { reserved, rows }: { readonly reserved: Reservation; readonly rows: number },
): Promise<GenerationState> {
  const { generation, batch } = reserved.state;
  return inTransaction(pool, async (client) => {
    await lockGeneration(client, writer, generation);
    const updated = await client.query(
      `update cluster_generations as generations
       set fold = $2, fold_rows = $3, rows_since_fold = 0
       where generation = $1 and fold_reserved = $2 and committed = $4 and reserved = $5
       returning ${stateColumns}`,
      [generation, reserved.number, rows, batch, reserved.state.reserved],
    );
    if (updated.rowCount !== 1) throw new SupersededError(writer.accountId);
    return toState(updated.rows[0]);
  });
}

/** Puts the generation that was begun in the place of the one that answers. */
export function switchTo(pool: Pool, writer: Writer, generation: number): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { next } = await lockAccount(client, writer);
    if (next !== generation) throw new GenerationGoneError(String(generation));
    await retire(client, writer.accountId, "current");
    await client.query(
      "update cluster_facts set current = next, next = null where account_id = $1",
      [writer.accountId],
    );
  });
}

/**
 * Locks an account's facts for the transaction, so that writers come one after the other.
 * @throws SupersededError when another node took the account's lease later.
 */
async function lockAccount(client: PoolClient, { accountId, fence }: Writer) {
  const { rows } = await client.query<{ current: string | null; next: string | null }>(
    `update cluster_facts set fence = $2 where account_id = $1 and fence <= $2
     returning current, next`,
    [accountId, fence],
  );
  const [row] = rows;
  if (row === undefined) {
    const any = await client.query("select from cluster_facts where account_id = $1", [accountId]);
    throw any.rowCount === 0 ? new GenerationGoneError("") : new SupersededError(accountId);
  }
  const number = (text: string | null) => (text === null ? null : Number(text));
  return { current: number(row.current), next: number(row.next) };
}

/** Locks a generation that is written to. @throws GenerationGoneError; SupersededError. */
async function lockGeneration(
  client: PoolClient,
  writer: Writer,
  generation: number,
): Promise<void> {
  const { current, next } = await lockAccount(client, writer);
  if (current !== generation && next !== generation) {
    throw new GenerationGoneError(String(generation));
  }
}

/** Notes when a generation ceased to be read, so that its rows are dropped after a while. */
async function retire(
  client: PoolClient,
  accountId: string,
  which: "current" | "next",
): Promise<void> {
  await client.query(
    `update cluster_generations set retired_at = now()
     where generation = (select ${which} from cluster_facts where account_id = $1)`,
    [accountId],
  );
}

function instantsOf(instants: BigInt64Array) {
  if (instants.length === 0) return { firstMs: null, lastMs: null };
  let [first = 0n] = instants;
  let last = first;
  for (const instant of instants) {
    if (instant < first) first = instant;
    if (instant > last) last = instant;
  }
  return { firstMs: Number(first), lastMs: Number(last) };
}

/** What rollups are folded with. */
interface FoldContext {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
  readonly writer: Writer;
  /** Fewer rows than these are not folded. */
  readonly foldRowsMin: number;
}

/**
 * Folds a generation's rollups when the rows that came since the last time outnumber those that
 * were left then. A batch's sums are rows of their own; a fold adds up equal keys into new rows,
 * under a number that PostgreSQL puts in force afterwards. The rows before it stay until their
 * generation is dropped: they are at most as many.
 */
export async function foldWhenDoubled(
  state: GenerationState,
  context: FoldContext,
): Promise<GenerationState> {
  const { clickhouse, pool, writer } = context;
  if (state.rowsSinceFold <= Math.max(context.foldRowsMin, state.foldRows)) return state;
  const reserved = await reserveFold(pool, writer, state.generation);
  for (const statement of foldStatements(reserved)) await clickhouse.command(statement);
  const rows = await foldedRows(clickhouse, { ...reserved.state, fold: reserved.number });
  return commitFold(pool, writer, { reserved, rows });
}

function foldStatements({ state, number }: Reservation) {
  const fold = { type: "UInt32", value: number } as const;
  const batch = { type: "UInt32", value: state.batch } as const;
  const rows = sql`where ${rollupRows(state)}`;
  return [
    sql`insert into daily (account_id, generation, batch, fold, day, week, month, provider, region,
        branded, entity, ${constant(dailySums.join(", "))})
      select account_id, generation, ${batch} as last_batch, ${fold} as new_fold, day, week, month,
        provider, region, branded, entity,
        ${constant(dailySums.map((name) => `sum(${name})`).join(", "))}
      from daily ${rows}
      group by account_id, generation, day, week, month, provider, region, branded, entity`,
    sql`insert into daily_domains
        (account_id, generation, batch, fold, day, month, domain_number, citations)
      select account_id, generation, ${batch} as last_batch, ${fold} as new_fold, day, month,
        domain_number, sum(citations)
      from daily_domains ${rows}
      group by account_id, generation, day, month, domain_number`,
  ];
}

async function foldedRows(clickhouse: Clickhouse, visible: VisibleRows): Promise<number> {
  const rows = sql`where ${rollupRows(visible)}`;
  const statement = {
    query: sql`select (select count() from daily ${rows})
        + (select count() from daily_domains ${rows})`,
    shape: { count: "number" },
  } as const satisfies Statement<{ count: "number" }>;
  const [row] = await clickhouse.query(statement);
  return row?.count ?? 0;
}

import type { Pool } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { constant, type Statement, sql } from "../../platform/sql.ts";
import { dailySums } from "../measures.ts";
import { type Counted, rollupRows } from "./conditions.ts";
import type { GenerationState } from "./generation-rows.ts";
import { commitFold, type Reservation, reserveFold, type Writer } from "./generation-writes.ts";

/** What rollups are folded with. */
export interface FoldContext {
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

async function foldedRows(clickhouse: Clickhouse, counted: Counted): Promise<number> {
  const rows = sql`where ${rollupRows(counted)}`;
  const statement = {
    query: sql`select (select count() from daily ${rows})
        + (select count() from daily_domains ${rows})`,
    shape: { count: "number" },
  } as const satisfies Statement<{ count: "number" }>;
  const [row] = await clickhouse.query(statement);
  return row?.count ?? 0;
}

import { sql } from "kysely";
import { type ProgressTotals, totalsOf } from "../../../accounts/progress-store.ts";
import { auditFaults } from "../../../audit/audit-log.ts";
import type { ControlDatabase } from "../../../control/database.ts";
import { missingMigrations } from "../../../control/postgres/migrate-postgres.ts";
import { requireOwnSession } from "../../../control/postgres/own-session.ts";
import { openPostgresDatabase } from "../../../control/postgres/postgres-dialect.ts";
import { type EngineState, hostOf } from "../../../platform/engine-state.ts";
import { reportFaults } from "../../../reports/check-reports.ts";

/** The leases of all nodes; rows of leases that ended are kept for their numbers. */
export interface LeaseCounts {
  readonly held: number;
  readonly ended: number;
  /** Nodes that hold one. */
  readonly holders: number;
}

/** PostgreSQL, as the doctor looks at it. */
export interface PostgresState extends EngineState {
  /** By PostgreSQL's clock. */
  readonly leases: () => Promise<LeaseCounts>;
  readonly totals: () => Promise<ProgressTotals>;
  /** What is wrong with audit logs and with the pages of reports, for people. */
  readonly storedFaults: () => Promise<readonly string[]>;
  /** The fingerprint of the pepper of all nodes; null: no node has started yet. */
  readonly pepper: () => Promise<string | null>;
}

const statementMs = 5_000;

const selectVersion = "select current_setting('server_version') as version";
const selectNow = "select extract(epoch from clock_timestamp()) * 1000 as now_ms";
const selectLeases = `
  select count(*) filter (where expires_at > clock_timestamp())::int as held,
    count(*) filter (where expires_at <= clock_timestamp())::int as ended,
    count(distinct holder) filter (where expires_at > clock_timestamp())::int as holders
  from leases`;
const selectPepper = "select fingerprint from pepper";
const selectSizes = `
  select schemaname || '.' || relname as name, pg_total_relation_size(relid) as bytes
  from pg_statio_user_tables order by bytes desc, name`;

/** Opens a connection that only looks, and migrates nothing. */
export async function openPostgresState(url: string): Promise<PostgresState> {
  const database = await openPostgresDatabase(url, { statementMs, connectionsMax: 1 });
  return {
    kind: "PostgreSQL",
    address: hostOf(url),
    version: async () => {
      await requireOwnSession(database, statementMs);
      return String((await firstRow(database, selectVersion))["version"]);
    },
    nowMs: async () => Number((await firstRow(database, selectNow))["now_ms"]),
    leases: async () => {
      const { held, ended, holders } = await firstRow(database, selectLeases);
      return { held: Number(held), ended: Number(ended), holders: Number(holders) };
    },
    totals: () => totalsOf({ database }),
    storedFaults: async () => [...(await auditFaults(database)), ...(await reportFaults(database))],
    pepper: async () => {
      const [row] = await rowsOf(database, selectPepper);
      return row === undefined ? null : String(row["fingerprint"]);
    },
    sizes: async () =>
      (await rowsOf(database, selectSizes)).map(({ name, bytes }) => ({
        table: String(name),
        bytes: Number(bytes),
        isOfEngine: false,
      })),
    missing: () => missingMigrations(database),
    close: () => database.destroy(),
  };
}

type AnyRow = Readonly<Record<string, unknown>>;

async function firstRow(database: ControlDatabase, statement: string): Promise<AnyRow> {
  const [row] = await rowsOf(database, statement);
  if (row === undefined) throw new Error("PostgreSQL replied with no row");
  return row;
}

async function rowsOf(database: ControlDatabase, statement: string): Promise<readonly AnyRow[]> {
  const { rows } = await sql.raw<AnyRow>(statement).execute(database);
  return rows;
}

import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import { LeaseLostError, type Leases } from "../leases.ts";

/** A crashed node is replaced when its leases expire. One renewal may fail in between. */
const leaseMs = 6_000;
const renewEveryMs = 2_000;

/** The table of the leases. */
interface LeaseTables {
  leases: { account_id: string; holder: string; fence: number; expires_at: unknown };
}

interface Held {
  readonly fence: number;
  /**
   * In the time of the clock's `elapsed`, and never later than the end that PostgreSQL has stored.
   */
  endMs: number;
}

/**
 * Leases in PostgreSQL, which expire by its clock. A holder drops its lease by its own clock, which
 * started before PostgreSQL's: so it never believes it holds what another node has. The row of an
 * expired lease stays, for its fencing number.
 */
export class PostgresLeases implements Leases {
  readonly #database: Kysely<LeaseTables>;
  readonly #clock: Clock;
  /** Identifies the process, not the machine: after a restart, earlier leases are not its own. */
  readonly #holder = randomUUID();
  readonly #held = new Map<string, Held>();
  readonly #taking = new Map<string, Promise<number | null>>();
  #timer: NodeJS.Timeout | null = null;
  #renewing: Promise<void> = Promise.resolve();

  constructor(database: Kysely<LeaseTables>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async take(accountId: string): Promise<number | null> {
    const held = this.#valid(accountId);
    if (held !== null) return held.fence;
    const taking = this.#taking.get(accountId) ?? this.#takeRow(accountId);
    this.#taking.set(accountId, taking);
    try {
      return await taking;
    } finally {
      this.#taking.delete(accountId);
    }
  }

  fence(accountId: string): number {
    const held = this.#valid(accountId);
    if (held === null) throw new LeaseLostError(accountId);
    return held.fence;
  }

  async release(accountId: string): Promise<void> {
    const held = this.#held.get(accountId);
    if (held === undefined) return;
    this.#held.delete(accountId);
    await this.#endRows([accountId]);
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#renewing;
    const accountIds = [...this.#held.keys()];
    this.#held.clear();
    // They expire by themselves when PostgreSQL is unreachable.
    if (accountIds.length > 0) await this.#endRows(accountIds).catch(() => undefined);
  }

  /** The lease if it is still valid; an expired one is dropped. */
  #valid(accountId: string): Held | null {
    const held = this.#held.get(accountId);
    if (held === undefined) return null;
    if (this.#clock.elapsed() < held.endMs) return held;
    this.#held.delete(accountId);
    return null;
  }

  async #takeRow(accountId: string): Promise<number | null> {
    const endMs = this.#clock.elapsed() + leaseMs;
    const row = { account_id: accountId, holder: this.#holder, fence: 1, expires_at: leaseEnd };
    const taken = await this.#database
      .insertInto("leases")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column("account_id")
          .doUpdateSet({
            holder: this.#holder,
            fence: sql`leases.fence + 1`,
            expires_at: leaseEnd,
          })
          .where((where) =>
            where.or([
              where("leases.expires_at", "<=", now),
              where("leases.holder", "=", this.#holder),
            ]),
          ),
      )
      .returning("fence")
      .executeTakeFirst();
    if (taken === undefined) return null;
    this.#held.set(accountId, { fence: taken.fence, endMs });
    this.#timer ??= this.#startRenewing();
    return taken.fence;
  }

  #startRenewing(): NodeJS.Timeout {
    let isRenewing = false;
    const timer = setInterval(() => {
      if (isRenewing) return;
      isRenewing = true;
      // Retried at the next interval: a lease that expires before is lost, as `fence` reports.
      this.#renewing = this.#renew()
        .catch(() => undefined)
        .finally(() => {
          isRenewing = false;
        });
    }, renewEveryMs);
    timer.unref();
    return timer;
  }

  /** Renews all leases in one statement. One acquired meanwhile, or expired, is not renewed. */
  async #renew(): Promise<void> {
    const accountIds = [...this.#held.keys()].filter((id) => this.#valid(id) !== null);
    if (accountIds.length === 0) return;
    const renewed = new Map([...this.#held]);
    const endMs = this.#clock.elapsed() + leaseMs;
    const rows = await this.#database
      .updateTable("leases")
      .set({ expires_at: leaseEnd })
      .where("account_id", "=", sql<string>`any(${accountIds})`)
      .where("holder", "=", this.#holder)
      .where("expires_at", ">", now)
      .returning(["account_id", "fence"])
      .execute();
    const fences = new Map(rows.map(({ account_id, fence }) => [account_id, fence]));
    for (const accountId of accountIds) {
      const held = this.#held.get(accountId);
      if (held === undefined || held !== renewed.get(accountId)) continue;
      if (fences.get(accountId) === held.fence) held.endMs = endMs;
      else this.#held.delete(accountId);
    }
  }

  async #endRows(accountIds: readonly string[]): Promise<void> {
    await this.#database
      .updateTable("leases")
      .set({ expires_at: now })
      .where("account_id", "=", sql<string>`any(${accountIds})`)
      .where("holder", "=", this.#holder)
      .execute();
  }
}

const now = sql`clock_timestamp()`;
const leaseEnd = sql`clock_timestamp() + ${sql.lit(leaseMs)} * interval '1 millisecond'`;

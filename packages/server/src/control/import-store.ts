import { sql } from "kysely";
import type { Clock } from "../platform/clock.ts";
import type { ControlEngine } from "./control-engine.ts";
import { nextChange, type RecordEnd } from "./progress-store.ts";

/** An import of answers, as far as it noted what it did. Times are milliseconds since 1970. */
export interface ImportRecord {
  readonly id: string;
  readonly startedAt: number;
  /** A file's name, or how the answers came. */
  readonly source: string;
  /** Lines. */
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** Null: its answers are there, unless they were removed one by one. */
  readonly undoneAt: number | null;
}

/** The imports of an account, and what was taken back. The account comes first. */
export interface ImportStore {
  /** Notes an import with its lines so far. To be repeated while it goes on. */
  readonly noteImport: (
    accountId: string,
    noted: Omit<ImportRecord, "startedAt" | "undoneAt">,
  ) => Promise<void>;
  /** Newest first, and of equal times by id; the latest `importsMax`. */
  readonly imports: (accountId: string) => Promise<readonly ImportRecord[]>;
  /** Null: the account has no such import. */
  readonly importOf: (accountId: string, importId: string) => Promise<ImportRecord | null>;
  readonly noteUndone: (accountId: string, importId: string) => Promise<void>;
  /** Notes that answers were removed: the facts are of another record, and are built anew. */
  readonly noteRemoved: (accountId: string, end: RecordEnd) => Promise<void>;
}

/** The most imports that a list has. */
export const importsMax = 1_000;

/** The imports in control. */
export function importStore(
  { database, together, lock }: ControlEngine,
  clock: Clock,
): ImportStore {
  const selected = (accountId: string) =>
    database
      .selectFrom("imports")
      .select(["id", "started_at as startedAt", "source", "accepted", "duplicates", "rejected"])
      .select("undone_at as undoneAt")
      .where("account_id", "=", accountId);
  return {
    noteImport: async (accountId, { id, source, accepted, duplicates, rejected }) => {
      const counts = { accepted, duplicates, rejected };
      await database
        .insertInto("imports")
        .values({ id, account_id: accountId, started_at: clock.now(), source, ...counts })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(counts))
        .execute();
    },
    imports: (accountId) =>
      selected(accountId).orderBy("started_at", "desc").orderBy("id").limit(importsMax).execute(),
    importOf: async (accountId, importId) =>
      (await selected(accountId).where("id", "=", importId).executeTakeFirst()) ?? null,
    noteUndone: async (accountId, importId) => {
      await database
        .updateTable("imports")
        .set({ undone_at: clock.now() })
        .where("account_id", "=", accountId)
        .where("id", "=", importId)
        .execute();
    },
    noteRemoved: (accountId, { sequence, recordedAtMs }) =>
      together(async (transaction) => {
        await lock(transaction, { account: accountId });
        await lock(transaction, "changes");
        await transaction
          .updateTable("accounts")
          .set({ recorded: sequence, recorded_at: recordedAtMs, projected: null })
          // As of an account that had facts: a node may be about to note its first ones.
          .set({ change: nextChange, projected_rules: sql`coalesce(projected_rules, '')` })
          .where("id", "=", accountId)
          .execute();
      }),
  };
}

import type { Provider, Vendor } from "@sightline/contract";
import type { AccountCaps, Cap, CollectionStore } from "../collection-store.ts";
import type { ControlDatabase } from "../database.ts";
import type { JobRow } from "./job-rows.ts";

const dayMs = 86_400_000;

/** The UTC day of an instant: days since 1970-01-01. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

/** When the next UTC day begins. */
export function nextDayMs(atMs: number): number {
  return (dayOf(atMs) + 1) * dayMs;
}

/** What is added to a row of the ledger; it may be negative. */
export interface Booking {
  readonly accountId: string;
  readonly day: number;
  readonly provider: Provider;
  readonly vendor: Vendor;
  readonly calls?: number;
  readonly spentMicros?: number;
  readonly reservedMicros?: number;
  readonly unsettledMicros?: number;
}

/** Adds to a row of the ledger, in the transaction of what it is for. */
export async function book(database: ControlDatabase, booking: Booking): Promise<void> {
  const { calls = 0, spentMicros = 0, reservedMicros = 0, unsettledMicros = 0 } = booking;
  const { accountId, day, provider, vendor } = booking;
  await database
    .insertInto("spend")
    .values({
      ...{ account_id: accountId, day, provider, vendor, calls },
      ...{ spent_micros: spentMicros, reserved_micros: reservedMicros },
      unsettled_micros: unsettledMicros,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "day", "provider", "vendor"]).doUpdateSet((row) => ({
        calls: row("spend.calls", "+", calls),
        spent_micros: row("spend.spent_micros", "+", spentMicros),
        reserved_micros: row("spend.reserved_micros", "+", reservedMicros),
        unsettled_micros: row("spend.unsettled_micros", "+", unsettledMicros),
      })),
    )
    .execute();
}

/**
 * Takes back what a job reserved, and notes what it cost instead; null: all of it, unsettled. What
 * a job costs is of the day on which its attempt began.
 */
export async function settle(
  database: ControlDatabase,
  row: JobRow,
  { spentMicros, today }: { readonly spentMicros: number | null; readonly today: number },
): Promise<void> {
  const reserved = row.reserved_micros;
  if (row.reserve_day === null && (spentMicros ?? 0) === 0) return;
  await book(database, {
    ...{ accountId: row.account_id, provider: row.provider, vendor: row.vendor },
    day: row.reserve_day ?? today,
    reservedMicros: -reserved,
    ...(spentMicros === null ? { unsettledMicros: reserved } : { spentMicros }),
  });
}

/** Why a call may not be made: until others settle, or until the next day. */
export interface Refusal {
  readonly until: "settled" | "tomorrow";
  /** Whose cap it is; empty: the account's. */
  readonly provider: Provider | "";
}

/** What a call asks of the caps. */
export interface CallToMake {
  readonly accountId: string;
  readonly provider: Provider;
  readonly day: number;
  /** What it reserves in addition to what its job has. */
  readonly addedMicros: number;
}

/** The cap that does not allow one more call; null: all do. To be asked under `spendOf`'s lock. */
export async function refusalOf(
  database: ControlDatabase,
  call: CallToMake,
  caps: AccountCaps,
): Promise<Refusal | null> {
  const rows = await database
    .selectFrom("spend")
    .selectAll()
    .where("account_id", "=", call.accountId)
    .where("day", "=", call.day)
    .execute();
  const judged: readonly (readonly [Provider | "", Cap | undefined])[] = [
    ["", caps.all],
    [call.provider, caps.byProvider[call.provider]],
  ];
  const refusals = judged.flatMap(([provider, cap]): Refusal[] => {
    const counted = provider === "" ? rows : rows.filter((row) => row.provider === provider);
    const until = cap === undefined ? null : refusedUntil(counted, cap, call.addedMicros);
    return until === null ? [] : [{ until, provider }];
  });
  return refusals.find(({ until }) => until === "tomorrow") ?? refusals[0] ?? null;
}

type Counted = Readonly<
  Record<"calls" | "spent_micros" | "reserved_micros" | "unsettled_micros", number>
>;

function refusedUntil(rows: readonly Counted[], cap: Cap, addedMicros: number) {
  const sum = (of: (row: Counted) => number) => rows.reduce((total, row) => total + of(row), 0);
  if (cap.calls !== null && sum((row) => row.calls) + 1 > cap.calls) return "tomorrow";
  if (cap.micros === null) return null;
  const gone = sum((row) => row.spent_micros + row.unsettled_micros) + addedMicros;
  if (gone > cap.micros) return "tomorrow";
  // A reserve is the most that a call may cost, so others may leave room when they settle.
  return gone + sum((row) => row.reserved_micros) > cap.micros ? "settled" : null;
}

/** Has nothing of an account, or of one of its providers, be leased until then. */
export async function hold(
  database: ControlDatabase,
  accountId: string,
  { provider, until }: { readonly provider: Provider | ""; readonly until: number },
): Promise<void> {
  await database
    .insertInto("spend_holds")
    .values({ account_id: accountId, provider, until })
    .onConflict((conflict) => conflict.columns(["account_id", "provider"]).doUpdateSet({ until }))
    .execute();
}

/** Until when caps hold a provider's questions; null: they do not. In milliseconds since 1970. */
export type HeldUntil = (provider: Provider) => number | null;

/** What is held at an instant, as `hold` had it. */
export async function holdsOf(
  database: ControlDatabase,
  accountId: string,
  now: number,
): Promise<HeldUntil> {
  const rows = await database
    .selectFrom("spend_holds")
    .select(["provider", "until"])
    .where("account_id", "=", accountId)
    .where("until", ">", now)
    .execute();
  return (provider) => {
    const held = rows.filter((row) => row.provider === "" || row.provider === provider);
    return held.length === 0 ? null : Math.max(...held.map(({ until }) => until));
  };
}

/** Reads of the ledger. */
export function spendReads(database: ControlDatabase): Pick<CollectionStore, "spend"> {
  return {
    spend: (accountId, fromDay, toDay) =>
      database
        .selectFrom("spend")
        .select(["day", "provider", "vendor", "calls", "spent_micros as spentMicros"])
        .select(["reserved_micros as reservedMicros", "unsettled_micros as unsettledMicros"])
        .where("account_id", "=", accountId)
        .where("day", ">=", fromDay)
        .where("day", "<", toDay)
        .orderBy("day")
        .orderBy("provider")
        .orderBy("vendor")
        .execute(),
  };
}

import type { Provider, Vendor } from "@sightline/contract";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import type { AccountCaps, Cap, SpendRow } from "./collection-store.ts";
import type { JobRow } from "./job-rows.ts";

const dayMs = 86_400_000;

/** The UTC day of an instant: days since 1970-01-01. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

/** The start of the next UTC day, in milliseconds since 1970. */
function nextDayMs(atMs: number): number {
  return (dayOf(atMs) + 1) * dayMs;
}

/** Amounts to add to a row of the ledger; they may be negative. */
export interface Booking {
  readonly accountId: string;
  readonly day: number;
  readonly provider: Provider;
  readonly vendor: Vendor;
  readonly calls?: number;
  readonly spentMicros?: number;
  readonly assumedMicros?: number;
  readonly reservedMicros?: number;
  readonly unsettledMicros?: number;
  readonly excessMicros?: number;
}

/** Adds to a row of the ledger, in the caller's transaction. */
export async function book(database: ControlDatabase, booking: Booking): Promise<void> {
  const { accountId, day, provider, vendor } = booking;
  const added = {
    calls: booking.calls ?? 0,
    spent_micros: booking.spentMicros ?? 0,
    assumed_micros: booking.assumedMicros ?? 0,
    reserved_micros: booking.reservedMicros ?? 0,
    unsettled_micros: booking.unsettledMicros ?? 0,
    excess_micros: booking.excessMicros ?? 0,
  };
  await database
    .insertInto("spend")
    .values({ account_id: accountId, day, provider, vendor, ...added })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "day", "provider", "vendor"]).doUpdateSet((row) => ({
        calls: row("spend.calls", "+", added.calls),
        spent_micros: row("spend.spent_micros", "+", added.spent_micros),
        assumed_micros: row("spend.assumed_micros", "+", added.assumed_micros),
        reserved_micros: row("spend.reserved_micros", "+", added.reserved_micros),
        unsettled_micros: row("spend.unsettled_micros", "+", added.unsettled_micros),
        excess_micros: row("spend.excess_micros", "+", added.excess_micros),
      })),
    )
    .execute();
}

/** The settlement of a job's reserve. */
export interface Settlement {
  /** Null: unknown, so the whole reserve stays unsettled. */
  readonly spentMicros: number | null;
  readonly assumedMicros?: number | undefined;
  readonly now: number;
}

/** Replaces a job's reserve by its cost, on the day of its attempt's last request. */
export async function settle(
  database: ControlDatabase,
  row: JobRow,
  { spentMicros, assumedMicros = 0, now }: Settlement,
): Promise<void> {
  if (row.reserve_day === null && (spentMicros ?? 0) === 0) return;
  if (spentMicros === null) return leaveUnsettled(database, [row], now);
  await book(database, {
    accountId: row.account_id,
    provider: row.provider,
    vendor: row.vendor,
    day: row.reserve_day ?? dayOf(now),
    reservedMicros: -row.reserved_micros,
    spentMicros,
    assumedMicros,
  });
}

/** How long caps count the highest cost of an interrupted call. */
const doubtMs = 3_600_000;
/** Doubts that end within the same minute share a row. */
const doubtStepMs = 60_000;

/**
 * Leaves the reserves of jobs unsettled; the jobs share day, provider and vendor. Caps count their
 * expected cost for good, and the rest for an hour.
 */
export async function leaveUnsettled(
  database: ControlDatabase,
  rows: readonly JobRow[],
  now: number,
): Promise<void> {
  const [row] = rows;
  if (row === undefined || row.reserve_day === null) return;
  const { account_id: accountId, provider, vendor, reserve_day: day } = row;
  const sum = (of: (row: JobRow) => number) => rows.reduce((total, each) => total + of(each), 0);
  const micros = sum(({ reserved_micros }) => reserved_micros);
  const excessMicros = sum(({ reserved_micros, expected_micros }) => {
    return Math.max(0, reserved_micros - (expected_micros ?? reserved_micros));
  });
  await book(database, {
    accountId,
    day,
    provider,
    vendor,
    excessMicros,
    reservedMicros: -micros,
    unsettledMicros: micros,
  });
  if (excessMicros === 0) return;
  await database
    .deleteFrom("spend_doubts")
    .where("account_id", "=", accountId)
    .where("until", "<=", now)
    .execute();
  const until = Math.ceil((now + doubtMs) / doubtStepMs) * doubtStepMs;
  await database
    .insertInto("spend_doubts")
    .values({ account_id: accountId, day, provider, until, micros: excessMicros })
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "day", "provider", "until"])
        .doUpdateSet((each) => ({ micros: each("spend_doubts.micros", "+", excessMicros) })),
    )
    .execute();
}

/** A cap refuses a call until other reserves settle, or until an instant. */
export interface Refusal {
  readonly until: "settled" | number;
  /** The provider whose cap it is; empty: the account's. */
  readonly provider: Provider | "";
}

/** A call to check against the caps. */
export interface CallToMake {
  readonly accountId: string;
  readonly provider: Provider;
  readonly now: number;
  /** The reserve of its attempt with this call. */
  readonly micros: number;
  /** The previous reserve of its attempt on this day. */
  readonly reservedMicros: number;
}

/**
 * The cap that refuses a call, the longest lasting one; null: none. Call it under the lock
 * `spendOf`.
 */
export async function refusalOf(
  database: ControlDatabase,
  call: CallToMake,
  caps: AccountCaps,
): Promise<Refusal | null> {
  const ofDay = { account_id: call.accountId, day: dayOf(call.now) };
  const rows = await database
    .selectFrom("spend")
    .selectAll()
    .where((row) => row.and(ofDay))
    .execute();
  const doubts = await database
    .selectFrom("spend_doubts")
    .select(["provider", "until", "micros"])
    .where((row) => row.and(ofDay))
    .where("until", ">", call.now)
    .execute();
  const judged: readonly (readonly [Provider | "", Cap | undefined])[] = [
    ["", caps.all],
    [call.provider, caps.byProvider[call.provider]],
  ];
  const refusals = judged.flatMap(([provider, cap]): Refusal[] => {
    if (cap === undefined) return [];
    const isOf = (row: { readonly provider: Provider }) =>
      provider === "" || row.provider === provider;
    const counted = { rows: rows.filter(isOf), doubts: doubts.filter(isOf) };
    const until = refusedUntil(counted, cap, call);
    return until === null ? [] : [{ until, provider }];
  });
  const lasting = (refusal: Refusal) => (refusal.until === "settled" ? 0 : refusal.until);
  return refusals.toSorted((one, other) => lasting(other) - lasting(one))[0] ?? null;
}

/** A paid question outside any sweep. */
export interface SingleQuestion {
  readonly accountId: string;
  readonly provider: Provider;
  readonly vendor: Vendor;
  readonly now: number;
  /** The most that it costs. */
  readonly micros: number;
}

/**
 * Books a question that is about to be asked, unless a cap refuses it. It counts as unsettled until
 * `settleSingle`, so a process that ends meanwhile leaves the ledger right.
 */
export function bookSingle(
  engine: ControlEngine,
  { micros, now, ...of }: SingleQuestion,
  caps: AccountCaps,
): Promise<"booked" | "cap"> {
  return engine.database.transaction().execute(async (database) => {
    await engine.lock(database, { spendOf: of.accountId });
    const call = { accountId: of.accountId, provider: of.provider, now, micros, reservedMicros: 0 };
    if ((await refusalOf(database, call, caps)) !== null) return "cap";
    await book(database, { ...of, day: dayOf(now), calls: 1, unsettledMicros: micros });
    return "booked";
  });
}

/** Replaces what a question may have cost by what it did. */
export async function settleSingle(
  { database }: ControlEngine,
  { micros, now, ...of }: SingleQuestion,
  spent: { readonly spentMicros: number; readonly assumedMicros: number },
): Promise<void> {
  await book(database, { ...of, ...spent, day: dayOf(now), unsettledMicros: -micros });
}

interface Counted {
  readonly rows: readonly Readonly<
    Record<
      "calls" | "spent_micros" | "reserved_micros" | "unsettled_micros" | "excess_micros",
      number
    >
  >[];
  readonly doubts: readonly { readonly until: number; readonly micros: number }[];
}

function refusedUntil(
  { rows, doubts }: Counted,
  cap: Cap,
  { micros, reservedMicros, now }: CallToMake,
): Refusal["until"] | null {
  const sum = (of: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + of(row), 0);
  if (cap.calls !== null && sum((row) => row.calls) + 1 > cap.calls) return nextDayMs(now);
  if (cap.micros === null) return null;
  const gone = sum((row) => row.spent_micros + row.unsettled_micros - row.excess_micros) + micros;
  if (gone > cap.micros) return nextDayMs(now);
  const doubted = gone + doubts.reduce((total, doubt) => total + doubt.micros, 0);
  if (doubted > cap.micros) return Math.min(nextDayMs(now), ...doubts.map(({ until }) => until));
  // Reserves are upper bounds, so others may free some when they settle.
  const others = sum((row) => row.reserved_micros) - reservedMicros;
  return doubted + others > cap.micros ? "settled" : null;
}

/** Stops leasing jobs of an account or of one of its providers until an instant. */
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

/** Until when caps hold a provider's jobs, in milliseconds since 1970; null: they do not. */
export type HeldUntil = (provider: Provider) => number | null;

/** The holds of an account at `now`. */
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

/** An account's spending by day, provider and vendor; `fromDay` inclusive, `toDay` exclusive. */
export async function spendOf(
  { database }: ControlEngine,
  accountId: string,
  fromDay: number,
  toDay: number,
): Promise<readonly SpendRow[]> {
  const rows = await database
    .selectFrom("spend")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("day", ">=", fromDay)
    .where("day", "<", toDay)
    .orderBy("day")
    .orderBy("provider")
    .orderBy("vendor")
    .execute();
  return rows.map((row) => ({
    day: row.day,
    provider: row.provider,
    vendor: row.vendor,
    calls: row.calls,
    spentMicros: row.spent_micros,
    assumedMicros: row.assumed_micros,
    reservedMicros: row.reserved_micros,
    unsettledMicros: row.unsettled_micros,
    expectedMicros: row.unsettled_micros - row.excess_micros,
  }));
}

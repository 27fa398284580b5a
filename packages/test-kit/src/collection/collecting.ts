import type { Vendor } from "@sightline/contract";
import { type StandIn, standInCredentials, startStandIn } from "@sightline/stand-in";
import type { StandInFaults } from "@sightline/stand-in/faults";
import { Collection } from "../../../server/src/collection/collection.ts";
import { Credentials } from "../../../server/src/collection/config.ts";
import { builtInPrices, withReader } from "../../../server/src/collection/price-list.ts";
import { Prices } from "../../../server/src/collection/prices.ts";
import type { ReaderConfig } from "../../../server/src/collection/reader-config.ts";
import type {
  SpendRow,
  SweepRecord,
} from "../../../server/src/collection/store/collection-store.ts";
import { spendOf } from "../../../server/src/collection/store/spend-ledger.ts";
import { sweepsOf } from "../../../server/src/collection/store/sweep-reads.ts";
import { configuredAdapters } from "../../../server/src/collection/vendors/index.ts";
import { whyFailed } from "../../../server/src/platform/failed-work.ts";
import { createLogger } from "../../../server/src/platform/logger.ts";
import type { Storage } from "../../../server/src/storage.ts";
import type { HeldClock } from "../held-clock.ts";
import type { AfterHook } from "../sample-account.ts";
import { TestService, type TestServiceOptions } from "../test-service.ts";
import { until } from "../until.ts";

/** What a test of collection starts. */
export interface CollectingOptions {
  /** A workspace file; its answers come by collection alone. */
  readonly workspace: object;
  readonly faults?: StandInFaults;
  /** Of the service. */
  readonly settings?: NonNullable<TestServiceOptions["settings"]>;
  /** Of the stand-in's when omitted. */
  readonly secrets?: Readonly<Partial<Record<Vendor, string>>>;
  readonly reader?: ReaderConfig;
}

/** A service, a stand-in of the vendors and what asks it, by one held clock. */
export interface Collecting {
  readonly service: TestService;
  readonly standIn: StandIn;
  readonly clock: HeldClock;
  readonly collection: Collection;
  readonly accountId: string;
}

/** Starts a service with a workspace, and what collects for it; all ends with the test. */
export async function startCollecting(
  t: AfterHook,
  options: CollectingOptions,
): Promise<Collecting> {
  const { workspace, faults = {}, settings = {}, secrets = standInCredentials } = options;
  const { reader = null } = options;
  // Its thread would ask with credentials that the test stores, of the vendors themselves.
  const service = await TestService.start({ settings: { collect: "off", ...settings } });
  const { clock } = service;
  const standIn = await startStandIn({ clock, faults });
  const accountId = await service.apply(workspace);
  const asked = { clock, standIn: standIn.url, secrets, reader };
  const collection = collectionOf(service.services, asked);
  t.after(async () => {
    await collection.close(Promise.resolve());
    await standIn.close();
    await service.close();
  });
  // A cadence begins with the first look at it.
  await collection.plan();
  return { service, standIn, clock, collection, accountId };
}

/** What a collection of a test is made of. */
export interface TestCollection {
  readonly clock: HeldClock;
  readonly standIn: string;
  readonly secrets?: Readonly<Partial<Record<Vendor, string>>>;
  /** A model that reads answers; none when omitted. */
  readonly reader?: ReaderConfig | null;
}

/** What asks a stand-in for the accounts of a storage. */
export function collectionOf(
  { control, answers, secretBox }: Pick<Storage, "control" | "answers" | "secretBox">,
  { clock, standIn, secrets = standInCredentials, reader = null }: TestCollection,
): Collection {
  const prices = reader === null ? builtInPrices : withReader(builtInPrices, reader);
  return new Collection({
    control,
    answers,
    secretBox,
    adapters: configuredAdapters({ reader }),
    standIn,
    clock,
    logger: createLogger("fatal"),
    credentials: new Credentials(secrets),
    prices: new Prices(prices),
    concurrency: 16,
    random: () => 0,
  });
}

/** Puts the clock behind the machine's, by which a service's thread plans sweeps for now. */
export function catchUp(clock: HeldClock): void {
  clock.advance(Math.max(0, Date.now() - clock.now()) + 1_000);
}

/** Asks all that can be asked at this instant. */
export async function askNow({ collection }: Pick<Collecting, "collection">): Promise<void> {
  await collection.runJobs();
  await collection.settled();
}

/**
 * Lets time pass in steps, and asks and publishes at each, until every part is published.
 * @returns the sweeps, newest first.
 */
export async function sweepToEnd(
  { collection, clock, service, accountId }: Collecting,
  { stepMs = 1_000, stepsMax = 2_000 } = {},
): Promise<readonly SweepRecord[]> {
  for (let step = 0; step < stepsMax; step++) {
    await collection.plan();
    await askNow({ collection });
    await collection.publish();
    const sweeps = await sweepsOf(service.services.control, accountId, 10, clock.now());
    const isDone = sweeps.every(({ parts }) => parts.every((part) => part.publishedAt !== null));
    if (sweeps.length > 0 && isDone) return sweeps;
    clock.advance(stepMs);
  }
  throw new Error(`a sweep did not end in ${stepsMax} steps of ${stepMs} ms`);
}

/** The ledger of an account, of all its days. */
export function ledgerOf({ service, accountId }: Collecting): Promise<readonly SpendRow[]> {
  return spendOf(service.services.control, accountId, 0, 100_000);
}

/** Millionths of a dollar. */
export interface LedgerSums {
  readonly calls: number;
  readonly spentMicros: number;
  readonly reservedMicros: number;
  readonly unsettledMicros: number;
}

/** The sums of a ledger. */
export function sumsOf(rows: readonly SpendRow[]): LedgerSums {
  const sum = (of: (row: SpendRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    calls: sum(({ calls }) => calls),
    spentMicros: sum(({ spentMicros }) => spentMicros),
    reservedMicros: sum(({ reservedMicros }) => reservedMicros),
    unsettledMicros: sum(({ unsettledMicros }) => unsettledMicros),
  };
}

/** What the stand-in billed, in millionths of a dollar, and how often it was asked. */
export function billedBy(standIn: Pick<StandIn, "bill">) {
  const totals = Object.values(standIn.bill().totals);
  const sum = (of: (each: (typeof totals)[number]) => number) =>
    totals.reduce((total, each) => total + of(each), 0);
  return {
    received: sum((each) => each.received),
    billed: sum((each) => each.billed),
    micros: sum((each) => each.micros),
  };
}

/** Notes how vendors stand; as `serve` does, again where a thread was writing control. */
export async function reportedHealth(collection: Collection): Promise<void> {
  await until("control can be written", async () => {
    try {
      await collection.reportHealth();
      return true;
    } catch (error) {
      if (whyFailed(error) === "busy") return null;
      throw error;
    }
  });
}

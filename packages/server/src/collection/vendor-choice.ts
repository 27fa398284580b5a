import {
  type Ask,
  askOf,
  type CollectionRule,
  type Provider,
  type Vendor,
  vendors,
  vendorsOf,
} from "@sightline/contract";
import { z } from "zod";
import type { Workspace } from "../accounts/workspace.ts";
import type { Surface } from "../answers/answer.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import { credentialSettings } from "./config.ts";
import type { VendorHealth } from "./counts.ts";
import { collectorReports } from "./store/collector-reports.ts";
import { credentialsOf, type StoredCredential } from "./store/credential-store.ts";

/** The availability of a vendor when a sweep is planned. */
export interface VendorAvailability {
  /** Whether a collecting process has its credential. */
  readonly hasCredential: boolean;
  /** Why another vendor is preferred, for people; null: the vendor can be asked. */
  readonly fault: string | null;
}

/** A preferred vendor that is skipped. */
export interface SkippedVendor {
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  /** For people. */
  readonly reason: string;
}

/** The vendors of a sweep: one for each provider on a surface. */
interface VendorChoice {
  /** The ask with the chosen vendor. */
  readonly chosen: (ask: Ask) => Ask;
  /**
   * The skipped vendors before it in the list; empty: the first is asked, or the vendor was named.
   */
  readonly skipped: (ask: Pick<Ask, "provider" | "surface">) => readonly SkippedVendor[];
}

/** The inputs of a choice. */
interface ChoosesBy {
  readonly availabilityOf: (vendor: Vendor) => VendorAvailability;
  /** Parts of the sweep that have been planned; their vendors stay. */
  readonly parts?: readonly Pick<Ask, "provider" | "surface" | "vendor">[];
}

/**
 * Chooses the vendor of each provider and surface: the one that its planned part or the workspace
 * names; else the first of the list without a fault, else the first with a credential, else the
 * first.
 */
export function vendorChoice(
  workspace: Workspace,
  { availabilityOf, parts = [] }: ChoosesBy,
): VendorChoice {
  const bound = new Map([...namedAsks(workspace), ...parts].map((each) => [keyOf(each), each]));
  const chosenOf = ({ provider, surface }: Pick<Ask, "provider" | "surface">) => {
    const able = vendorsOf[provider][surface] ?? [];
    const named = bound.get(keyOf({ provider, surface }))?.vendor;
    const vendor =
      named ??
      able.find((each) => availabilityOf(each).fault === null) ??
      able.find((each) => availabilityOf(each).hasCredential) ??
      able[0];
    return { able, vendor, isNamed: named !== undefined };
  };
  return {
    chosen: (ask) => ({ ...ask, vendor: chosenOf(ask).vendor ?? ask.vendor }),
    skipped: ({ provider, surface }) => {
      const { able, vendor, isNamed } = chosenOf({ provider, surface });
      if (isNamed || vendor === undefined) return [];
      return able.slice(0, able.indexOf(vendor)).map((each) => {
        const reason = availabilityOf(each).fault ?? "";
        return { provider, surface, vendor: each, reason };
      });
    },
  };
}

/** The asks whose vendor the workspace names. */
function* namedAsks({ collection, topics, prompts }: Workspace): Generator<Ask> {
  yield* namedIn(collection);
  for (const topic of topics) yield* namedIn(topic.collection);
  for (const prompt of prompts) yield* namedIn(prompt.collection);
}

function* namedIn(rule: CollectionRule | undefined): Generator<Ask> {
  for (const item of rule?.providers ?? []) {
    if (typeof item === "string" || item.vendor === undefined) continue;
    const ask = askOf(item);
    if (typeof ask !== "string") yield ask;
  }
}

function keyOf({ provider, surface }: Pick<Ask, "provider" | "surface">): string {
  return `${provider} ${surface}`;
}

/**
 * A vendor that waits less than this is asked all the same: a rate limit and the first pauses of a
 * circuit end before a sweep does, and answers of two vendors in one series differ.
 */
const shortWaitMs = 60_000;
/**
 * How long a refused credential or balance counts without a new try. An operator who fixed it and
 * restarts the service does not wait; a vendor that stays stopped costs one sweep a week.
 */
const stoppedMs = 7 * 86_400_000;

/** Dependencies of reading availabilities. */
interface AvailabilityTools {
  readonly control: ControlEngine;
  readonly clock: Pick<Clock, "now">;
  /** The vendors that this process queries; those of other processes are in control. */
  readonly vendors: readonly Vendor[];
}

/** Why no process queries a vendor, for people. */
export function noCredential(vendor: Vendor): string {
  const setting = credentialSettings.find((each) => each.vendor === vendor);
  return `No process that collects has a credential of ${vendor}. Set ${setting?.environment}.`;
}

/**
 * Reads the availability of vendors for an account, over all collecting processes. Where these have
 * no credential, the account's own counts: its questions wait until a process collects.
 */
export async function vendorAvailability(
  { control, clock, vendors }: AvailabilityTools,
  accountId: string,
): Promise<(vendor: Vendor) => VendorAvailability> {
  const { vendors: known } = await collectorsHealth(control, clock);
  const stored = await credentialsOf(control, accountId);
  const availabilities = new Map(
    withStored(known, stored).map((health) => {
      return [health.vendor, availabilityOf(health, vendors, clock.now())];
    }),
  );
  return (vendor) =>
    availabilities.get(vendor) ?? { hasCredential: false, fault: noCredential(vendor) };
}

function availabilityOf(
  { vendor, state, until, reason }: VendorHealth,
  own: readonly Vendor[],
  now: number,
): VendorAvailability {
  switch (state) {
    case "ready":
      return { hasCredential: true, fault: null };
    case "no-credential":
      // This process has not reported yet.
      return own.includes(vendor)
        ? { hasCredential: true, fault: null }
        : { hasCredential: false, fault: noCredential(vendor) };
    case "waiting":
    case "stopped": {
      const leftMs = (until ?? now) - now;
      const isFault = state === "stopped" ? leftMs > -stoppedMs : leftMs > shortWaitMs;
      const fault = isFault ? `${vendor} is ${state}: ${reason}` : null;
      return { hasCredential: true, fault };
    }
  }
}

/** The state of vendors for an account whose own credentials fill in for the service's. */
export function withStored(
  known: readonly VendorHealth[],
  stored: readonly StoredCredential[],
): readonly VendorHealth[] {
  return known.map((health) => {
    const own = stored.find(({ vendor }) => vendor === health.vendor);
    if (health.state !== "no-credential" || own === undefined) return health;
    const { state, until, reason } = own;
    return { ...health, state, until, reason };
  });
}

/** How often a collecting process reports. */
export const reportEveryMs = 2_000;
/** A process without a report for this long has ended or hangs. */
const silentMs = 15_000;

/** The state of vendors over all collecting processes. */
interface CollectorsHealth {
  /** The number of processes. */
  readonly collectors: number;
  /** All vendors, in their order. */
  readonly vendors: readonly VendorHealth[];
}

const healthSchema = z.object({
  vendor: z.enum(vendors),
  state: z.enum(["ready", "waiting", "stopped", "no-credential"]),
  until: z.number().nullable(),
  reason: z.string().nullable(),
  requests: z.number(),
  failed: z.number(),
  // Missing from reports of earlier versions.
  untold: z.number().default(0),
  medianMs: z.number().nullable(),
  lastError: z.object({ at: z.number(), reason: z.string() }).nullable(),
});

/** Merges the recent reports of all collecting processes. */
export async function collectorsHealth(
  control: ControlEngine,
  clock: Pick<Clock, "now">,
): Promise<CollectorsHealth> {
  const reports = await collectorReports(control, clock.now() - silentMs);
  const read = reports.flatMap((report) => {
    // A report of a later version may have other values; it is skipped.
    const parsed = z.array(healthSchema).safeParse(JSON.parse(report));
    return parsed.success ? [parsed.data] : [];
  });
  const of = (vendor: Vendor) => read.flat().filter((each) => each.vendor === vendor);
  return {
    collectors: reports.length,
    vendors: vendors.map((vendor) => of(vendor).reduce(together, unknown(vendor))),
  };
}

/** From best to worst: a vendor that one process may query is queried. */
const order = ["ready", "waiting", "stopped", "untried", "no-credential"] as const;

function together(one: VendorHealth, other: VendorHealth): VendorHealth {
  const [better] = [one, other].toSorted((a, b) => {
    return order.indexOf(known(a)) - order.indexOf(known(b)) || (a.until ?? 0) - (b.until ?? 0);
  });
  const [lastError = null] = [one.lastError, other.lastError].toSorted(
    (a, b) => (b?.at ?? 0) - (a?.at ?? 0),
  );
  return {
    ...(better ?? one),
    requests: one.requests + other.requests,
    failed: one.failed + other.failed,
    untold: one.untold + other.untold,
    lastError,
  };
}

/** A process without requests knows less than one that the vendor refused. */
function known({ state, requests }: VendorHealth): (typeof order)[number] {
  return state === "ready" && requests === 0 ? "untried" : state;
}

function unknown(vendor: Vendor): VendorHealth {
  const nothing = { requests: 0, failed: 0, untold: 0, medianMs: null, lastError: null };
  return { vendor, state: "no-credential", until: null, reason: null, ...nothing };
}

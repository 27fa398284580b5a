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

/** How a vendor stands when a sweep is planned. */
export interface VendorAvailability {
  /** Whether a process that collects has its credential. */
  readonly hasCredential: boolean;
  /** Why another one is asked where there is one, for people; null: it can be asked. */
  readonly fault: string | null;
}

/** A vendor that would be asked first and is not. */
export interface SkippedVendor {
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  /** For people. */
  readonly reason: string;
}

/** The vendor that a sweep asks for a provider on a surface: always the same. */
interface VendorChoice {
  /** The ask, of the vendor that is chosen. */
  readonly chosen: (ask: Ask) => Ask;
  /** Those before it in the list; empty: the first is asked, or nobody could choose. */
  readonly skipped: (ask: Pick<Ask, "provider" | "surface">) => readonly SkippedVendor[];
}

/** What a choice depends on. */
interface ChoosesBy {
  readonly availabilityOf: (vendor: Vendor) => VendorAvailability;
  /** Of parts of the sweep that are planned already: these stay. */
  readonly parts?: readonly Pick<Ask, "provider" | "surface" | "vendor">[];
}

/**
 * Chooses for each provider and surface the vendor that its planned part or the workspace names;
 * else the first of the list without a fault, else the first with a credential, else the first.
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

/** The asks whose vendor the workspace names; one vendor for each provider on a surface. */
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
 * A vendor that waits for no longer is asked all the same: a limit and the first pauses of a
 * circuit end before a sweep does, and answers of two vendors in one series are not alike.
 */
const shortWaitMs = 60_000;
/**
 * A refused credential or balance that nobody tried again counts for so long: who mended it and
 * restarts the service need not wait, and a vendor that stays stopped costs one sweep a week.
 */
const stoppedMs = 7 * 86_400_000;

/** What availabilities are read with. */
interface AvailabilityTools {
  readonly control: ControlEngine;
  readonly clock: Pick<Clock, "now">;
  /** Those that this process asks itself; what others say of theirs is in control. */
  readonly vendors: readonly Vendor[];
}

/** Why no process asks a vendor, for people. */
export function noCredential(vendor: Vendor): string {
  const setting = credentialSettings.find((each) => each.vendor === vendor);
  return `No process that collects has a credential of ${vendor}. Set ${setting?.environment}.`;
}

/** Reads how vendors stand with all processes that collect. */
export async function vendorAvailability({
  control,
  clock,
  vendors,
}: AvailabilityTools): Promise<(vendor: Vendor) => VendorAvailability> {
  const { vendors: known } = await collectorsHealth(control, clock);
  const availabilities = new Map(
    known.map((health) => [health.vendor, availabilityOf(health, vendors, clock.now())]),
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
      // Its own process has not noted yet how it stands.
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

/** How often a process notes that it collects. */
export const reportEveryMs = 2_000;
/** One that noted nothing for so long has ended, or hangs. */
const silentMs = 15_000;

/** How vendors stand with all processes that collect. */
interface CollectorsHealth {
  /** How many processes. */
  readonly collectors: number;
  /** Of every vendor, in their order. */
  readonly vendors: readonly VendorHealth[];
}

const healthSchema = z.object({
  vendor: z.enum(vendors),
  state: z.enum(["ready", "waiting", "stopped", "no-credential"]),
  until: z.number().nullable(),
  reason: z.string().nullable(),
  requests: z.number(),
  failed: z.number(),
  // One of an earlier version does not count them.
  untold: z.number().default(0),
  medianMs: z.number().nullable(),
  lastError: z.object({ at: z.number(), reason: z.string() }).nullable(),
});

/** What the processes that collect noted lately, put together. */
export async function collectorsHealth(
  control: ControlEngine,
  clock: Pick<Clock, "now">,
): Promise<CollectorsHealth> {
  const reports = await collectorReports(control, clock.now() - silentMs);
  const read = reports.flatMap((report) => {
    // One of a later version may say more, which does not concern this one.
    const parsed = z.array(healthSchema).safeParse(JSON.parse(report));
    return parsed.success ? [parsed.data] : [];
  });
  const of = (vendor: Vendor) => read.flat().filter((each) => each.vendor === vendor);
  return {
    collectors: reports.length,
    vendors: vendors.map((vendor) => of(vendor).reduce(together, unknown(vendor))),
  };
}

/** From the best to the worst: a vendor that one process may ask is asked. */
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

/** A process that asked a vendor for nothing knows less than one which the vendor refused. */
function known({ state, requests }: VendorHealth): (typeof order)[number] {
  return state === "ready" && requests === 0 ? "untried" : state;
}

function unknown(vendor: Vendor): VendorHealth {
  const nothing = { requests: 0, failed: 0, untold: 0, medianMs: null, lastError: null };
  return { vendor, state: "no-credential", until: null, reason: null, ...nothing };
}

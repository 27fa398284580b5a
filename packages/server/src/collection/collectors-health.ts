import { type Vendor, vendors } from "@sightline/contract";
import { z } from "zod";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import type { VendorHealth } from "./collection-counts.ts";
import { collectorReports } from "./store/collector-notes.ts";

/** How often a process notes that it collects. */
export const noteEveryMs = 2_000;
/** One that noted nothing for so long has ended, or hangs. */
const silentMs = 15_000;

/** How vendors stand with all processes that collect. */
export interface CollectorsHealth {
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

import type { Vendor } from "@sightline/contract";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { Clock } from "../../platform/clock.ts";
import type { VendorHealth } from "../collection-counts.ts";
import { collectorsHealth } from "../collectors-health.ts";
import { credentialSettings } from "../credentials.ts";
import type { VendorStanding } from "./vendor-choice.ts";

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

/** What standings are read with. */
export interface StandingTools {
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
export async function vendorStandings({
  control,
  clock,
  vendors,
}: StandingTools): Promise<(vendor: Vendor) => VendorStanding> {
  const { vendors: known } = await collectorsHealth(control, clock);
  const standings = new Map(
    known.map((health) => [health.vendor, standingOf(health, vendors, clock.now())]),
  );
  return (vendor) => standings.get(vendor) ?? { hasCredential: false, fault: noCredential(vendor) };
}

function standingOf(
  { vendor, state, until, reason }: VendorHealth,
  own: readonly Vendor[],
  now: number,
): VendorStanding {
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

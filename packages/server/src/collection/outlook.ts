import type { Control } from "../control/control.ts";
import type { Clock } from "../platform/clock.ts";
import { type CollectorsHealth, collectorsHealth } from "./collectors-health.ts";
import { type Cadence, nextLook } from "./schedule/cadence.ts";
import { cadencesOf } from "./schedule/effective-asks.ts";

/** A cadence, and when it comes next. */
export interface NextSlot extends Cadence {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

/** When an account is asked next, and how those stand who ask and are asked. */
export interface Outlook extends CollectorsHealth {
  /** The first one first. */
  readonly next: readonly NextSlot[];
}

/** Reads the outlook of an account; a workspace of 100,000 prompts takes a while. */
export async function outlookOf(
  { control, clock }: { readonly control: Control; readonly clock: Pick<Clock, "now"> },
  accountId: string,
): Promise<Outlook> {
  const workspace = await control.workspace(accountId);
  const cadences = workspace === null ? [] : cadencesOf(workspace);
  const next = cadences.flatMap((cadence) => {
    const at = nextLook([cadence], clock.now());
    return at === null ? [] : [{ ...cadence, at }];
  });
  const health = await collectorsHealth(control, clock);
  return { next: next.toSorted((one, other) => one.at - other.at), ...health };
}

import { createHash } from "node:crypto";
import type { PartToPublish } from "../control/collection-store.ts";
import type { Control } from "../control/control.ts";
import type { Clock } from "../platform/clock.ts";

/** Sweeps of a provider in succession that fail before anybody is told: one may be an outage. */
export const failedPartsMax = 3;

/** What webhooks are told with. */
export interface FailedPartsTools {
  readonly control: Pick<Control, "failedParts" | "hooks" | "addDelivery" | "sweep">;
  readonly clock: Clock;
}

/** How many jobs a part had, and how many of them gave an answer. */
export interface PartOutcome {
  readonly jobs: number;
  readonly done: number;
}

/**
 * Notes an event for the account's webhooks when a part, which is about to be noted as published,
 * is the third of its provider in succession without any answer. Those that follow are not told of
 * again; noting it twice notes it once.
 */
export async function noteFailedParts(
  { control, clock }: FailedPartsTools,
  part: PartToPublish,
  { jobs, done }: PartOutcome,
): Promise<void> {
  const { accountId, sweepId, slot, provider, surface } = part;
  if (done > 0 || (await control.failedParts(accountId, provider)) !== failedPartsMax - 1) return;
  const sweep = await control.sweep(accountId, sweepId);
  if (sweep === null || sweep.cancelledAt !== null) return;
  const found = sweep.parts.find((each) => each.provider === provider && each.surface === surface);
  const now = clock.now();
  for (const hook of await control.hooks(accountId)) {
    if (!hook.events.includes("collection-failed") || hook.disabledAt !== null) continue;
    const id = eventId(hook.id, part);
    const data = {
      ...{ sweepId, slot: new Date(slot).toISOString(), provider, surface },
      ...{ jobs, failedSweeps: failedPartsMax, reasons: found?.failed ?? [] },
    };
    const timestamp = new Date(now).toISOString();
    const body = JSON.stringify({ id, type: "collection-failed", timestamp, data });
    const event = { id, hookId: hook.id, event: "collection-failed", body, nextAt: now } as const;
    await control.addDelivery(accountId, event);
  }
}

/** Of a webhook's event about a part, always the same. */
function eventId(hookId: string, { sweepId, provider, surface }: PartToPublish): string {
  const named = `${hookId} collection-failed ${sweepId} ${provider} ${surface}`;
  return `msg_${createHash("sha256").update(named).digest("hex").slice(0, 32)}`;
}

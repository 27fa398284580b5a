import { createHash } from "node:crypto";
import type { Control } from "../control/control.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { addDelivery } from "../hooks/delivery-store.ts";
import { hooksOf } from "../hooks/hook-store.ts";
import type { Clock } from "../platform/clock.ts";
import type { PartToPublish } from "./store/collection-store.ts";
import { failedSweeps } from "./store/part-store.ts";

/** Sweeps of a provider in succession that fail before anybody is told: one may be an outage. */
const failedSweepsMax = 3;

/** What webhooks are told with. */
export interface FailedPartsTools {
  readonly control: ControlEngine & Pick<Control, "sweep">;
  readonly clock: Clock;
}

/** How many jobs a part had, and how many of them gave an answer. */
export interface PartOutcome {
  readonly jobs: number;
  readonly done: number;
}

/**
 * Notes an event for the account's webhooks when a part, which is about to be noted as published,
 * makes its sweep the third in succession without any answer of its provider. Those that follow are
 * not told of again; noting it twice notes it once.
 */
export async function noteFailedParts(
  { control, clock }: FailedPartsTools,
  part: PartToPublish,
  { jobs, done }: PartOutcome,
): Promise<void> {
  const { accountId, sweepId, provider, surface } = part;
  if (done > 0 || (await failedSweeps(control, part)) !== failedSweepsMax - 1) return;
  const sweep = await control.sweep(accountId, sweepId);
  if (sweep === null || sweep.cancelledAt !== null) return;
  const ofProvider = sweep.parts.filter((each) => each.provider === provider);
  const [found] = ofProvider.filter((each) => each.surface === surface);
  // On the other surface somebody may have answered, or may yet: the last part to end tells.
  const others = ofProvider.filter((each) => each !== found);
  if (others.some((each) => each.done + each.queued + each.underWay > 0)) return;
  await tell({ control, clock }, part, {
    failedSweeps: failedSweepsMax,
    ...{ jobs, reasons: found?.failed ?? [] },
  });
}

/**
 * Notes an event for the account's webhooks when a part is about to be held back; twice notes it
 * once.
 *
 * @param suspicious why it is held back.
 */
export async function noteHeldPart(
  tools: FailedPartsTools,
  part: PartToPublish,
  suspicious: readonly string[],
): Promise<void> {
  const sweep = await tools.control.sweep(part.accountId, part.sweepId);
  const found = sweep?.parts.find(
    ({ provider, surface }) => provider === part.provider && surface === part.surface,
  );
  if (found === undefined) return;
  const { jobs } = found;
  const reasons = suspicious.map((reason) => ({ reason, jobs }));
  await tell(tools, part, { failedSweeps: 1, heldBack: true, jobs, reasons });
}

/** What an event says in addition to the part. */
interface Told {
  readonly failedSweeps: number;
  readonly heldBack?: true;
  readonly jobs: number;
  readonly reasons: readonly { readonly reason: string; readonly jobs: number }[];
}

async function tell(
  { control, clock }: FailedPartsTools,
  part: PartToPublish,
  told: Told,
): Promise<void> {
  const { accountId, sweepId, slot, provider, surface } = part;
  const now = clock.now();
  for (const hook of await hooksOf(control, accountId)) {
    if (!hook.events.includes("collection-failed") || hook.disabledAt !== null) continue;
    const id = eventId(hook.id, part, told.heldBack === true ? ` ${surface} held` : "");
    const data = { sweepId, slot: new Date(slot).toISOString(), provider, surface, ...told };
    const timestamp = new Date(now).toISOString();
    const body = JSON.stringify({ id, type: "collection-failed", timestamp, data });
    const times = { createdAt: now, nextAt: now };
    const event = { id, hookId: hook.id, event: "collection-failed", body, ...times } as const;
    await addDelivery(control, accountId, event);
  }
}

/** Of a webhook's event about a provider of a sweep, always the same, whichever part tells. */
function eventId(hookId: string, { sweepId, provider }: PartToPublish, kind: string): string {
  const named = `${hookId} collection-failed ${sweepId} ${provider}${kind}`;
  return `msg_${createHash("sha256").update(named).digest("hex").slice(0, 32)}`;
}

import { createHash } from "node:crypto";
import type { HookEvent, ReportMadeEvent } from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import { addDelivery } from "./delivery-store.ts";
import { hooksOf } from "./hook-store.ts";

/** Something to tell of. */
export interface ToldEvent {
  readonly event: HookEvent;
  /** What tells it from other events of a webhook and kind; deterministic. */
  readonly key: string;
  readonly data: object;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A report as its event tells of it, and when it was made; in milliseconds since 1970. */
export type ToldReport = ReportMadeEvent["data"] & { readonly madeAt: number };

/**
 * Queues an event for the account's webhooks that ask for it. Repeating it queues nothing more: an
 * event's id follows from webhook, kind and key.
 */
export async function tellHooks(
  engine: ControlEngine,
  accountId: string,
  { event, key, data, at }: ToldEvent,
): Promise<void> {
  for (const hook of await hooksOf(engine, accountId)) {
    if (!hook.events.includes(event) || hook.disabledAt !== null) continue;
    const id = eventId(hook.id, event, key);
    const timestamp = new Date(at).toISOString();
    const body = JSON.stringify({ id, type: event, timestamp, data });
    const times = { createdAt: at, nextAt: at };
    await addDelivery(engine, accountId, { id, hookId: hook.id, event, body, ...times });
  }
}

/**
 * Queues the event of a report. Called in the transaction that stores the report, it is told of
 * exactly when the report is there.
 */
export function tellReport(
  engine: ControlEngine,
  accountId: string,
  { madeAt: at, ...data }: ToldReport,
): Promise<void> {
  return tellHooks(engine, accountId, { event: "report-made", key: data.reportId, data, at });
}

/** The id of a webhook's event; the same for the same key. */
export function eventId(hookId: string, event: HookEvent, key: string): string {
  const hash = createHash("sha256").update(`${hookId} ${event} ${key}`).digest("hex");
  return `msg_${hash.slice(0, 32)}`;
}

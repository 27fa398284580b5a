import { createHash } from "node:crypto";
import type { ReportMadeEvent } from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import { addDelivery } from "./delivery-store.ts";
import { hooksOf } from "./hook-store.ts";

/** A report as its event tells of it, and when it was made; in milliseconds since 1970. */
export type ToldReport = ReportMadeEvent["data"] & { readonly madeAt: number };

/**
 * Queues the event of a report for the account's webhooks. Called in the transaction that stores
 * the report, it is told of exactly when it is there: an event's id follows from webhook and
 * report, so that repeating it queues nothing more.
 */
export async function tellReport(
  engine: ControlEngine,
  accountId: string,
  { madeAt, ...data }: ToldReport,
): Promise<void> {
  for (const hook of await hooksOf(engine, accountId)) {
    if (!hook.events.includes("report-made") || hook.disabledAt !== null) continue;
    const id = eventId(hook.id, data.reportId);
    const timestamp = new Date(madeAt).toISOString();
    const body = JSON.stringify({ id, type: "report-made", timestamp, data });
    const times = { createdAt: madeAt, nextAt: madeAt };
    const event = { id, hookId: hook.id, event: "report-made", body, ...times } as const;
    await addDelivery(engine, accountId, event);
  }
}

function eventId(hookId: string, reportId: string): string {
  const named = `${hookId} report-made ${reportId}`;
  return `msg_${createHash("sha256").update(named).digest("hex").slice(0, 32)}`;
}

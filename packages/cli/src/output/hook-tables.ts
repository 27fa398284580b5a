import type { ListedDelivery, ListedHook } from "@sightline/contract";
import { plainTable } from "./plain-table.ts";

/** Webhooks as a table. */
export function hooksText(hooks: readonly ListedHook[]): string {
  if (hooks.length === 0) return "There are no webhooks.";
  return plainTable(
    ["webhook", "address", "events", "name", "created", "disabled"],
    hooks.map(({ id, url, events, name, createdAt, disabledAt }) => [
      ...[id, url, events.join(","), name, createdAt, disabledAt],
    ]),
  );
}

/** Deliveries as a table, each with its last attempt. */
export function deliveriesText(deliveries: readonly ListedDelivery[]): string {
  if (deliveries.length === 0) return "There are no deliveries.";
  return plainTable(
    ["delivery", "event", "created", "state", "attempts", "status", "error", "next"],
    deliveries.map(({ id, event, createdAt, state, attempts, nextAttemptAt }) => {
      const { status = null, error = null } = attempts.at(-1) ?? {};
      return [...[id, event, createdAt, state, attempts.length, status, error, nextAttemptAt]];
    }),
  );
}

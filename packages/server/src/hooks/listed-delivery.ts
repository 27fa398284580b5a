import type { ListedDelivery } from "@sightline/contract";
import type { DeliveryRecord } from "./delivery-store.ts";

/** A delivery in the shape of replies, without its body. */
export function listedDelivery(delivery: DeliveryRecord): ListedDelivery {
  const { id, event, createdAt, state, nextAt, attempts } = delivery;
  return {
    id,
    event,
    state,
    createdAt: new Date(createdAt).toISOString(),
    nextAttemptAt: nextAt === null ? null : new Date(nextAt).toISOString(),
    attempts: attempts.map(({ at, ...attempt }) => {
      return { at: new Date(at).toISOString(), ...attempt };
    }),
  };
}

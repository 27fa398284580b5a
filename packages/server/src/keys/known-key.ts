import type { KeyServices } from "./key-services.ts";
import { type KeyRecord, touchKey } from "./key-store.ts";
import type { LimitFields } from "./limits/limits.ts";

/** A verified key and the state of its limits. */
export interface KnownKey {
  readonly record: KeyRecord;
  readonly limitFields: LimitFields;
}

/**
 * Finds a caller's key under the throttle of its address, takes a call from the key's limits, and
 * updates the time of its last use.
 * @returns null: `find` gave none, which counts as a failed exchange.
 * @throws ServiceError rate_limited or quota_exhausted.
 */
export async function knownKey(
  { limits, control, clock, logger, metrics }: KeyServices,
  address: string,
  find: () => Promise<KeyRecord | null>,
): Promise<KnownKey | null> {
  const record = await limits.failedExchanges.lookUp(address, find);
  if (record === null) {
    metrics.failedExchanges.inc();
    return null;
  }
  const limitFields = await limits.take(record);
  await touchKey(control, record.id, clock.now()).catch((error: unknown) => {
    // A full disk must not lock callers out because of a timestamp.
    logger.warn({ keyId: record.id, error: String(error) }, "last use was not noted");
  });
  return { record, limitFields };
}

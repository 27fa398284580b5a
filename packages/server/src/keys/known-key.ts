import type { KeyServices } from "./key-services.ts";
import { type KeyRecord, touchKey } from "./key-store.ts";
import type { LimitFields } from "./limits/limits.ts";

/** A key that a caller has shown, and what is left of its limits. */
export interface KnownKey {
  readonly record: KeyRecord;
  readonly limitFields: LimitFields;
}

/**
 * Looks a caller's key up under the throttle of its address, takes a call from the key's limits,
 * and notes when it was used. Null when `find` gives none, which counts as a failed exchange.
 * @throws ServiceError that of a limit.
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
    // A full disk must not keep anybody out for a note of when the key was used.
    logger.warn({ keyId: record.id, error: String(error) }, "last use was not noted");
  });
  return { record, limitFields };
}

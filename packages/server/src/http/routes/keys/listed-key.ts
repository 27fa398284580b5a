import type { ListedKey } from "@sightline/contract";
import type { KeyRecord } from "../../../control/key-store.ts";

/** A key as replies show it: without its hash. */
export function listedKey(key: KeyRecord): ListedKey {
  return {
    keyId: key.id,
    name: key.name,
    scopes: [...key.scopes],
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: dateTime(key.expiresAt),
    revokedAt: dateTime(key.revokedAt),
    lastUsedAt: dateTime(key.lastUsedAt),
    rate: typeof key.ratePerSecond === "number" ? `${key.ratePerSecond}/s` : key.ratePerSecond,
    quota: key.dailyQuota,
  };
}

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

import { dayMs, type ListedKey } from "@sightline/contract";
import type { AppServices } from "../../../http/app-services.ts";
import type { KeyRecord } from "../../key-store.ts";

/** How keys of an account are shown: without their hash, with the calls of today. */
export async function keyListing(
  { control, limits, clock }: Pick<AppServices, "control" | "limits" | "clock">,
  accountId: string,
): Promise<(key: KeyRecord) => ListedKey> {
  const calls = await control.usageOfDay(accountId, Math.floor(clock.now() / dayMs));
  return (key) => ({
    keyId: key.id,
    name: key.name,
    scopes: [...key.scopes],
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: dateTime(key.expiresAt),
    revokedAt: dateTime(key.revokedAt),
    lastUsedAt: dateTime(key.lastUsedAt),
    rate: typeof key.ratePerSecond === "number" ? `${key.ratePerSecond}/s` : key.ratePerSecond,
    quota: key.dailyQuota,
    callsToday: limits.of(key).dailyQuota === "off" ? null : (calls.get(key.id) ?? 0),
  });
}

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

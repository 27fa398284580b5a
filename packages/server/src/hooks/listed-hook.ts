import type { ListedHook } from "@sightline/contract";
import type { HookRecord } from "./hook-store.ts";

/** A webhook in the shape of replies, without its secret. */
export function listedHook(hook: HookRecord): ListedHook {
  return {
    id: hook.id,
    url: hook.url,
    form: hook.form,
    events: [...hook.events],
    thresholds: [...hook.thresholds],
    name: hook.name,
    createdAt: new Date(hook.createdAt).toISOString(),
    createdBy: hook.createdBy?.name ?? null,
    disabledAt: hook.disabledAt === null ? null : new Date(hook.disabledAt).toISOString(),
  };
}

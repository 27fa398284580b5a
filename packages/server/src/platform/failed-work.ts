import { isEngineAway } from "./engine-away.ts";

/**
 * Why work failed, also that of a thread. `busy`: another process writes control for long;
 * `disk-full`; `away`: an engine of the cluster is; `other`: a fault of ours.
 */
export type WorkFailure = "busy" | "disk-full" | "away" | "other";

/** The reason by an error or what caused it. */
export function whyFailed(error: unknown): WorkFailure {
  if (isEngineAway(error)) return "away";
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as { readonly code?: unknown };
    const text = typeof code === "string" ? code : "";
    if (text === "SQLITE_FULL" || text === "ENOSPC") return "disk-full";
    if (text.startsWith("SQLITE_BUSY")) return "busy";
  }
  return "other";
}

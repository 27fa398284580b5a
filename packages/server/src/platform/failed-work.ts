import { ClickhouseError } from "./clickhouse/clickhouse-error.ts";
import { PostgresUnavailableError } from "./postgres.ts";

/**
 * Whether an error, by its causes, says that an engine of the cluster is away or overloaded: the
 * same work may succeed once it is back, and nothing else is wrong.
 */
export function isEngineAway(error: unknown): boolean {
  if (error instanceof PostgresUnavailableError) return true;
  if (error instanceof ClickhouseError) return error.fault === "unavailable";
  return error instanceof Error && error.cause !== undefined && isEngineAway(error.cause);
}

/**
 * Why work failed, also that of a thread. `busy`: another process writes control for long;
 * `disk-full`; `away`: an engine of the cluster is; `other`: a fault of ours.
 */
type WorkFailure = "busy" | "disk-full" | "away" | "other";

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

/** Whether there was disk space for a change. @throws other errors of the change. */
export async function isWritten(change: () => Promise<void>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (whyFailed(error) === "disk-full") return false;
    throw error;
  }
}

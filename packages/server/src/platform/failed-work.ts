import { isEngineAway } from "./engine-away.ts";

/**
 * Why a thread could not do what it was told. `busy`: another process writes control for long;
 * `disk-full`; `away`: an engine of the cluster is; `other`: a fault of ours.
 */
export type WorkFailure = "busy" | "disk-full" | "away" | "other";

/** What a thread replies when it failed: errors do not come through with their class. */
export interface FailedWork {
  readonly kind: "failed";
  readonly why: WorkFailure;
  /** For the log. */
  readonly reason: string;
}

/** A thread could not do what it was told. */
export class FailedWorkError extends Error {
  readonly why: WorkFailure;

  constructor({ why, reason }: Pick<FailedWork, "why" | "reason">) {
    super(reason);
    this.name = "FailedWorkError";
    this.why = why;
  }
}

/** An error, as a thread replies it. */
export function failedWork(error: unknown): FailedWork {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: "failed", why: whyFailed(error), reason };
}

/** Why work failed, by an error or what caused it. */
export function whyFailed(error: unknown): WorkFailure {
  if (error instanceof FailedWorkError) return error.why;
  if (isEngineAway(error)) return "away";
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as { readonly code?: unknown };
    const text = typeof code === "string" ? code : "";
    if (text === "SQLITE_FULL" || text === "ENOSPC") return "disk-full";
    if (text.startsWith("SQLITE_BUSY")) return "busy";
  }
  return "other";
}

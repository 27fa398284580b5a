import type { StoragePlace } from "../platform/cluster-address.ts";
import { Thread } from "../platform/thread.ts";

/** A workspace file to be applied to an account. */
export interface ApplyOrder {
  readonly accountId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: "json" | "yaml";
  readonly dryRun: boolean;
  /** As `Control.apply` has it. */
  readonly ifRevision: readonly number[] | null;
}

/** A document as JSON, and the revision of its workspace. */
export interface WrittenFile {
  readonly json: Uint8Array<ArrayBuffer>;
  /** Of the workspace; a workspace file may be newer. */
  readonly revision: number;
}

/** What the thread does, one call after another. */
export interface ApplyApi {
  /** The report. @throws ServiceError when the file is refused, or its revision is not allowed. */
  readonly apply: (order: ApplyOrder) => Promise<WrittenFile>;
  /** The workspace file of an account that exists; applying it changes nothing. */
  readonly file: (accountId: string) => Promise<WrittenFile>;
}

/**
 * Reads, applies and writes workspace files in a thread of its own: a file of 100,000 prompts or
 * 50,000 names takes seconds.
 */
export type ApplyThread = Thread<ApplyApi>;

/**
 * The largest file takes 600 MB while it is read; a thread keeps that until it ends. It starts
 * again within 200 ms.
 */
const bounds = { heapMb: 768, idleMs: 10_000 };

/** The thread over control and records. */
export function applyThread(place: StoragePlace): ApplyThread {
  return new Thread(new URL("../apply-worker.ts", import.meta.url), place, bounds);
}

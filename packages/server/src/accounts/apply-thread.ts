import type { ControlEngine } from "../control/control-engine.ts";
import type { KeyProperties } from "../keys/key-ring.ts";
import type { Actor } from "../platform/actor.ts";
import type { StoragePlace } from "../platform/cluster-address.ts";
import { Thread } from "../platform/thread.ts";
import { storesMoreThan } from "./account-store.ts";

/** A workspace file to be applied to an account. */
export interface ApplyOrder {
  readonly accountId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: "json" | "yaml";
  readonly dryRun: boolean;
  /** As `applyWorkspace` has it. */
  readonly ifRevision: readonly number[] | null;
  readonly by: Actor;
}

/** An account to be created, of which nothing is known yet. */
export interface CreateOrder {
  readonly accountId: string;
  /** The workspace file, as JSON. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly key: KeyProperties;
  /** When the link was made that allows the service's first account; null: there are others. */
  readonly firstSince: number | null;
  readonly by: Actor;
}

/** The first key of an account that was created. */
export interface FirstKey {
  readonly keyId: string;
  readonly key: string;
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
  /** Creates an account with its first key. @throws ServiceError when the file is refused. */
  readonly create: (order: CreateOrder) => Promise<FirstKey>;
  /** The workspace file of an account that exists; applying it changes nothing. */
  readonly file: (accountId: string) => Promise<WrittenFile>;
}

/**
 * Reads, applies and writes workspace files in a thread of its own: a file of 100,000 prompts or
 * 50,000 names takes seconds.
 */
type ApplyThread = Thread<ApplyApi>;

/**
 * The largest file takes 600 MB while it is read; a thread keeps that until it ends. It starts
 * again within 200 ms.
 */
const bounds = { heapMb: 768, idleMs: 10_000 };

/** Work on a file: what is small takes some 50 ms, what is large takes up to several seconds. */
export type FileWork = "small" | "large";

/** The most that small work reads: of a file, and of what its account stores. */
const smallMax = { bytes: 256 * 1024, rows: 2_500 };

/** How much work a file is, which an account sends, or which is written when no bytes are given. */
export async function fileWorkOf(
  control: ControlEngine,
  accountId: string,
  bytes = 0,
): Promise<FileWork> {
  if (bytes > smallMax.bytes) return "large";
  return (await storesMoreThan(control, accountId, smallMax.rows)) ? "large" : "small";
}

/**
 * Threads over control and records. Large files have one, and small ones another, so that no
 * account waits for the large files of others.
 */
export interface ApplyThreads extends Readonly<Record<FileWork, ApplyThread>> {
  readonly close: () => Promise<void>;
}

/** The threads, which start when they are first needed. */
export function applyThreads(place: StoragePlace): ApplyThreads {
  const begin = (): ApplyThread =>
    new Thread(new URL("./apply-worker.ts", import.meta.url), place, bounds);
  const [small, large] = [begin(), begin()];
  return {
    small,
    large,
    close: async () => void (await Promise.all([small.close(), large.close()])),
  };
}

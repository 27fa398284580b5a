import type { WorkspacePreviewRequest, WorkspacePreviewResponse } from "@sightline/contract";
import type { StoragePlace } from "../../platform/cluster-address.ts";
import { QueryQueue } from "../../platform/query-queue.ts";
import { type Call, Thread } from "../../platform/thread.ts";
import { untilAborted } from "../../platform/until-aborted.ts";

/** Where the thread of previews reads, and for how long. */
export interface PreviewPlace extends StoragePlace {
  readonly readingMs: number;
}

/** What the thread of previews does, two calls at a time. */
export interface PreviewApi {
  /** @throws ServiceError when the names or domains are refused; the signal's reason. */
  readonly preview: (
    accountId: string,
    request: WorkspacePreviewRequest,
    call: Call,
  ) => Promise<WorkspacePreviewResponse>;
}

/** Compiled names take up to 50 MB, twice for each of two previews. */
const bounds = { heapMb: 512, idleMs: 10_000 };

/** A preview reads for seconds: an account has one at a time, so that none holds up the others. */
const limits = { running: 2, runningPerAccount: 1, waitingPerAccount: 2 };

/** Reads answers by names that are not stored, in a thread of its own: that blocks for seconds. */
export class Previews {
  readonly #thread: Thread<PreviewApi>;
  readonly #queue = new QueryQueue(limits);

  /** @param questionSeconds half of them may be spent with reading answers. */
  constructor(storage: StoragePlace, questionSeconds: number) {
    const place: PreviewPlace = { ...storage, readingMs: questionSeconds * 500 };
    this.#thread = new Thread(new URL("./preview-worker.ts", import.meta.url), place, bounds);
  }

  /** @throws ServiceError when it is refused, or too many of the account wait. */
  of(
    accountId: string,
    request: WorkspacePreviewRequest,
    signal: AbortSignal,
  ): Promise<WorkspacePreviewResponse> {
    return this.#queue.run(accountId, signal, () =>
      untilAborted(this.#thread.with({ signal }).preview(accountId, request), signal),
    );
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

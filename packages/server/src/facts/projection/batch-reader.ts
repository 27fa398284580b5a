import { type ContentRange, OtherRecordError, RecordError } from "../../answers/answer-store.ts";
import type { AnswerStoreAddress } from "../../answers/open-answer-store.ts";
import { Thread } from "../../platform/thread.ts";
import type { FactRows } from "../columns.ts";
import { promptLines, type Snapshot, type SnapshotEntity } from "../snapshot.ts";

/** Which answers become facts: a range of an account's record, by a snapshot. */
interface BatchRequest {
  readonly accountId: string;
  readonly snapshotKey: string;
  readonly range: ContentRange;
}

/** Of a snapshot, what extracting takes. */
export interface SentSnapshot {
  readonly entities: readonly SnapshotEntity[];
  readonly names: number | null;
  /** See promptLines. */
  readonly prompts: string;
}

/** A snapshot, with another key for each that extracts otherwise. */
export interface KeyedSnapshot {
  readonly key: string;
  readonly snapshot: Snapshot;
}

/** What the thread does, one call after another. */
export interface BatchApi {
  /**
   * The facts of the range; null when it is empty; `unknown snapshot`: the thread has another one.
   * @param snapshot null: that of the call before, so that its prompts are not copied again.
   */
  readonly read: (
    request: BatchRequest,
    snapshot: SentSnapshot | null,
  ) => Promise<FactRows | null | "unknown snapshot">;
}

/** Texts are read and dropped: left to itself, the thread lets 128 MB of them pile up. */
const youngMb = 8;

/**
 * Reads the record and extracts in a thread of its own, one batch at a time: both are synchronous
 * and long.
 */
export class BatchReader {
  readonly #thread: Thread<BatchApi>;

  constructor(address: AnswerStoreAddress) {
    const file = new URL("./batch-worker.ts", import.meta.url);
    this.#thread = new Thread(file, address, {
      youngMb,
      errors: { OtherRecordError, RecordError },
    });
  }

  /**
   * The facts of the next answers; null when there are none.
   * @throws OtherRecordError when the record does not have the mark; RecordError; what the
   * extraction fails with.
   */
  async read(
    accountId: string,
    { key, snapshot }: KeyedSnapshot,
    range: ContentRange,
  ): Promise<FactRows | null> {
    const request = { accountId, snapshotKey: key, range };
    const known = await this.#thread.api.read(request, null);
    if (known !== "unknown snapshot") return known;
    const rows = await this.#thread.api.read(request, await sentOf(snapshot));
    if (rows === "unknown snapshot") throw new Error(`the snapshot ${key} never came`);
    return rows;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

const sentSnapshots = new WeakMap<Snapshot, Promise<SentSnapshot>>();

function sentOf(snapshot: Snapshot): Promise<SentSnapshot> {
  const { entities, names } = snapshot;
  const sent =
    sentSnapshots.get(snapshot) ??
    promptLines(snapshot).then((prompts) => ({ entities, names, prompts }));
  sentSnapshots.set(snapshot, sent);
  return sent;
}

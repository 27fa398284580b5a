import { useCallback, useSyncExternalStore } from "react";
import { useAccount } from "../data/account.ts";
import { askBeforeLeaving } from "../data/leaving.ts";
import { useChanged } from "../data/managed.ts";
import { randomId } from "../data/random-id.ts";
import { linesAt, type UploadResult, upload } from "./upload.ts";

/** A file that is imported, or was. */
export interface Upload {
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  readonly sentBytes: number;
  /** Null: not yet. */
  readonly result: UploadResult | null;
  /** What the rejected lines are, by number. */
  readonly lines: ReadonlyMap<number, string>;
  /** Null: none. An AbortError: it was cancelled. */
  readonly error: Error | null;
  readonly cancel: () => void;
}

/** By account, the latest last. They go on while other pages are shown. */
const uploads = new Map<string, readonly Upload[]>();
const none: readonly Upload[] = [];
const changed = new EventTarget();

function subscribe(listener: () => void): () => void {
  changed.addEventListener("change", listener);
  return () => changed.removeEventListener("change", listener);
}

function put(accountId: string, list: readonly Upload[]): void {
  uploads.set(accountId, list);
  changed.dispatchEvent(new Event("change"));
}

function patch(accountId: string, key: string, part: Partial<Upload>): void {
  const list = uploads.get(accountId) ?? none;
  put(
    accountId,
    list.map((each) => (each.key === key ? { ...each, ...part } : each)),
  );
}

/** A file that may be imported. */
export interface UploadedFile {
  readonly name: string;
  readonly content: Blob;
}

/** The uploads of the account, one that begins them, and one that clears those that ended. */
export function useUploads() {
  const { id } = useAccount();
  const list = useSyncExternalStore(subscribe, () => uploads.get(id) ?? none);
  const changedNow = useChanged();
  const begin = useCallback(
    async (files: readonly UploadedFile[]): Promise<void> => {
      // One after another: an account records one import at a time.
      for (const file of files) {
        await run(id, file);
        changedNow();
      }
    },
    [id, changedNow],
  );
  const clear = (key: string) =>
    put(
      id,
      list.filter((each) => each.key !== key),
    );
  return { list, begin, clear };
}

let running = 0;

/** A tab that is closed or loaded again cuts an upload off: the browser asks while one runs. */
function ended(): void {
  running -= 1;
  askBeforeLeaving("upload", running > 0);
}

async function run(accountId: string, { name, content }: UploadedFile): Promise<void> {
  const key = randomId();
  const aborting = new AbortController();
  const begun: Upload = {
    ...{ key, name, bytes: content.size, sentBytes: 0, result: null, lines: new Map() },
    error: null,
    cancel: () => aborting.abort(),
  };
  put(accountId, [...(uploads.get(accountId) ?? none), begun]);
  running += 1;
  askBeforeLeaving("upload", true);
  try {
    const { signal } = aborting;
    const onSent = (sentBytes: number) => patch(accountId, key, { sentBytes });
    const sent = upload({ accountId, name, content, signal, onSent });
    const result = await sent.finally(ended);
    patch(accountId, key, { result, sentBytes: content.size });
    const wanted = new Set(result.errors.map(({ line }) => line));
    if (wanted.size === 0) return;
    // A file that is gone or changed by now cannot be read, and was imported all the same.
    const lines = await linesAt(content, name, wanted).catch(() => begun.lines);
    patch(accountId, key, { lines });
  } catch (error) {
    patch(accountId, key, { error: error as Error });
  }
}

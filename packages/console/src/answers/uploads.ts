import { ApiError } from "@sightline/client";
import { useCallback, useSyncExternalStore } from "react";
import { useAccount } from "../data/account.ts";
import { askBeforeLeaving } from "../data/leaving.ts";
import { useChanged } from "../data/managed.ts";
import { randomId } from "../data/random-id.ts";

/** A file that is imported, or was. */
export interface Upload {
  readonly key: string;
  readonly name: string;
  /** What is sent, to be sent again where that fails. */
  readonly file: UploadedFile;
  readonly bytes: number;
  readonly sentBytes: number;
  /** Null: not yet. */
  readonly result: UploadResult | null;
  /** What the rejected lines are, by number. */
  readonly lines: ReadonlyMap<number, string>;
  /** Of a table, the row that each line was read from; null: lines are the file's own. */
  readonly rowNumbers: Uint32Array | null;
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
  /** Of a table that was mapped to lines: the row of each. */
  readonly rowNumbers?: Uint32Array;
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

async function run(accountId: string, file: UploadedFile): Promise<void> {
  const { name, content, rowNumbers = null } = file;
  const mediaType = rowNumbers === null ? mediaTypeOf(name) : "application/x-ndjson";
  const key = randomId();
  const aborting = new AbortController();
  const begun: Upload = {
    key,
    name,
    file,
    bytes: content.size,
    sentBytes: 0,
    result: null,
    lines: new Map(),
    rowNumbers,
    error: null,
    cancel: () => aborting.abort(),
  };
  put(accountId, [...(uploads.get(accountId) ?? none), begun]);
  running += 1;
  askBeforeLeaving("upload", true);
  try {
    const { signal } = aborting;
    const onSent = (sentBytes: number) => patch(accountId, key, { sentBytes });
    const sent = upload({ accountId, name, content, mediaType, signal, onSent });
    const result = await sent.finally(ended);
    patch(accountId, key, { result, sentBytes: content.size });
    const wanted = new Set(result.errors.map(({ line }) => line));
    if (wanted.size === 0) return;
    // A file that is gone or changed by now cannot be read, and was imported all the same.
    if (rowNumbers === null && /\.(gz|zst)$/i.test(name)) return;
    const lines = await linesAt(content, wanted).catch(() => begun.lines);
    patch(accountId, key, { lines });
  } catch (error) {
    patch(accountId, key, { error: error as Error });
  }
}

/** What became of the lines of a file. */
interface UploadResult {
  readonly importId: string;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly warnings: number;
  /** Faults of the first hundred rejected lines. */
  readonly errors: readonly LineFault[];
}

/** A fault of a rejected line. */
export interface LineFault {
  /** From 1. */
  readonly line: number;
  /** JSON Pointer into the line; empty: the whole line. */
  readonly path: string;
  readonly message: string;
}

interface UploadOptions {
  readonly accountId: string;
  readonly name: string;
  readonly content: Blob;
  readonly mediaType: string;
  readonly signal: AbortSignal;
  /** Called with the bytes that were sent. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Records a file of answers in one call, so that it is one import, which can be undone as one; the
 * client sends parts, each of which would be an import. XMLHttpRequest is what tells how much of a
 * file was sent. Compressed files go as they are: the service sees what they are.
 * @throws ApiError as the client does; Error when the service was not reached; AbortError.
 */
function upload({ accountId, name, content, mediaType, signal, onSent }: UploadOptions) {
  return new Promise<UploadResult>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const source = new URLSearchParams({ source: sourceOf(name) });
    const path = `/console/accounts/${encodeURIComponent(accountId)}/v1/answers`;
    request.open("POST", `${path}?${source}`);
    request.setRequestHeader("Sightline-Console", "1");
    request.setRequestHeader("Content-Type", mediaType);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onerror = () =>
      reject(
        new Error("The connection was lost. Accepted answers are recorded. Send the file again."),
      );
    request.onabort = () => reject(new DOMException("The upload was cancelled.", "AbortError"));
    request.onload = () => {
      const reply: unknown = parsed(request.responseText);
      if (request.status === 200) resolve(reply as UploadResult);
      else reject(refusal(request.status, reply));
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(content);
  });
}

/** As the service takes it: a file may have any name. */
export function sourceOf(name: string): string {
  const readable = name.replaceAll(
    /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    "\ufffd",
  );
  return [...readable].slice(0, 255).join("") || "file";
}

/** By the name, as the command tells them apart. */
function mediaTypeOf(name: string): string {
  return /\.csv(\.(gz|zst))?$/i.test(name) ? "text/csv" : "application/x-ndjson";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // a page of something between
  }
}

function refusal(status: number, reply: unknown): ApiError {
  const problem = (reply ?? {}) as Readonly<Record<string, unknown>>;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return new ApiError({
    status,
    code: text(problem["code"]),
    detail: text(problem["detail"]) ?? `The service replied with ${status}.`,
    requestId: text(problem["requestId"]),
    errors: [],
    retryAfter: undefined,
  });
}

/** What stands at some lines of a plain file, by their numbers. */
async function linesAt(
  content: Blob,
  lines: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const last = Math.max(0, ...lines);
  const reader = content.stream().pipeThrough(new TextDecoderStream()).getReader();
  let [number, begun] = [1, ""];
  while (number <= last) {
    const { value, done } = await reader.read();
    const parts = done ? [begun, ""] : `${begun}${value}`.split("\n");
    begun = parts.pop() ?? "";
    for (const line of parts) {
      if (lines.has(number)) found.set(number, line);
      number += 1;
    }
    if (done) break;
  }
  await reader.cancel();
  return found;
}

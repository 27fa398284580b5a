import { once } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { FieldError } from "@sightline/contract";
import type { WorkFailure } from "../../platform/failed-work.ts";
import type { AnswerStoreAddress } from "../open-answer-store.ts";
import type { AnswersFormat, ImportTally } from "./import-answers.ts";

/** A rejected line, as a sender is told of it. */
export interface RejectedLineReport {
  /** From 1. */
  readonly line: number;
  /** Empty: the line cannot be read at all. */
  readonly errors: readonly FieldError[];
  readonly reason: string;
}

/** What became of a stream of answers. */
export interface StreamImport extends ImportTally {
  readonly importId: string;
  /** The first of them, at most rejectedReportsMax. */
  readonly rejectedLines: readonly RejectedLineReport[];
}

/** The rejected lines that a sender is told of; the tally counts all. */
export const rejectedReportsMax = 100;

/** Why a stream was not imported to its end. What was accepted before is recorded. */
export class BrokenImportError extends Error {
  readonly kind: BrokenImport;
  /** Null: the thread ended, and did not say. */
  readonly tally: ImportTally | null;

  constructor(kind: BrokenImport, message: string, tally: ImportTally | null) {
    super(message);
    this.name = "BrokenImportError";
    this.kind = kind;
    this.tally = tally;
  }
}

/**
 * `body`: its compression is damaged, the first line of its CSV names no columns, or it ended
 * early. `stopped`: by the caller's signal.
 */
export type BrokenImport = "body" | "stopped" | WorkFailure;

/** What the thread is told of one import, on the import's own port. */
export type ImportMessage =
  /** `givesWay`: somebody asks questions, and the thread leaves them the processor now and then. */
  | { readonly kind: "chunk"; readonly bytes: Uint8Array; readonly givesWay: boolean }
  | { readonly kind: "end" }
  | { readonly kind: "cut-off" }
  /** Ends the import before the chunks that were sent, and before the next commit. */
  | { readonly kind: "stop" };

/** What it replies; `taken` after each chunk. */
export type ImportNotice =
  | { readonly kind: "taken" }
  | { readonly kind: "done"; readonly result: StreamImport }
  | {
      readonly kind: "broken";
      readonly why: BrokenImport;
      readonly error: string;
      readonly tally: ImportTally;
    };

/** What a sender says of a stream. */
export interface StreamOrigin {
  readonly format: AnswersFormat;
  /** As the list of imports says it. */
  readonly source: string;
}

/** Begins an import. */
export interface ImportBeginning extends StreamOrigin {
  readonly accountId: string;
  readonly port: MessagePort;
}

/** A stream of answers as a service takes it. */
export interface StreamOptions extends StreamOrigin {
  /** Ends the import: nobody waits for it, or its sender may no longer import. */
  readonly signal: AbortSignal;
}

/** Chunks on their way to the thread: enough for it to go on, and little memory. */
const chunksUnderWay = 8;

const workerFile = new URL("./import-worker.ts", import.meta.url);

/**
 * Imports streams of answers in a thread of its own: judging lines and waiting for the disk both
 * block. The thread starts with the first import, and one that dies is replaced by the next.
 */
export class ImportThread {
  readonly #address: AnswerStoreAddress;
  readonly #isAsked: () => boolean;
  #worker: Worker | null = null;

  /** @param isAsked whether somebody asks questions now: imports then leave them the processor. */
  constructor(address: AnswerStoreAddress, isAsked: () => boolean) {
    this.#address = address;
    this.#isAsked = isAsked;
  }

  /**
   * Records the answers of a stream: plain, gzip or zstd.
   * @throws BrokenImportError; what is left of the stream is read and dropped.
   */
  async import(
    accountId: string,
    chunks: AsyncIterable<Buffer>,
    { signal, ...origin }: StreamOptions,
  ): Promise<StreamImport> {
    const { port1: port, port2 } = new MessageChannel();
    const worker = this.#started();
    const stopped = new AbortController();
    const ended = endOf(worker, stopped.signal);
    const beginning: ImportBeginning = { accountId, ...origin, port: port2 };
    worker.postMessage(beginning, [port2]);
    const sender = new Sender(port, this.#isAsked);
    const stop = () => sender.stop();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      const outcome = sender.outcome();
      const sent = sender.send(chunks);
      // Whichever fails first is the reason; the other one ends with the port.
      await Promise.race([Promise.all([sent, outcome]), outcome, ended]);
      return await outcome;
    } finally {
      stopped.abort();
      signal.removeEventListener("abort", stop);
      ended.catch(() => undefined);
      sender.over();
      port.close();
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(workerFile, {
      workerData: this.#address,
      resourceLimits: { maxYoungGenerationSizeMb: 8 }, // lines are garbage immediately
    });
    const forget = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on("error", forget).on("exit", forget);
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}

/** @throws BrokenImportError when the thread ends, or when nobody waits for that any more. */
async function endOf(worker: Worker, signal: AbortSignal): Promise<never> {
  // `once` fails with what the thread died of, such as a lack of memory.
  const why = await once(worker, "exit", { signal }).then(() => "", String);
  throw new BrokenImportError("other", `the importing thread ended ${why}`, null);
}

/** Sends a stream to the thread, no faster than it takes it. */
class Sender {
  readonly #port: MessagePort;
  readonly #isAsked: () => boolean;
  #free = chunksUnderWay;
  #wake: () => void = () => undefined;
  #isOver = false;

  constructor(port: MessagePort, isAsked: () => boolean) {
    this.#port = port;
    this.#isAsked = isAsked;
  }

  /** What becomes of the import. @throws BrokenImportError. */
  outcome(): Promise<StreamImport> {
    return new Promise((resolve, reject) => {
      this.#port.on("message", (notice: ImportNotice) => {
        if (notice.kind === "taken") {
          this.#free++;
          this.#wake();
        } else this.over();
        if (notice.kind === "done") resolve(notice.result);
        if (notice.kind === "broken") {
          reject(new BrokenImportError(notice.why, notice.error, notice.tally));
        }
      });
    });
  }

  /** From now on the thread takes nothing. */
  over(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** What was recorded so far stays, and is told as of a stream that breaks off. */
  stop(): void {
    this.#port.postMessage({ kind: "stop" } satisfies ImportMessage);
  }

  /** A stream that breaks off is told to the thread, which then says what was recorded. */
  async send(chunks: AsyncIterable<Buffer>): Promise<void> {
    try {
      for await (const chunk of chunks) {
        await this.#room();
        // Read to its end all the same: the connection's next request comes behind it.
        if (this.#isOver) continue;
        const bytes = new Uint8Array(chunk); // a copy: the socket's buffer is used again
        this.#free--;
        const message: ImportMessage = { kind: "chunk", bytes, givesWay: this.#isAsked() };
        this.#port.postMessage(message, [bytes.buffer]);
      }
      this.#port.postMessage({ kind: "end" } satisfies ImportMessage);
    } catch {
      this.#port.postMessage({ kind: "cut-off" } satisfies ImportMessage);
    }
  }

  async #room(): Promise<void> {
    while (this.#free === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

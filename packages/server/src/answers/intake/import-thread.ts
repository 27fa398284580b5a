import type { FieldError } from "@sightline/contract";
import type { Actor } from "../../platform/actor.ts";
import { type Call, moving, Thread } from "../../platform/thread.ts";
import type { LabelTally } from "../labels/import-labels.ts";
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

/** What became of a stream of labels. */
export interface LabelsImport extends LabelTally, Pick<StreamImport, "rejectedLines"> {}

/** The rejected lines that a sender is told of; the tally counts all. */
export const rejectedReportsMax = 100;

/** Why a stream was not imported to its end. What was accepted before is recorded. */
export class BrokenImportError extends Error {
  readonly kind: BrokenImport;
  /** Null: the thread ended, and did not say. */
  readonly tally: LabelTally | null;

  constructor(kind: BrokenImport, cause: unknown, tally: LabelTally | null) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "BrokenImportError";
    this.kind = kind;
    this.tally = tally;
  }
}

/**
 * `body`: its compression is damaged, the first line of its CSV names no columns, or it ended
 * early. `stopped`: by the caller's signal. `failed`: by its cause.
 */
export type BrokenImport = "body" | "stopped" | "failed";

/** What a sender says of a stream. */
export interface StreamOrigin {
  readonly format: AnswersFormat;
  /** As the list of imports says it. */
  readonly source: string;
  /** Its sender. */
  readonly by: Actor;
}

/** How a service takes a stream. */
interface Stoppable {
  /** Ends the import: nobody waits for it, or its sender may no longer import. */
  readonly signal: AbortSignal;
}

/** A stream of answers as a service takes it. */
export interface StreamOptions extends StreamOrigin, Stoppable {}

/** A part of a stream on its way to the thread. */
export interface ImportChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Somebody asks questions, and the thread leaves them the processor now and then. */
  readonly givesWay: boolean;
}

/** Whose stream it is, and what its sender says of it. */
export interface ImportOrder extends StreamOrigin {
  readonly accountId: string;
}

/** What the thread does, for several streams at a time. */
export interface ImportApi {
  /** Plain, gzip or zstd. @throws BrokenImportError; with the signal before the next commit. */
  readonly import: (order: ImportOrder, call: Call<ImportChunk>) => Promise<StreamImport>;
  /** The same of labels. */
  readonly importLabels: (
    order: Omit<ImportOrder, "source">,
    call: Call<ImportChunk>,
  ) => Promise<LabelsImport>;
}

/** Lines are garbage immediately. */
const youngMb = 8;

/**
 * Imports streams of answers in a thread of its own: judging lines and waiting for the disk both
 * block.
 */
export class ImportThread {
  readonly #thread: Thread<ImportApi>;
  readonly #isAsked: () => boolean;

  /** @param isAsked whether somebody asks questions now: imports then leave them the processor. */
  constructor(address: AnswerStoreAddress, isAsked: () => boolean) {
    const file = new URL("./import-worker.ts", import.meta.url);
    this.#thread = new Thread(file, address, { youngMb, errors: { BrokenImportError } });
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
    const thread = this.#thread.with({ signal, items: this.#sent(chunks) });
    return sent(thread.import({ accountId, ...origin }));
  }

  /** Stores the labels of a stream, as `import` does answers. @throws as import. */
  async importLabels(
    accountId: string,
    chunks: AsyncIterable<Buffer>,
    { signal, ...origin }: Omit<StreamOptions, "source">,
  ): Promise<LabelsImport> {
    const thread = this.#thread.with({ signal, items: this.#sent(chunks) });
    return sent(thread.importLabels({ accountId, ...origin }));
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async *#sent(chunks: AsyncIterable<Buffer>): AsyncGenerator<ImportChunk> {
    for await (const chunk of chunks) {
      const bytes = new Uint8Array(chunk); // a copy: the socket's buffer is used again
      yield moving({ bytes, givesWay: this.#isAsked() }, [bytes.buffer]);
    }
  }
}

async function sent<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof BrokenImportError) throw error;
    throw new BrokenImportError("failed", error, null); // it did not begin, or died
  }
}

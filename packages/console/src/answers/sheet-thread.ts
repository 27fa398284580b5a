import type { SheetMapping, TableFormat } from "@sightline/sheets";
import type { ExportFile } from "@sightline/sheets/export-files";
import type {
  Edits,
  OpenedSheet,
  SheetHead,
  SheetReading,
  UnknownPrompt,
} from "@sightline/sheets/sheet-file";
import { PartError } from "../data/later.ts";

/** The address of the worker's file, which the build knows. */
declare const SHEET_WORKER: string;

/** What files are, and the export of another tool that was joined. */
export interface OpenedFiles extends OpenedSheet {
  /** Null: a table by itself. */
  readonly source: {
    readonly title: string;
    readonly hasAnswers: boolean;
    /** Those that its tables declare. */
    readonly prompts: readonly UnknownPrompt[];
  } | null;
}

/** A call of the worker, by a number that its reply has too. */
export interface SheetAsked {
  readonly id: number;
  readonly call:
    | { readonly name: "groups" | "open"; readonly files: readonly ExportFile[] }
    | { readonly name: "head"; readonly format: TableFormat }
    | {
        readonly name: "read";
        readonly mapping: SheetMapping;
        readonly edits: Edits;
        readonly prompts: readonly string[] | null;
      };
}

/** What the worker says: its reply, or why there is none, in words for a reader. */
export type SheetReplied = { readonly id: number } & (
  | { readonly reply: unknown }
  | { readonly error: string }
);

function named(file: File): ExportFile {
  return { name: file.name, content: file };
}

/** A table in a file, read by a worker. */
export class SheetThread {
  readonly #worker = new Worker(SHEET_WORKER, { type: "module" });
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<SheetReplied>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("error" in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.reply);
    };
    // Its file cannot be fetched, or it ran out of memory.
    this.#worker.onerror = () => {
      for (const each of this.#waiting.values()) each.reject(new PartError(false));
      this.#waiting.clear();
    };
  }

  /** Which files are read together, by their places. */
  groups(files: readonly File[]): Promise<readonly (readonly number[])[]> {
    const call = { name: "groups", files: files.map(named) } as const;
    return this.#call(call) as Promise<readonly (readonly number[])[]>;
  }

  open(files: readonly File[]): Promise<OpenedFiles> {
    return this.#call({ name: "open", files: files.map(named) }) as Promise<OpenedFiles>;
  }

  head(format: TableFormat): Promise<SheetHead> {
    return this.#call({ name: "head", format }) as Promise<SheetHead>;
  }

  /** Prompts: those that are tracked; null: not known. */
  read(
    mapping: SheetMapping,
    edits: Edits,
    prompts: readonly string[] | null,
  ): Promise<SheetReading> {
    return this.#call({ name: "read", mapping, edits, prompts }) as Promise<SheetReading>;
  }

  close(): void {
    this.#worker.terminate();
  }

  #call(call: SheetAsked["call"]): Promise<unknown> {
    this.#last += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#last, waiting);
    this.#worker.postMessage({ id: this.#last, call } satisfies SheetAsked);
    return waiting.promise;
  }
}

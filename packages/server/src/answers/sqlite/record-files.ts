import { rmSync, statSync } from "node:fs";
import type { Clock } from "../../platform/clock.ts";
import type { DataFolder } from "../../platform/data-folder.ts";
import { OtherRecordError, RecordError } from "../answer-store.ts";
import { type AccountRecord, openAccountRecord } from "./account-record.ts";

/** The maximum number of open account files; the least recently used one is closed first. */
const openRecordsMax = 256;
/** One call of the file system for each open file: a thousandth of a core. */
const closeErasedEveryMs = 1_000;

interface OpenRecord {
  readonly record: AccountRecord;
  /** Identity of the file, independent of its name. */
  readonly file: string | null;
}

/** The accounts' files, each opened when it is used. */
export class RecordFiles {
  readonly #folder: DataFolder;
  readonly #clock: Clock;
  readonly #open = new Map<string, OpenRecord>();
  #timer: NodeJS.Timeout | null = null;

  constructor(folder: DataFolder, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** An account's record, whose file is made if necessary. */
  of(accountId: string): AccountRecord {
    const path = this.#folder.account(accountId).answers;
    const found = this.#open.get(accountId);
    // A connection keeps its file when another one replaces it.
    if (found !== undefined && found.file !== null && found.file === fileAt(path)) {
      this.#open.delete(accountId);
      this.#open.set(accountId, found);
      return found.record;
    }
    this.#close(accountId);
    const record = openAccountRecord(path, this.#clock);
    this.#open.set(accountId, { record, file: fileAt(path) });
    this.#timer ??= setInterval(() => this.#closeErased(), closeErasedEveryMs).unref();
    const [oldest] = this.#open.keys();
    if (this.#open.size > openRecordsMax && oldest !== undefined) this.#close(oldest);
    return record;
  }

  /** The record of an account that has one; null: nothing was recorded yet. */
  existing(accountId: string): AccountRecord | null {
    if (fileAt(this.#folder.account(accountId).answers) !== null) return this.of(accountId);
    this.#close(accountId);
    return null;
  }

  /** Works on the record of an account, if it has one. @throws RecordError. */
  async use<Result>(
    accountId: string,
    work: (record: AccountRecord | null) => Result | Promise<Result>,
  ): Promise<Result> {
    try {
      return await work(this.existing(accountId));
    } catch (error) {
      throw this.failed(accountId, error);
    }
  }

  /** A failed record is reopened the next time: it may have been repaired in place. */
  failed(accountId: string, error: unknown): Error {
    if (error instanceof OtherRecordError) return error;
    this.#close(accountId);
    return new RecordError(error);
  }

  /** The folder of an account, its facts too. */
  erase(accountId: string): void {
    this.#close(accountId);
    rmSync(this.#folder.account(accountId).folder, { recursive: true, force: true });
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const accountId of [...this.#open.keys()]) this.#close(accountId);
  }

  /** The space of a deleted file is free when nobody has it open. */
  #closeErased(): void {
    for (const accountId of [...this.#open.keys()]) {
      try {
        if (fileAt(this.#folder.account(accountId).answers) === null) this.#close(accountId);
      } catch {
        // The account's own fault, such as a folder that may not be read: its next use fails and
        // says so. A timer that throws ends the process, and so all accounts.
      }
    }
  }

  #close(accountId: string): void {
    this.#open.get(accountId)?.record.close();
    this.#open.delete(accountId);
  }
}

function fileAt(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}/${stat.ino}`;
}

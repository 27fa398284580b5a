import { randomUUID } from "node:crypto";
import type { ProgressStore } from "../../accounts/progress-store.ts";
import type { Control } from "../../control/control.ts";
import type { AnswerStore } from "../answer-store.ts";
import type { ImportStore } from "../import-store.ts";

/** Where an import notes what it does. */
export type RecordingNotes = Pick<
  ProgressStore,
  "beginRecording" | "noteRecorded" | "endRecording"
> &
  Pick<ImportStore, "noteImport"> &
  Pick<Control, "revision">;

/** What an import's notes are made with. */
export interface ImportNotesOptions {
  readonly accountId: string;
  readonly store: AnswerStore;
  readonly control: RecordingNotes;
  readonly importId?: string;
}

/** How often an import says that it goes on; a server forgets it after an hour without. */
const repeatMs = 600_000;

/**
 * Notes in control that an import records, and how far the record goes, so that a server finds new
 * answers of any account by one look. An import that is killed between the two leaves its first
 * note, and the server looks at that record itself.
 */
export class ImportNotes {
  readonly #options: ImportNotesOptions;
  readonly #importId: string;
  /** As `performance.now` counts; null: not yet. */
  #notedMs: number | null = null;

  constructor(options: ImportNotesOptions) {
    this.#options = options;
    this.#importId = options.importId ?? randomUUID();
  }

  /** To be called before each commit. @throws when the account was deleted meanwhile. */
  async begin(): Promise<void> {
    const { control, accountId } = this.#options;
    if ((await control.revision(accountId)) === null) {
      throw new Error(`The account ${accountId} was deleted.`);
    }
    const now = performance.now();
    if (this.#notedMs !== null && now - this.#notedMs < repeatMs) return;
    await control.beginRecording(accountId, this.#importId);
    this.#notedMs = now;
  }

  /** To be called after each commit that recorded an answer. */
  async recorded(): Promise<void> {
    const { control, store, accountId } = this.#options;
    await control.noteRecorded(accountId, await store.end(accountId));
  }

  /** To be called once all is noted; never after a failure. */
  async end(): Promise<void> {
    if (this.#notedMs !== null) await this.#options.control.endRecording(this.#importId);
  }
}

import { randomUUID } from "node:crypto";
import { revisionOf } from "../../accounts/account-store.ts";
import { beginRecording, endRecording, noteRecorded } from "../../accounts/progress-store.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AnswerStore } from "../answer-store.ts";

/** What an import's notes are made with. */
export interface ImportNotesOptions {
  readonly accountId: string;
  readonly store: AnswerStore;
  readonly control: ControlEngine;
  readonly clock: Clock;
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
    const { control, clock, accountId } = this.#options;
    if ((await revisionOf(control, accountId)) === null) {
      throw new Error(`The account ${accountId} was deleted.`);
    }
    const now = performance.now();
    if (this.#notedMs !== null && now - this.#notedMs < repeatMs) return;
    await beginRecording(control, accountId, this.#importId, clock.now());
    this.#notedMs = now;
  }

  /** To be called after each commit that recorded an answer. */
  async recorded(): Promise<void> {
    const { control, store, accountId } = this.#options;
    await noteRecorded(control, accountId, await store.end(accountId));
  }

  /** To be called once all is noted; never after a failure. */
  async end(): Promise<void> {
    if (this.#notedMs !== null) await endRecording(this.#options.control, this.#importId);
  }
}

import { stat } from "node:fs/promises";
import { noteTextsRemoved } from "../../accounts/account-store.ts";
import type { Answer } from "../../answers/answer.ts";
import { ImportNotes } from "../../answers/intake/import-notes.ts";
import { type Label, storeLabels } from "../../answers/labels/label-store.ts";
import { type Reading, storeReadings } from "../../answers/readings/reading-store.ts";
import {
  type ArrivingCollection,
  addCollected,
  type MovedSpend,
  type MovedSweep,
} from "../../collection/store/moved-collection.ts";
import { type KeyRecord, keyById } from "../../keys/key-store.ts";
import type { UsageCount } from "../../keys/limits/usage-store.ts";
import { type AccountCounts, type MovedKey, MoveError } from "./account-file.ts";
import {
  accountToMove,
  addDeclared,
  beginMove,
  type DeclaredItem,
  endMove,
} from "./account-moves.ts";
import { type CheckedFile, checkAccountFile, OrderHash } from "./check-account-file.ts";
import type { MovePlace } from "./export-account.ts";
import { readAccountFile } from "./read-account-file.ts";

/** How far an import is. */
export interface MoveProgress {
  readonly step: "checking" | "recording";
  /** Of the file, and all of them. */
  readonly bytes: number;
  readonly of: number;
}

/** What is imported. */
export interface ImportAccountOptions {
  readonly file: string;
  readonly onProgress: (progress: MoveProgress) => void;
}

/** What an import did. */
export interface AccountImport {
  readonly accountId: string;
  readonly accountName: string;
  readonly counts: AccountCounts;
  /** Whether it went on with an import of the same file that was interrupted. */
  readonly resumed: boolean;
  /** Keys that do not work under the target's pepper. */
  readonly keysLeftOut: number;
  /** Answers that the interrupted import had recorded. */
  readonly duplicates: number;
}

/** As the import of answers does it. */
const batchAnswers = 2_000;
const batchCharacters = 8 * 1024 * 1024;
const pageItems = 500;
/** Texts are removed by whole UTC days. */
const dayMs = 86_400_000;

/**
 * Makes an account of a file. The file is checked whole before anything is written. The keys come
 * last: until then nobody can query the account, and repeating the import goes on with it.
 * @throws MoveError when the file is damaged, or the account exists already.
 */
export async function importAccount(
  place: MovePlace,
  { file, onProgress }: ImportAccountOptions,
): Promise<AccountImport> {
  const { size: of } = await stat(file);
  const checked = await checkAccountFile(file, (bytes) =>
    onProgress({ step: "checking", bytes, of }),
  );
  const { head, counts, sha256 } = checked;
  const isSamePepper = head.pepper === place.pepperFingerprint;
  const { id: accountId, name, createdAt, collection } = head;
  const { views, notes, sources, facts, ignoredNames, reports, accountTags } = head;
  const declared = {
    name,
    createdAt,
    ...(collection === undefined ? {} : { collection }),
    ...(views === undefined ? {} : { views }),
    ...(notes === undefined ? {} : { notes }),
    ...(sources === undefined ? {} : { sources }),
    ...(facts === undefined ? {} : { facts }),
    ...(ignoredNames === undefined ? {} : { ignoredNames }),
    ...(reports === undefined ? {} : { reports }),
    ...(accountTags === undefined ? {} : { accountTags }),
  };
  const isNew = (await accountToMove(place.control, accountId)) === null;
  if (isNew && isSamePepper) await requireNewKeys(place, file);
  const begun = await beginMove(place.control, accountId, { ...declared, fileHash: sha256 });
  if (begun === "exists") {
    throw new MoveError(`The account ${accountId} exists already. Nothing was changed.`);
  }
  const arrival = new Arrival(place, accountId);
  for await (const line of readAccountFile(file, (bytes) =>
    onProgress({ step: "recording", bytes, of }),
  )) {
    if (line.kind === "entity" || line.kind === "topic" || line.kind === "prompt") {
      await arrival.declare(line);
    } else if (line.kind === "key") {
      if (isSamePepper) arrival.keys.push(keyOf(accountId, line.key));
    } else if (line.kind === "usage") {
      const { keyId, day, calls } = line;
      if (isSamePepper) arrival.usage.push({ keyId, day, calls });
    } else if (line.kind === "spend") {
      const { kind: _, ...row } = line;
      await arrival.collect({ spend: [row] });
    } else if (line.kind === "sweep") await arrival.collect({ sweeps: [line.sweep] });
    else if (line.kind === "answer") await arrival.record(line.answer);
    else if (line.kind === "label") await arrival.label(line.label);
    else if (line.kind === "reading") await arrival.read(line.reading);
  }
  await arrival.end(checked);
  return {
    accountId,
    accountName: name,
    counts,
    resumed: begun === "resumed",
    keysLeftOut: isSamePepper ? 0 : counts.keys,
    duplicates: arrival.duplicates,
  };
}

/** What arrives of an account, written in batches. */
class Arrival {
  readonly keys: KeyRecord[] = [];
  readonly usage: UsageCount[] = [];
  duplicates = 0;
  readonly #place: MovePlace;
  readonly #accountId: string;
  readonly #notes: ImportNotes;
  #items: DeclaredItem[] = [];
  #spend: MovedSpend[] = [];
  #sweeps: MovedSweep[] = [];
  #answers: Answer[] = [];
  #labels: Label[] = [];
  #readings: Reading[] = [];
  #characters = 0;
  /** When the newest answer was given whose text was removed; null: none was. */
  #withoutTextMs: number | null = null;

  constructor(place: MovePlace, accountId: string) {
    this.#place = place;
    this.#accountId = accountId;
    const { answers: store, control, clock } = place;
    this.#notes = new ImportNotes({ accountId, store, control, clock });
  }

  async declare(item: DeclaredItem): Promise<void> {
    this.#items.push(item);
    if (this.#items.length >= pageItems) await this.#writeItems();
  }

  async collect({ spend = [], sweeps = [] }: Partial<ArrivingCollection>): Promise<void> {
    this.#spend.push(...spend);
    this.#sweeps.push(...sweeps);
    if (this.#spend.length + this.#sweeps.length >= pageItems) await this.#writeCollected();
  }

  async record(answer: Answer): Promise<void> {
    await this.#writeItems(); // of the first answer: its prompt is declared before it
    this.#answers.push(answer);
    this.#characters += answer.text.length;
    if (answer.removedText !== undefined) {
      this.#withoutTextMs = Math.max(this.#withoutTextMs ?? answer.answeredAt, answer.answeredAt);
    }
    const isFull = this.#answers.length >= batchAnswers || this.#characters >= batchCharacters;
    if (isFull) await this.#writeAnswers();
  }

  async label(label: Label): Promise<void> {
    await this.#writeAnswers(); // of the first label
    this.#labels.push(label);
    if (this.#labels.length >= pageItems) await this.#writeLabels();
  }

  async read(reading: Reading): Promise<void> {
    await this.#writeAnswers(); // of the first reading
    this.#readings.push(reading);
    if (this.#readings.length >= pageItems) await this.#writeReadings();
  }

  /** @throws MoveError when the record is not that of the file. */
  async end(checked: CheckedFile): Promise<void> {
    await this.#writeItems();
    await this.#writeCollected();
    await this.#writeAnswers();
    await this.#writeLabels();
    await this.#writeReadings();
    if ((await this.#orderOfRecord()) !== checked.answers) {
      throw new MoveError(
        `The record of ${this.#accountId} has other answers than the file: somebody imported ` +
          "into the account. Move it into a service that does not have it.",
      );
    }
    const { control, clock } = this.#place;
    const { keys, usage } = this;
    if (this.#withoutTextMs !== null) {
      const days = Math.floor(this.#withoutTextMs / dayMs) + 1;
      await noteTextsRemoved(control, this.#accountId, days * dayMs, clock.now());
    }
    await endMove(control, this.#accountId, { keys, usage }, clock.now());
    await this.#notes.end();
  }

  async #writeItems(): Promise<void> {
    if (this.#items.length === 0) return;
    await addDeclared(this.#place.control, this.#accountId, this.#items);
    this.#items = [];
  }

  async #writeCollected(): Promise<void> {
    const arriving = { spend: this.#spend, sweeps: this.#sweeps };
    await addCollected(this.#place.control, this.#accountId, arriving);
    this.#spend = [];
    this.#sweeps = [];
  }

  async #writeLabels(): Promise<void> {
    if (this.#labels.length === 0) return;
    await storeLabels(this.#place.control, this.#accountId, this.#labels, this.#place.clock.now());
    this.#labels = [];
  }

  async #writeReadings(): Promise<void> {
    await storeReadings(this.#place.control, this.#accountId, this.#readings);
    this.#readings = [];
  }

  async #writeAnswers(): Promise<void> {
    if (this.#answers.length === 0) return;
    await this.#notes.begin();
    const recordings = await this.#place.answers.record(this.#accountId, this.#answers);
    if (recordings.includes("conflict")) {
      const { id } = this.#answers[recordings.indexOf("conflict")] ?? {};
      throw new MoveError(`The answer ${id} is recorded already, with other content.`);
    }
    this.duplicates += recordings.filter((recording) => recording === "duplicate").length;
    await this.#notes.recorded();
    this.#answers = [];
    this.#characters = 0;
  }

  async #orderOfRecord(): Promise<string> {
    const order = new OrderHash();
    for (let after = 0; ; ) {
      const page = await this.#place.answers.read(this.#accountId, { after, limit: batchAnswers });
      for (const { id } of page) order.add(id);
      const last = page.at(-1);
      if (last === undefined) return order.digest();
      after = last.sequence;
    }
  }
}

/** A key's id is unique over all accounts of a service. @throws MoveError before any write. */
async function requireNewKeys({ control }: MovePlace, file: string): Promise<void> {
  for await (const line of readAccountFile(file)) {
    if (line.kind === "answer") return;
    if (line.kind !== "key" || (await keyById(control, line.key.id)) === null) continue;
    throw new MoveError(`The key ${line.key.id} exists already. Nothing was changed.`);
  }
}

function keyOf(accountId: string, { hash, ...key }: MovedKey): KeyRecord {
  return { ...key, accountId, hash: Buffer.from(hash, "hex"), personId: null };
}

import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { AccountFiles } from "../../platform/data-folder.ts";
import { untilAborted } from "../../platform/until-aborted.ts";
import type { FactRows } from "../columns.ts";
import { type FactsState, GenerationGoneError, type Repair } from "../engine.ts";
import type { Snapshot } from "../snapshot.ts";
import type { CompactionLimits } from "./compact.ts";
import { isDamage } from "./engine.ts";
import { checkFacts, FactsFile } from "./facts-file.ts";

/** To sort fewer rows costs more than it saves. */
const rowsMin = 20_000;
/** A table is rewritten when it has doubled: the work stays a small multiple of the rows. */
const whenDoubled: CompactionLimits = { factor: 2, rowsMin };
/** At the end of a build. */
const whenGrown: CompactionLimits = { factor: 1, rowsMin };

/** The facts files of one account, opened when they are needed. */
export class AccountFacts {
  readonly #files: AccountFiles;
  /** Replacing and closing the file takes it for writing, every use of the file for reading. */
  readonly #lock = new ReadWriteLock();
  #current: Promise<FactsFile | null> | null = null;
  /** Of a rebuild that an earlier process did not end. */
  #mayHaveLeftovers = true;
  /** The generation that is being built. */
  #next: FactsFile | null = null;

  constructor(files: AccountFiles) {
    this.#files = files;
  }

  /** Whether the engine is open, or being opened. */
  get isOpen(): boolean {
    return this.#current !== null;
  }

  /** Whether a generation was begun that does not answer yet. */
  get isBuilding(): boolean {
    return this.#next !== null;
  }

  state(): Promise<FactsState | null> {
    return this.#lock.read(async () => (await this.#open())?.state ?? null);
  }

  /**
   * Lets `work` use the facts of a generation.
   * @throws GenerationGoneError; the signal's reason when it aborts while the file is replaced,
   * checked or opened.
   */
  read<Result>(
    generation: string,
    work: (file: FactsFile) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const use = async () => {
      return work(this.#fileOf(generation, await untilAborted(this.#open(), signal)));
    };
    return this.#lock.read(use, signal);
  }

  /** Adds a batch to a generation, also to the one that is being built. */
  async append(generation: string, rows: FactRows): Promise<FactsState> {
    const { state, hasOutgrown } = await this.#lock.read(async () => {
      const file = this.#fileOf(generation, this.#next, await this.#open());
      await file.append(rows);
      if (file !== this.#next) await file.compact(whenDoubled);
      return { state: file.state, hasOutgrown: file.hasOutgrown };
    });
    if (hasOutgrown) await this.rest(); // the next use opens it for its size
    return state;
  }

  extend(generation: string, snapshot: Snapshot): Promise<FactsState> {
    return this.read(generation, async (file) => {
      await file.extend(snapshot);
      return file.state;
    });
  }

  async begin(snapshot: Snapshot): Promise<FactsState> {
    this.#mayHaveLeftovers = false; // they are replaced
    this.#next?.close();
    this.#next = null;
    this.#next = await FactsFile.create(this.#files.nextFacts, snapshot);
    return this.#next.state;
  }

  async finish(generation: string): Promise<void> {
    const next = this.#fileOf(generation, this.#next);
    await next.compact(whenGrown);
    await next.flush(); // so that one rename is the whole change
    this.#next = null;
    next.close();
    await this.#lock.write(async () => {
      await this.#close();
      rmSync(`${this.#files.facts}.wal`, { force: true });
      renameSync(this.#files.nextFacts, this.#files.facts);
    });
  }

  /** @throws what prevents the check, other than damage. */
  repair(): Promise<Repair | null> {
    return this.#lock.write(async () => {
      await this.#close();
      if (!this.#isThere()) return null;
      const { fault } = await checkFacts(this.#files.facts);
      if (fault === null) return null;
      if (!isDamage(fault)) throw new Error(fault);
      return { damage: fault, place: setAside(this.#files.facts) };
    });
  }

  /** Closes the engine until it is needed again, once nobody uses it. */
  rest(): Promise<void> {
    return this.#lock.write(() => this.#close());
  }

  async close(): Promise<void> {
    await this.rest();
    this.#next?.close();
    this.#next = null;
  }

  #fileOf(generation: string, ...files: readonly (FactsFile | null)[]): FactsFile {
    const found = files.find((file) => file?.state.generation === generation);
    if (found === undefined || found === null) throw new GenerationGoneError(generation);
    return found;
  }

  /** One opening for all who ask; what fails is tried again by the next. */
  #open(): Promise<FactsFile | null> {
    if (this.#current !== null) return this.#current;
    const opening = this.#opened();
    this.#current = opening;
    const forget = () => {
      if (this.#current === opening) this.#current = null;
    };
    opening.then((file) => {
      if (file === null) forget();
    }, forget);
    return opening;
  }

  async #opened(): Promise<FactsFile | null> {
    const { facts, nextFacts } = this.#files;
    if (this.#mayHaveLeftovers) {
      for (const file of [nextFacts, `${nextFacts}.wal`]) rmSync(file, { force: true });
    }
    this.#mayHaveLeftovers = false;
    return this.#isThere() ? FactsFile.open(facts) : null;
  }

  /** @throws the system's error, when it does not let us look. */
  #isThere(): boolean {
    return statSync(this.#files.facts, { throwIfNoEntry: false }) !== undefined;
  }

  async #close(): Promise<void> {
    const closing = this.#current;
    this.#current = null;
    (await closing?.catch(() => null))?.close();
  }
}

/** Readers share the lock; a writer has it alone, and new readers wait for a waiting writer. */
class ReadWriteLock {
  #readers = 0;
  #writing: Promise<void> | null = null;
  #emptied: (() => void) | null = null;

  /** Runs `work` beside other readers. @throws the signal's reason when it aborts before that. */
  async read<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    while (this.#writing !== null) await untilAborted(this.#writing, signal);
    this.#readers++;
    try {
      return await work();
    } finally {
      this.#readers--;
      if (this.#readers === 0) this.#emptied?.();
    }
  }

  /** Runs `work` when nobody reads. */
  async write<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#writing !== null) await this.#writing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writing = promise;
    try {
      if (this.#readers > 0) await new Promise<void>((emptied) => (this.#emptied = emptied));
      this.#emptied = null;
      return await work();
    } finally {
      this.#writing = null;
      resolve();
    }
  }
}

/** The most damaged facts of an account that are kept: they may be large, and no one may look. */
const setAsideMax = 3;

/**
 * Renames damaged facts and their log to `<name>.damaged.<number>`, each time with the next number,
 * so that nothing is overwritten. Of more than `setAsideMax`, the oldest are removed.
 * @returns the path of what was the file.
 */
export function setAside(path: string): string {
  const earlier = numbersOf(path);
  const number = Math.max(0, ...earlier) + 1;
  for (const file of [path, `${path}.wal`]) {
    if (existsSync(file)) renameSync(file, `${file}.damaged.${number}`);
  }
  for (const old of earlier.filter((each) => each <= number - setAsideMax)) {
    for (const file of [path, `${path}.wal`]) rmSync(`${file}.damaged.${old}`, { force: true });
  }
  return `${path}.damaged.${number}`;
}

function numbersOf(path: string): readonly number[] {
  const beginnings = [path, `${path}.wal`].map((file) => `${basename(file)}.damaged.`);
  return readdirSync(dirname(path))
    .flatMap((name) => beginnings.map((beginning) => name.split(beginning)))
    .filter(([before, number]) => before === "" && /^\d+$/.test(number ?? ""))
    .map(([, number]) => Number(number));
}

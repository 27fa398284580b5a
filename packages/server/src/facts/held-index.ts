import { type AnswerSegment, bytesIn, rowsIn } from "../analytics/index-answers.ts";
import type { IndexRefusal } from "../analytics/rollups.ts";
import { readCount } from "./duckdb/read-results.ts";
import type { Chunks } from "./duckdb/run-statement.ts";
import { indexedRowsStatement, rowCountStatement, type Statement } from "./duckdb/statements.ts";
import type { HeldBudget } from "./held-budget.ts";
import type { Indexing } from "./indexing.ts";
import { afterQuestions } from "./turns.ts";

/** Rows that are read at once and indexed as one segment: as many as the engine stores together. */
const ownSegmentRows = 122_880;
/**
 * A segment that is made of others has at most so many times the rows. More, and who asks for a
 * range that begins or ends within a day looks at more answers that do not count; and while it is
 * made, memory has its rows twice.
 */
const mergedSegments = 32;
/** How long an account is left alone for which there was no room, or whose rows cannot be read. */
const pauseMs = 60_000;

/** The most answers that a question has looked at: some 10 ms of one thread. */
export const answersMax = 500_000;

/** Why the index was not used: it is not in memory. */
export const notHeld: IndexRefusal = { rollup: "prompt_index", reason: "not_held" };
/** Why the index was not used: `answersMax`. */
export const manyAnswers: IndexRefusal = { rollup: "prompt_index", reason: "many_answers" };

/** What is held: a table's rows up to `rows`. */
export interface HeldIndex<Segment extends AnswerSegment> {
  /** Of the facts before the last row was read; they hold at least what these held then. */
  readonly version: number;
  /** Place in the record up to which its rows reach. */
  readonly watermark: number;
  readonly segments: readonly Segment[];
  readonly rows: number;
  /** Of the segments. */
  readonly bytes: number;
}

/** The facts as one sees them who is not within a question. */
export interface FactsAccess {
  /** Null: `signal` was aborted before it was asked. */
  readonly ask: (statement: Statement, signal: AbortSignal) => Promise<Chunks | null>;
  /** Of the facts now. */
  readonly version: () => number;
}

/** Segments with fewer rows in all than are read at once become one when they are so many. */
const partsMin = 8;

/**
 * From which segment on all become one: the first that has no more rows than all after it. Each
 * then has more than all after it, so they are few; and whenever a row is moved, its segment has
 * become twice as large. `rows`: of each segment; `segmentRows`: as many are read at once.
 */
export function firstToMerge(rows: readonly number[], segmentRows: number): number {
  let first = rows.length - 1;
  let after = 0;
  for (const [place, own] of [...rows.entries()].reverse()) {
    const together = own + after;
    const isWorthIt = together >= segmentRows || rows.length - place >= partsMin;
    if (own <= after && isWorthIt && together <= mergedSegments * segmentRows) first = place;
    after = together;
  }
  return first;
}

/** What a row takes in memory, its share of its answer included: about, before it is read. */
const rowBytesExpected = 10;

/**
 * A table of one account by prompt, held in memory: what asks for few answers is answered from it
 * without the engine. Its rows are read in the background when a question first needs them; what
 * batches add is read before they count while somebody asks, else when the next question comes.
 * Meanwhile the engine answers.
 */
export class PromptIndex<Segment extends AnswerSegment> {
  readonly #indexing: Indexing<Segment>;
  readonly #facts: FactsAccess;
  readonly #budget: HeldBudget;
  readonly #segmentRows: number;
  #held: HeldIndex<Segment> | null = null;
  /** As the budget counts time. */
  #askedMs = Number.NEGATIVE_INFINITY;
  #reading: Reading | null = null;
  /** As the budget counts time. */
  #notBeforeMs = 0;

  constructor(
    indexing: Indexing<Segment>,
    { facts, budget, segmentRows = ownSegmentRows }: IndexTools,
  ) {
    this.#indexing = indexing;
    this.#facts = facts;
    this.#budget = budget;
    this.#segmentRows = segmentRows;
  }

  /** The rows of the facts as they are now or later; null: they are not held, or not all yet. */
  current(): HeldIndex<Segment> | null {
    if (this.#budget.bytesMax === 0) return null;
    this.#askedMs = this.#budget.nowMs();
    if (this.#held !== null && this.#held.version >= this.#facts.version()) {
      this.#budget.use(this, this.#held.bytes);
      return this.#held;
    }
    if (this.#reading === null && this.#budget.nowMs() >= this.#notBeforeMs) this.#begin();
    return null;
  }

  /**
   * Reads what was just added, before anybody is told of it: questions then find it. Does nothing
   * when nothing is held or nobody asked of late. `facts.version` is what will be told.
   */
  async refresh(facts: FactsAccess, signal: AbortSignal): Promise<void> {
    const held = this.#held;
    const isAsked = this.#budget.isFollowed(this.#askedMs);
    if (held === null || !isAsked || this.#reading !== null) return;
    const grown = await this.#grown(held, facts, signal);
    if (this.#held === held) this.#take(grown);
  }

  /** Resolves when nothing is being read. */
  async settled(): Promise<void> {
    await this.#reading?.done;
  }

  /** Lets go of the rows; they are read again when they are needed. */
  forget(): void {
    this.#reading?.abort.abort();
    this.#reading = null;
    this.#held = null;
    this.#budget.drop(this);
  }

  #begin(): void {
    const abort = new AbortController();
    const reading = { abort, done: this.#read(abort.signal) };
    this.#reading = reading;
    void reading.done.then(() => {
      if (this.#reading === reading) this.#reading = null;
    });
  }

  /** Reads what is not held yet. What fails here shows when the engine is asked. */
  async #read(signal: AbortSignal): Promise<void> {
    const held = await this.#grown(this.#held, this.#facts, signal).catch(() => null);
    if (!signal.aborted) this.#take(held);
  }

  /** Null: nothing can be held for now. */
  #take(held: HeldIndex<Segment> | null): void {
    this.#held = held;
    if (held !== null) return;
    this.#budget.drop(this);
    this.#notBeforeMs = this.#budget.nowMs() + pauseMs;
  }

  /** Null: there is no room, or the facts were closed. */
  async #grown(
    held: HeldIndex<Segment> | null,
    facts: FactsAccess,
    signal: AbortSignal,
  ): Promise<HeldIndex<Segment> | null> {
    const { table } = this.#indexing;
    const bytesExpected = held?.bytes ?? (await this.#bytesExpected(facts, signal));
    if (bytesExpected === null || !this.#budget.hasRoom(this, bytesExpected)) return null;
    const segments = [...(held?.segments ?? [])];
    let rows = held?.rows ?? 0;
    for (;;) {
      const version = facts.version();
      const statement = indexedRowsStatement(table, rows, rows + this.#segmentRows);
      const chunks = await facts.ask(statement, signal);
      if (chunks === null) return null;
      const { watermark, segment } = this.#indexing.read(chunks);
      if (segment !== null) segments.push(segment);
      const read = segment === null ? 0 : rowsIn(segment);
      rows += read;
      await this.#merge(segments, signal);
      const bytes = segments.reduce((sum, each) => sum + bytesIn(each), 0);
      if (!this.#budget.hasRoom(this, bytes)) return null;
      if (read < this.#segmentRows) return { version, watermark, segments, rows, bytes };
    }
  }

  /** Puts one segment in the place of the last ones; see `firstToMerge`. */
  async #merge(segments: Segment[], signal: AbortSignal): Promise<void> {
    const first = firstToMerge(segments.map(rowsIn), this.#segmentRows);
    const parts = segments.slice(first);
    if (parts.length < 2) return;
    const pause = afterQuestions(signal);
    await pause();
    segments.splice(first, parts.length, await this.#indexing.merge(parts, pause));
  }

  async #bytesExpected(facts: FactsAccess, signal: AbortSignal): Promise<number | null> {
    const chunks = await facts.ask(rowCountStatement(this.#indexing.table), signal);
    return chunks === null ? null : readCount(chunks) * rowBytesExpected;
  }
}

/** What an index is made with. */
export interface IndexTools {
  readonly facts: FactsAccess;
  readonly budget: HeldBudget;
  /** Rows of a segment. */
  readonly segmentRows?: number;
}

interface Reading {
  readonly abort: AbortController;
  /** Does not reject. */
  readonly done: Promise<void>;
}

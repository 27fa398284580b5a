import { type IndexSegment, indexedRowBytes, indexSegment } from "../analytics/prompt-index.ts";
import { readCount, readIndexedRows } from "./duckdb/read-results.ts";
import type { Chunks } from "./duckdb/run-statement.ts";
import {
  appearanceCountStatement,
  indexedRowsStatement,
  type Statement,
} from "./duckdb/statements.ts";
import type { HeldBudget } from "./held-budget.ts";

/** Rows that are read at once and indexed as one segment: as many as the engine stores together. */
const ownSegmentRows = 122_880;
/** Segments of fewer rows, from what came since; they are read together again. */
const partsMax = 16;
/** How long an account is left alone for which there was no room, or whose rows cannot be read. */
const pauseMs = 60_000;

/** What is held: the facts' rows up to `rows`. */
export interface HeldIndex {
  /** Of the facts before the last row was read; they hold at least what these held then. */
  readonly version: number;
  /** Place in the record up to which its rows reach. */
  readonly watermark: number;
  readonly segments: readonly IndexSegment[];
  readonly rows: number;
}

/** The facts as one sees them who is not within a question. */
export interface FactsAccess {
  /** Null: `signal` was aborted before it was asked. */
  readonly ask: (statement: Statement, signal: AbortSignal) => Promise<Chunks | null>;
  /** Of the facts now. */
  readonly version: () => number;
}

/**
 * The rows of one account by prompt, held in memory: what asks for few answers is answered from
 * them without the engine. They are read in the background when a question first needs them, and
 * what batches add when the next one comes; meanwhile the engine answers.
 */
export class PromptIndex {
  readonly #facts: FactsAccess;
  readonly #budget: HeldBudget;
  readonly #segmentRows: number;
  #held: HeldIndex | null = null;
  #reading: Reading | null = null;
  /** Of `performance.now()`. */
  #notBeforeMs = 0;

  constructor(facts: FactsAccess, budget: HeldBudget, segmentRows = ownSegmentRows) {
    this.#facts = facts;
    this.#budget = budget;
    this.#segmentRows = segmentRows;
  }

  /** The rows of the facts as they are now or later; null: they are not held, or not all yet. */
  current(): HeldIndex | null {
    if (this.#held?.version === this.#facts.version()) {
      this.#budget.use(this, this.#held.rows * indexedRowBytes);
      return this.#held;
    }
    if (this.#reading === null && performance.now() >= this.#notBeforeMs) this.#begin();
    return null;
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
    const held = await this.#grown(this.#held ?? nothing, signal).catch(() => null);
    if (signal.aborted) return;
    this.#held = held;
    if (held !== null) return;
    this.#budget.drop(this);
    this.#notBeforeMs = performance.now() + pauseMs;
  }

  /** Null: there is no room, or the facts were closed. */
  async #grown(held: HeldIndex, signal: AbortSignal): Promise<HeldIndex | null> {
    if (!(await this.#hasRoom(held, signal))) return null;
    const firstPart = held.segments.findIndex(({ entity }) => entity.length < this.#segmentRows);
    const isInParts = firstPart >= 0 && held.segments.length - firstPart > partsMax;
    const segments = held.segments.slice(0, isInParts ? firstPart : undefined);
    let rows = isInParts ? firstPart * this.#segmentRows : held.rows;
    for (;;) {
      const version = this.#facts.version();
      const read = await this.#rowsFrom(rows, signal);
      if (read === null) return null;
      const { length } = read.rows.entity;
      if (length > 0) segments.push(indexSegment(read.rows));
      rows += length;
      if (length < this.#segmentRows) return { version, watermark: read.watermark, segments, rows };
    }
  }

  async #hasRoom({ rows }: HeldIndex, signal: AbortSignal): Promise<boolean> {
    if (rows > 0) return this.#budget.hasRoom(this, rows * indexedRowBytes);
    const chunks = await this.#facts.ask(appearanceCountStatement, signal);
    if (chunks === null) return false;
    return this.#budget.hasRoom(this, readCount(chunks) * indexedRowBytes);
  }

  async #rowsFrom(row: number, signal: AbortSignal) {
    const statement = indexedRowsStatement(row, row + this.#segmentRows);
    const chunks = await this.#facts.ask(statement, signal);
    return chunks === null ? null : readIndexedRows(chunks);
  }
}

interface Reading {
  readonly abort: AbortController;
  /** Does not reject. */
  readonly done: Promise<void>;
}

/** Before anything was read. */
const nothing: HeldIndex = { version: -1, watermark: -1, segments: [], rows: 0 };

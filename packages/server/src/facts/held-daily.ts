import { type HeldSegment, heldSegment } from "../analytics/held-rollup.ts";
import type { TimeSeriesPlan } from "../analytics/plan.ts";
import type { FactsFile } from "./duckdb/facts-file.ts";
import { readHeldRows } from "./duckdb/read-results.ts";
import { heldRowsStatement } from "./duckdb/statements.ts";
import type { HeldBudget } from "./held-budget.ts";

/** The most rows of an account that are held: 27 bytes each, and about 3 ns of the event loop. */
const rowsMax = 1_000_000;
/** Batches that came since the rows were last read as a whole. */
const segmentsMax = 64;
/** Before the first row. */
const noRow = -1;

interface Held {
  /** Of the facts when the rows were read; they hold at least what these held then. */
  readonly version: number;
  readonly compaction: number | null;
  readonly lastRow: number;
  readonly segments: readonly HeldSegment[];
}

/**
 * The rollup `daily` of one account, held in memory: it is small, most series need nothing else,
 * and asking the engine for it takes longer than adding it up. What batches add is read when the
 * next question comes; a compaction has all of it read again.
 */
export class HeldDaily {
  readonly #file: FactsFile;
  readonly #budget: HeldBudget;
  #held: Held | null = null;
  #reading: Promise<Held> | null = null;

  constructor(file: FactsFile, budget: HeldBudget) {
    this.#file = file;
    this.#budget = budget;
  }

  /** Whether a plan can be answered by what is held: one part of whole days from this rollup. */
  static answers({ choice, rows }: TimeSeriesPlan): boolean {
    return choice.rollup === "daily" && rows.parts.length === 1;
  }

  /**
   * The rows of the facts as they are at `version` or later; null: they are too many to hold, which
   * is not looked at again before the facts are opened anew.
   */
  async segments(version: number, signal: AbortSignal): Promise<readonly HeldSegment[] | null> {
    let held = this.#held;
    while (held === null || (held.version < version && held.lastRow < rowsMax)) {
      held = await this.#read(version, signal);
    }
    if (held.lastRow >= rowsMax) return null;
    this.#budget.use(this, held.lastRow + 1);
    return held.segments;
  }

  /** Lets go of the rows; they are read again when they are needed. */
  forget(): void {
    this.#held = null;
    this.#budget.drop(this);
  }

  /** One reading at a time. A caller who came first and went takes its reading with it. */
  async #read(version: number, signal: AbortSignal): Promise<Held> {
    if (this.#reading !== null) {
      await this.#reading.catch(() => undefined);
      signal.throwIfAborted();
      return this.#held ?? nothing;
    }
    this.#reading = this.#fresh(version, signal);
    try {
      this.#held = await this.#reading;
      return this.#held;
    } finally {
      this.#reading = null;
    }
  }

  async #fresh(version: number, signal: AbortSignal): Promise<Held> {
    const held = this.#held;
    if (held !== null && held.segments.length < segmentsMax) {
      const { compaction, lastRow, rows } = await this.#rowsAfter(held.lastRow, signal);
      if (compaction === held.compaction) {
        const segments = rows.day.length === 0 ? [] : [heldSegment(rows)];
        const last = lastRow ?? held.lastRow;
        return { ...held, version, lastRow: last, segments: [...held.segments, ...segments] };
      }
    }
    const { compaction, lastRow, rows } = await this.#rowsAfter(noRow, signal);
    const segments = (lastRow ?? noRow) < rowsMax ? [heldSegment(rows)] : [];
    return { version, compaction, lastRow: lastRow ?? noRow, segments };
  }

  async #rowsAfter(row: number, signal: AbortSignal) {
    return readHeldRows(await this.#file.query(heldRowsStatement(row, rowsMax), signal));
  }
}

/** Before anything was read. */
const nothing: Held = { version: -1, compaction: null, lastRow: noRow, segments: [] };

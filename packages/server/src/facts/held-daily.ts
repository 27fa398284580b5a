import { type HeldSegment, heldSegment } from "../analytics/held-rollup.ts";
import type { FactsFile } from "./duckdb/facts-file.ts";
import { readHeldRows } from "./duckdb/read-results.ts";
import { heldRowsStatement } from "./duckdb/statements.ts";
import type { HeldBudget } from "./held-budget.ts";

/** The most rows of an account that are held: each takes about 3 ns of the event loop. */
const rowsMax = 1_000_000;
const rowBytes = 27;
/** Batches that came since the rows were last read as a whole. */
const segmentsMax = 64;
/** Before the first row. */
const noRow = -1;

/** What is held. */
export interface HeldRollup {
  /** Of the facts when the rows were read; they hold at least what these held then. */
  readonly version: number;
  /** Place in the record up to which its rows reach. */
  readonly watermark: number;
  readonly compaction: number | null;
  readonly lastRow: number;
  readonly segments: readonly HeldSegment[];
}

/**
 * The rollup `daily` of one account, held in memory: it is small, most series need nothing else,
 * and asking the engine for it takes longer than adding it up. What batches add is read before
 * they count while somebody asks, else when the next question comes; a compaction has all of it
 * read again.
 */
export class HeldDaily {
  readonly #file: FactsFile;
  readonly #budget: HeldBudget;
  readonly #rowsMax: number;
  #held: HeldRollup | null = null;
  /** As the budget counts time. */
  #askedMs = Number.NEGATIVE_INFINITY;
  /** Null also when what is being read was forgotten: it is not held. */
  #reading: Promise<HeldRollup> | null = null;

  constructor(file: FactsFile, budget: HeldBudget) {
    this.#file = file;
    this.#budget = budget;
    this.#rowsMax = Math.min(rowsMax, Math.floor(budget.bytesMax / rowBytes));
  }

  /**
   * The rows of the facts as they are at `version` or later; null: they are too many to hold, which
   * is not looked at again before the facts are opened anew.
   */
  async current(version: number, signal: AbortSignal): Promise<HeldRollup | null> {
    this.#askedMs = this.#budget.nowMs();
    let held = this.#held;
    while (held === null || (held.version < version && held.lastRow < this.#rowsMax)) {
      held = await this.#read(version, signal);
    }
    if (held.lastRow >= this.#rowsMax) return null;
    if (held === this.#held) this.#budget.use(this, (held.lastRow + 1) * rowBytes);
    return held;
  }

  /**
   * Reads what was just added, before `version` is told to anybody: questions then find it. Does
   * nothing when nothing is held or nobody asked of late.
   */
  async refresh(version: number, signal: AbortSignal): Promise<void> {
    const isAsked = this.#budget.isFollowed(this.#askedMs);
    if (this.#held === null || !isAsked || this.#reading !== null) return;
    await this.#read(version, signal);
  }

  /** Lets go of the rows; they are read again when they are needed. */
  forget(): void {
    this.#reading = null;
    this.#held = null;
    this.#budget.drop(this);
  }

  /** One reading at a time. A caller who came first and went takes its reading with it. */
  async #read(version: number, signal: AbortSignal): Promise<HeldRollup> {
    if (this.#reading !== null) {
      await this.#reading.catch(() => undefined);
      signal.throwIfAborted();
      return this.#held ?? nothing;
    }
    const reading = this.#fresh(version, signal);
    this.#reading = reading;
    try {
      const held = await reading;
      if (this.#reading === reading) this.#held = held;
      return held;
    } finally {
      if (this.#reading === reading) this.#reading = null;
    }
  }

  async #fresh(version: number, signal: AbortSignal): Promise<HeldRollup> {
    const held = this.#held;
    if (held !== null && held.segments.length < segmentsMax) {
      const { watermark, compaction, lastRow, rows } = await this.#rowsAfter(held.lastRow, signal);
      if (compaction === held.compaction) {
        const segments = rows.day.length === 0 ? [] : [heldSegment(rows)];
        const last = lastRow ?? held.lastRow;
        return {
          ...held,
          version,
          watermark,
          lastRow: last,
          segments: [...held.segments, ...segments],
        };
      }
    }
    const { watermark, compaction, lastRow, rows } = await this.#rowsAfter(noRow, signal);
    const segments = (lastRow ?? noRow) < this.#rowsMax ? [heldSegment(rows)] : [];
    return { version, watermark, compaction, lastRow: lastRow ?? noRow, segments };
  }

  async #rowsAfter(row: number, signal: AbortSignal) {
    return readHeldRows(await this.#file.query(heldRowsStatement(row, this.#rowsMax), signal));
  }
}

/** Before anything was read. */
const nothing: HeldRollup = {
  version: -1,
  watermark: -1,
  compaction: null,
  lastRow: noRow,
  segments: [],
};

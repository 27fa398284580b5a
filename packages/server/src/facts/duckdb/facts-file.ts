import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { type RecordMark, recordBeginning } from "../../answers/answer-store.ts";
import type { Row, RowShape } from "../../platform/row-shape.ts";
import { type Statement, sql } from "../../platform/sql.ts";
import type { FactRows } from "../fact-rows.ts";
import type { FactsState } from "../facts-engine.ts";
import { factsVersion, type Snapshot } from "../snapshot.ts";
import { appendFactRows } from "./append-fact-rows.ts";
import { type CompactionLimits, compact } from "./compact.ts";
import { Engine } from "./engine.ts";
import { layout } from "./layout.ts";
import { addSnapshot, readSnapshot } from "./snapshot-rows.ts";

/** One account's facts in one DuckDB file, open. */
export class FactsFile {
  readonly #engine: Engine;
  #state: FactsState;
  /** The log holds what should be in the file, and could not be moved there yet. */
  #isLogLong = false;
  /** Rows that came since it was last looked at what is to be compacted. */
  #rowsSinceLook = Number.POSITIVE_INFINITY;

  private constructor(engine: Engine, state: FactsState) {
    this.#engine = engine;
    this.#state = state;
  }

  /** Makes a new, empty file in the place of any that is there. */
  static async create(path: string, snapshot: Snapshot): Promise<FactsFile> {
    for (const file of [path, `${path}.wal`]) rmSync(file, { force: true });
    const engine = await Engine.open(path);
    const generation = randomUUID();
    try {
      await engine.transaction(async (writer) => {
        await writer.run(layout.join(";\n"));
        await addSnapshot(writer, { snapshot, generation }, { topics: 0, prompts: 0 });
        await writer.run("insert into watermarks values (0, '')");
      });
      await engine.writer.run("checkpoint");
    } catch (error) {
      engine.close(); // on a full disk this is tried again and again
      throw error;
    }
    const skippedPrompts = new Set<string>();
    return new FactsFile(engine, { generation, snapshot, mark: recordBeginning, skippedPrompts });
  }

  /** Opens a file that is there. @throws the engine's error when it is damaged. */
  static async open(path: string): Promise<FactsFile> {
    const engine = await Engine.open(path);
    try {
      return new FactsFile(engine, await readState(engine));
    } catch (error) {
      engine.close();
      throw error;
    }
  }

  get state(): FactsState {
    return this.#state;
  }

  /** Adds a batch and moves the mark, in one transaction. */
  async append(rows: FactRows): Promise<void> {
    const { skippedPrompts: known } = this.#state;
    const skippedPrompts = rows.skippedPrompts.filter((id) => !known.has(id));
    await this.#engine.transaction((writer) => appendFactRows(writer, { ...rows, skippedPrompts }));
    this.#rowsSinceLook += rows.appearances.entity.length;
    const skipped = skippedPrompts.length > 0 ? new Set([...known, ...skippedPrompts]) : known;
    this.#state = { ...this.#state, mark: rows.mark, skippedPrompts: skipped };
  }

  /** Goes on with a snapshot that only adds prompts and topics to the one in force. */
  async extend(snapshot: Snapshot): Promise<void> {
    const { generation, snapshot: built } = this.#state;
    const there = { topics: built.topics.length, prompts: built.prompts.length };
    await this.#engine.transaction((writer) =>
      addSnapshot(writer, { snapshot, generation }, there),
    );
    this.#state = { ...this.#state, snapshot };
  }

  /**
   * Rewrites the tables that have grown by more than the limits say; see compact. What questions
   * get stays the same.
   */
  async compact(limits: CompactionLimits): Promise<void> {
    if (this.#rowsSinceLook < limits.rowsMin && !this.#isLogLong) return;
    this.#rowsSinceLook = 0;
    if (await compact(this.#engine, limits)) this.#isLogLong = true;
    if (this.#isLogLong) this.#isLogLong = !(await this.#engine.checkpoint());
  }

  /**
   * Moves the log into the file; nothing else may be under way. @throws when that fails, for
   * example on a full disk, of which closing says nothing.
   */
  async flush(): Promise<void> {
    if (!(await this.#engine.checkpoint())) throw new Error("the facts' log is in use");
  }

  /** The rows of a statement; see Engine.query. */
  query<Shape extends RowShape>(
    statement: Statement<Shape>,
    signal: AbortSignal,
  ): Promise<readonly Row<Shape>[]> {
    return this.#engine.query(statement, signal);
  }

  /** Moves the log into the file and closes it; nothing may be under way. */
  close(): void {
    this.#engine.close();
  }
}

/** What an open file says of itself. @throws when it is not complete. */
export async function readState(engine: Engine): Promise<FactsState> {
  const { snapshot, generation } = await readSnapshot(engine);
  // An older version's tables are rebuilt: nothing is added to them.
  const isToday = snapshot.factsVersion === factsVersion;
  return {
    generation,
    snapshot,
    mark: isToday ? await readMark(engine) : recordBeginning,
    skippedPrompts: new Set(isToday ? await readSkippedPrompts(engine) : []),
  };
}

const neverAborted = new AbortController().signal;

async function readMark(engine: Engine): Promise<RecordMark> {
  const shape = { sequence: "number", stamp: "text" } as const;
  const query = sql`select cast(sequence as double), stamp
    from watermarks order by watermarks.sequence desc limit 1`;
  const [mark] = await engine.query({ query, shape }, neverAborted);
  if (mark === undefined) throw new Error("Corrupt facts file: it has no watermark");
  return mark;
}

async function readSkippedPrompts(engine: Engine): Promise<readonly string[]> {
  const query = sql`select distinct prompt_id from skipped_prompts`;
  const rows = await engine.query({ query, shape: { id: "text" } }, neverAborted);
  return rows.map(({ id }) => id);
}

import { rmSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { type RecordMark, recordBeginning } from "../../answers/answer-store.ts";
import type { FactRows } from "../fact-rows.ts";
import { factsVersion, type Snapshot } from "../snapshot.ts";
import { appendFactRows } from "./append-fact-rows.ts";
import { type CompactionLimits, compact } from "./compact.ts";
import { Engine } from "./engine.ts";
import { layout } from "./layout.ts";
import type { Row, RowShape, Statement } from "./statement.ts";

/** What a facts file says of itself. */
export interface FactsState {
  readonly snapshot: Snapshot;
  /** Up to it (and with it) all answers of the record are in the facts. */
  readonly mark: RecordMark;
  /** Prompts whose answers were read and left out, being retired. */
  readonly passedOver: ReadonlySet<string>;
}

/**
 * One account's facts in one DuckDB file. It may rest: then the engine is closed, and opened again
 * by whatever needs it next, so that idle accounts hold neither memory nor threads.
 */
export class FactsFile {
  readonly #path: string;
  #engine: Promise<Engine> | null;
  #state: FactsState;
  /** The log holds what should be in the file, and could not be moved there yet. */
  #isLogLong = false;
  /** Rows that came since it was last looked at what is to be compacted. */
  #rowsSinceLook = Number.POSITIVE_INFINITY;

  private constructor(path: string, engine: Engine, state: FactsState) {
    this.#path = path;
    this.#engine = Promise.resolve(engine);
    this.#state = state;
  }

  /** Makes a new, empty file in the place of any that is there. */
  static async create(path: string, snapshot: Snapshot): Promise<FactsFile> {
    for (const file of [path, `${path}.wal`]) rmSync(file, { force: true });
    const engine = await Engine.open(path);
    await engine.transaction(async (writer) => {
      for (const statement of layout) await writer.run(statement);
      await addSnapshot(writer, snapshot);
      await writer.run("insert into watermarks values (0, '')");
    });
    await engine.writer.run("checkpoint");
    return new FactsFile(path, engine, { snapshot, mark: recordBeginning, passedOver: new Set() });
  }

  /** Opens a file that is there. @throws the engine's error when it is damaged. */
  static async open(path: string): Promise<FactsFile> {
    const engine = await Engine.open(path);
    try {
      return new FactsFile(path, engine, await readState(engine.writer));
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
    const engine = await this.#awake();
    const passedOver = rows.passedOver.filter((id) => !this.#state.passedOver.has(id));
    await engine.transaction((writer) => appendFactRows(writer, { ...rows, passedOver }));
    this.#rowsSinceLook += rows.appearances.entity.length;
    this.#state = {
      ...this.#state,
      mark: rows.mark,
      passedOver: new Set([...this.#state.passedOver, ...passedOver]),
    };
  }

  /** Goes on with a snapshot that only adds prompts and topics to the one in force. */
  async extend(snapshot: Snapshot): Promise<void> {
    const engine = await this.#awake();
    await engine.transaction((writer) => addSnapshot(writer, snapshot));
    this.#state = { ...this.#state, snapshot };
  }

  /**
   * Rewrites the tables that have grown by more than the limits say; see compact. What questions
   * get stays the same.
   */
  async compact(limits: CompactionLimits): Promise<void> {
    if (this.#rowsSinceLook < limits.rowsMin && !this.#isLogLong) return;
    const engine = await this.#awake();
    this.#rowsSinceLook = 0;
    if (await compact(engine, limits)) this.#isLogLong = true;
    if (this.#isLogLong) this.#isLogLong = !(await engine.checkpoint());
  }

  /** The rows of a statement; see Engine.query. */
  async query<Shape extends RowShape>(
    statement: Statement<Shape>,
    signal: AbortSignal,
  ): Promise<readonly Row<Shape>[]> {
    return (await this.#awake()).query(statement, signal);
  }

  /** Closes the engine until it is needed again; nothing may be under way. */
  async rest(): Promise<void> {
    const engine = this.#engine;
    this.#engine = null;
    (await engine?.catch(() => null))?.close();
  }

  #awake(): Promise<Engine> {
    if (this.#engine === null) {
      const opening = Engine.open(this.#path);
      this.#engine = opening;
      opening.catch(() => {
        this.#engine = null;
      });
    }
    return this.#engine;
  }
}

async function addSnapshot(writer: DuckDBConnection, snapshot: Snapshot): Promise<void> {
  await writer.run("insert into snapshots select count(*), $1 from snapshots", [
    JSON.stringify(snapshot),
  ]);
}

/** What an open file says of itself. @throws when it is not complete. */
export async function readState(connection: DuckDBConnection): Promise<FactsState> {
  const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
  const [document] = await rowsOf("select document from snapshots order by number desc limit 1");
  if (document === undefined) throw new Error("Corrupt facts file: it has no snapshot");
  const snapshot = JSON.parse(String(document[0])) as Snapshot;
  const passedOver = await rowsOf(
    "select distinct prompt_id from skipped_prompts order by prompt_id",
  );
  return {
    snapshot,
    // An older version's tables are built anew: nothing is added to them.
    mark: snapshot.factsVersion === factsVersion ? await readMark(connection) : recordBeginning,
    passedOver: new Set(passedOver.map(([id]) => String(id))),
  };
}

async function readMark(connection: DuckDBConnection): Promise<RecordMark> {
  const last = "select sequence, stamp from watermarks order by sequence desc limit 1";
  const [mark] = (await connection.runAndReadAll(last)).getRows();
  if (mark === undefined) throw new Error("Corrupt facts file: it has no mark");
  return { sequence: Number(mark[0]), stamp: String(mark[1]) };
}

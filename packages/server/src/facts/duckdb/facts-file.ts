import { randomUUID } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { type DuckDBConnection, INTEGER, VARCHAR } from "@duckdb/node-api";
import { type RecordMark, recordBeginning } from "../../answers/answer-store.ts";
import {
  type NumberColumns,
  type Row,
  type RowShape,
  type Statement,
  sql,
} from "../../platform/sql.ts";
import { eachInTurns } from "../../platform/turns.ts";
import type { FactRows } from "../columns.ts";
import type { FactsState } from "../engine.ts";
import { factsVersion, promptLines, type Snapshot, type SnapshotPrompt } from "../snapshot.ts";
import { type CompactionLimits, compact } from "./compact.ts";
import { Engine } from "./engine.ts";
import { factsTables, layout } from "./layout.ts";
import { appendFactRows } from "./staging.ts";

/**
 * Up to some 50,000 answers. The engine gives each thread 122,880 rows of a table at a time, so
 * that more threads have nothing to do, but cost a question a quarter of its time.
 */
const smallBytesMax = 16 * 1024 * 1024;

/** How a file was opened. */
interface OpenedFile {
  readonly path: string;
  readonly isSmall: boolean;
}

function isSmallFile(path: string): boolean {
  return statSync(path).size <= smallBytesMax;
}

/** One account's facts in one DuckDB file, open. */
export class FactsFile {
  readonly #engine: Engine;
  readonly #path: string;
  /** Opened with one thread. */
  readonly #wasSmall: boolean;
  #state: FactsState;
  /** The log holds what should be in the file, and could not be moved there yet. */
  #isLogLong = false;
  /** Rows that came since it was last looked at what is to be compacted. */
  #rowsSinceLook = Number.POSITIVE_INFINITY;

  private constructor(engine: Engine, state: FactsState, opened: OpenedFile) {
    this.#engine = engine;
    this.#state = state;
    this.#path = opened.path;
    this.#wasSmall = opened.isSmall;
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
    const state = { generation, snapshot, mark: recordBeginning, skippedPrompts };
    return new FactsFile(engine, state, { path, isSmall: false });
  }

  /** Opens a file that is there. @throws the engine's error when it is damaged. */
  static async open(path: string): Promise<FactsFile> {
    const isSmall = isSmallFile(path);
    const engine = await Engine.open(path, isSmall ? { threads: 1 } : {});
    try {
      return new FactsFile(engine, await readState(engine), { path, isSmall });
    } catch (error) {
      engine.close();
      throw error;
    }
  }

  get state(): FactsState {
    return this.#state;
  }

  /** Whether it was opened as a small file, and is none any more: it should be opened again. */
  get hasOutgrown(): boolean {
    return this.#wasSmall && !isSmallFile(this.#path);
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

  /** The columns of a statement; see Engine.columns. */
  columns<Name extends string>(
    statement: Statement<Readonly<Record<Name, "number">>>,
    signal: AbortSignal,
  ): Promise<NumberColumns<Name>> {
    return this.#engine.columns(statement, signal);
  }

  /** Moves the log into the file and closes it; nothing may be under way. */
  close(): void {
    this.#engine.close();
  }
}

/** What an open file says of itself. @throws when it is not complete. */
async function readState(engine: Engine): Promise<FactsState> {
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

/** What the facts of a generation begin with; prompts and topics have tables of their own. */
interface Header extends Omit<Snapshot, "topics" | "prompts"> {
  readonly generation: string;
}

const addTopics = `insert into topics
  select $1 + unnest(generate_series(1, len(ids))), unnest(ids)
  from (select string_split($2, chr(10)) as ids)`;

/** From the lines of promptLines. */
const addPrompts = `insert into prompts
  select $1 + place - 1, split_part(line, ' ', 1), cast(split_part(line, ' ', 2) as integer),
    cast(split_part(line, ' ', 3) as utinyint)
  from (
    select unnest(lines) as line, generate_subscripts(lines, 1) as place
    from (select string_split($2, chr(10)) as lines))`;

/** Adds a snapshot, of which some prompts and topics are there already. */
async function addSnapshot(
  writer: DuckDBConnection,
  { snapshot, generation }: { readonly snapshot: Snapshot; readonly generation: string },
  there: { readonly topics: number; readonly prompts: number },
): Promise<void> {
  const { topics, prompts, ...rest } = snapshot;
  const header: Header = { ...rest, generation };
  const document = JSON.stringify(header);
  await writer.run("insert into snapshots select count(*), $1 from snapshots", [document]);
  const fill = async (statement: string, from: number, lines: string) => {
    await writer.run(statement, [from, lines], [INTEGER, VARCHAR]);
  };
  if (topics.length > there.topics) {
    await fill(addTopics, there.topics, topics.slice(there.topics).join("\n"));
  }
  if (prompts.length > there.prompts) {
    await fill(addPrompts, there.prompts, await promptLines(snapshot, there.prompts));
  }
}

const headerStatement = {
  query: sql`select document from snapshots order by number desc limit 1`,
  shape: { document: "text" },
} as const satisfies Statement<{ document: "text" }>;

const topicsStatement = {
  query: sql`select id from topics order by number`,
  shape: { id: "text" },
} as const satisfies Statement<{ id: "text" }>;

const promptsStatement = {
  query: sql`select prompts.id, topics.id as topic, branded
    from prompts left join topics on topics.number = prompts.topic order by prompts.number`,
  shape: { id: "text", topic: "text or null", branded: "number" },
} as const satisfies Statement<{ id: "text"; topic: "text or null"; branded: "number" }>;

/** The snapshot in force, read in turns; of an older version of the facts, its versions alone. */
async function readSnapshot(
  engine: Engine,
): Promise<{ readonly snapshot: Snapshot; readonly generation: string }> {
  const [row] = await engine.query(headerStatement, neverAborted);
  if (row === undefined) throw new Error("Corrupt facts file: it has no snapshot");
  const { generation = "", ...header } = JSON.parse(row.document) as Header;
  if (header.factsVersion !== factsVersion) {
    return { snapshot: { ...header, topics: [], prompts: [] }, generation };
  }
  const topics = await engine.query(topicsStatement, neverAborted);
  const rows = await engine.query(promptsStatement, neverAborted);
  const prompts: SnapshotPrompt[] = [];
  await eachInTurns(rows, ({ id, topic, branded }) => {
    prompts.push({ id, topicId: topic, branded: branded === 1 });
  });
  return { snapshot: { ...header, topics: topics.map(({ id }) => id), prompts }, generation };
}

/** What a check of an account's facts found. */
interface FactsCheck {
  /** What is wrong; null: nothing. */
  readonly fault: string | null;
  /** Up to which answer of which record they go; null: the fault prevents to know. */
  readonly mark: RecordMark | null;
}

/**
 * Reads every block of an account's facts, and with it its checksum. The file is not changed; no
 * engine of this process may have it open.
 */
export async function checkFacts(path: string): Promise<FactsCheck> {
  let engine: Engine | null = null;
  try {
    engine = await Engine.open(path, { access: "READ_ONLY" });
    const { snapshot, mark } = await readState(engine);
    // Facts of another version are rebuilt: it is enough that they say so.
    const tables = snapshot.factsVersion === factsVersion ? factsTables : [];
    for (const table of tables) {
      // The hash of whole rows makes the engine read every column.
      await engine.writer.run(`select bit_xor(hash(${table})) from ${table}`);
    }
    return { fault: null, mark };
  } catch (error) {
    const [fault = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { fault, mark: null };
  } finally {
    engine?.close();
  }
}

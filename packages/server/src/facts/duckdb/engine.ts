import { availableParallelism } from "node:os";
import {
  BIGINT,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBListType,
  type DuckDBPreparedStatement,
  type DuckDBType,
  INTEGER,
  LIST,
  SMALLINT,
  USMALLINT,
  UTINYINT,
  VARCHAR,
  version,
} from "@duckdb/node-api";
import {
  type Bound,
  checkedValue,
  type Fragment,
  type NumberColumns,
  type Row,
  type RowShape,
  type Statement,
} from "../../platform/sql.ts";
import { inTurns } from "../../platform/turns.ts";
import { stagingLayout } from "./staging.ts";

/** The version of DuckDB that facts are kept with. */
export function duckdbVersion(): string {
  return version();
}

interface Reader {
  readonly connection: DuckDBConnection;
  readonly prepared: PreparedStatements;
}

/** How often a statement that nobody waits for is interrupted until it ends. */
const interruptEveryMs = 20;

/** DuckDB over one open file: one writer and any number of concurrent readers. */
export class Engine {
  readonly writer: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  readonly #idle: Reader[] = [];

  private constructor(instance: DuckDBInstance, writer: DuckDBConnection) {
    this.#instance = instance;
    this.writer = writer;
  }

  /** Opens (and makes) a file. @throws the engine's error when it is damaged. */
  static async open(path: string, how: OpenedHow = {}): Promise<Engine> {
    const instance = await openInstance(path, how);
    try {
      const writer = await instance.connect();
      await writer.run(stagingLayout.join(";\n"));
      return new Engine(instance, writer);
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /**
   * The rows of a statement, from the last committed state. When the signal aborts, the engine is
   * interrupted and the signal's reason thrown. The caller limits concurrency.
   */
  query<Shape extends RowShape>(
    { query, shape }: Statement<Shape>,
    signal: AbortSignal,
  ): Promise<readonly Row<Shape>[]> {
    return this.#read(query, signal, (chunks) => readRows(shape, chunks));
  }

  /** The same as columns: an object of each row is most of the cost of half a million rows. */
  columns<Name extends string>(
    { query, shape }: Statement<Readonly<Record<Name, "number">>>,
    signal: AbortSignal,
  ): Promise<NumberColumns<Name>> {
    return this.#read(query, signal, (chunks) => readColumns(shape, chunks));
  }

  async #read<Result>(
    query: Fragment,
    signal: AbortSignal,
    read: (chunks: Chunks) => Generator<void, Result>,
  ): Promise<Result> {
    const reader = this.#idle.pop() ?? (await this.#newReader());
    let interrupting: NodeJS.Timeout | undefined;
    const interrupt = () => {
      // TRICKY: the engine forgets an interruption that comes before the statement has begun.
      interrupting = setInterval(() => reader.connection.interrupt(), interruptEveryMs);
      reader.connection.interrupt();
    };
    signal.addEventListener("abort", interrupt);
    try {
      signal.throwIfAborted();
      const chunks = await runStatement(reader.connection, reader.prepared, query);
      return await inTurns(read(chunks), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", interrupt);
      clearInterval(interrupting);
      this.#idle.push(reader);
    }
  }

  /** Runs `work` on the writer in one transaction: all of it happens, or nothing. */
  async transaction(work: (writer: DuckDBConnection) => Promise<void>): Promise<void> {
    await this.writer.run("begin");
    try {
      await work(this.writer);
      await this.writer.run("commit");
    } catch (error) {
      await this.writer.run("rollback").catch(() => undefined); // the first error tells more
      throw error;
    }
  }

  /** Moves the log into the file. @returns false when something under way prevents it. */
  async checkpoint(): Promise<boolean> {
    try {
      await this.writer.run("checkpoint");
      return true;
    } catch (error) {
      if (/Cannot CHECKPOINT/.test(String(error))) return false;
      throw error;
    }
  }

  /** Closes the file, its log moved into it; no statement may be under way. */
  close(): void {
    for (const { connection, prepared } of this.#idle) {
      for (const statement of prepared.values()) statement.destroySync();
      connection.closeSync();
    }
    this.writer.closeSync();
    this.#instance.closeSync();
  }

  async #newReader(): Promise<Reader> {
    return { connection: await this.#instance.connect(), prepared: new Map() };
  }
}

/** What one account's engine may hold in memory before it spills or refuses. */
const memoryLimit = "1GB";

/** How a file is opened. */
interface OpenedHow {
  readonly access?: "READ_WRITE" | "READ_ONLY";
  /** Of the engine; omitted: all cores. */
  readonly threads?: number;
}

/**
 * Opens (and makes) a DuckDB file that can reach nothing but itself: no other file, no network, no
 * extension, and none of this can be set back.
 */
function openInstance(
  path: string,
  // A board of panels waits for the engine: with all cores its year takes two thirds of the time.
  { access = "READ_WRITE", threads = availableParallelism() }: OpenedHow,
): Promise<DuckDBInstance> {
  return DuckDBInstance.create(path, {
    access_mode: access,
    threads: String(threads),
    memory_limit: memoryLimit,
    // Groups of up to 2^20 numbers are counted in an array: twice as fast as in a hash table.
    perfect_ht_threshold: "20",
    enable_external_access: "false",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    lock_configuration: "true",
  });
}

/** Statements of one connection that are prepared already, by their text. */
type PreparedStatements = Map<string, DuckDBPreparedStatement>;

/** A statement's result: chunks of columns side by side, in order. */
type Chunks = readonly DuckDBDataChunk[];

/**
 * The most statements that stay prepared on a connection; the closed set of texts is about so
 * large.
 */
const preparedMax = 200;

/** Runs a statement and gives its result. The connection runs one statement at a time. */
async function runStatement(
  connection: DuckDBConnection,
  prepared: PreparedStatements,
  { texts, values }: Fragment,
): Promise<Chunks> {
  const text = texts.join("?");
  let statement = prepared.get(text);
  if (statement === undefined) {
    if (prepared.size >= preparedMax) forget(prepared);
    statement = await connection.prepare(text);
    // TRICKY: a statement with values is planned again each time. One without keeps its plan, and
    // with it the least and greatest value of each column: once there is more, it counts wrong.
    if (values.length > 0) prepared.set(text, statement);
  }
  for (const [index, value] of values.entries()) bind(statement, index + 1, value);
  // The result is complete when it comes: its chunks are taken without another turn of the pool.
  const result = await statement.run();
  return Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index));
}

/**
 * The rows of a result, in order; it can be paused after each chunk. @throws when a value is not
 * what the shape says, which only a statement of ours that is wrong can cause.
 */
function* readRows<Shape extends RowShape>(
  shape: Shape,
  chunks: Chunks,
): Generator<void, readonly Row<Shape>[]> {
  const kinds = Object.entries(shape);
  const rows: Row<Shape>[] = [];
  for (const chunk of chunks) {
    checkColumns(chunk, kinds.length);
    const columns = kinds.map(([name, kind], index) => {
      return { name, kind, vector: chunk.getColumnVector(index) };
    });
    const { rowCount } = chunk;
    for (let row = 0; row < rowCount; row++) {
      const values: Record<string, unknown> = {};
      for (const { name, kind, vector } of columns) {
        values[name] = checkedValue(name, kind, vector.getItem(row));
      }
      rows.push(values as Row<Shape>);
    }
    yield;
  }
  return rows;
}

/** The columns of a result; as readRows. */
function* readColumns<Name extends string>(
  shape: Readonly<Record<Name, "number">>,
  chunks: Chunks,
): Generator<void, NumberColumns<Name>> {
  const names = Object.keys(shape);
  const size = chunks.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const columns = names.map((name) => [name, new Float64Array(size)] as const);
  let first = 0;
  for (const chunk of chunks) {
    checkColumns(chunk, names.length);
    const { rowCount } = chunk;
    for (const [index, [name, values]] of columns.entries()) {
      const vector = chunk.getColumnVector(index);
      for (let row = 0; row < rowCount; row++) {
        values[first + row] = checkedValue(name, "number", vector.getItem(row)) as number;
      }
    }
    first += rowCount;
    yield;
  }
  return Object.fromEntries(columns) as NumberColumns<Name>;
}

function checkColumns({ columnCount }: DuckDBDataChunk, expected: number): void {
  if (columnCount === expected) return;
  throw new Error(`facts: ${columnCount} columns came, ${expected} were expected`);
}

function forget(prepared: PreparedStatements): void {
  for (const statement of prepared.values()) statement.destroySync();
  prepared.clear();
}

/** The engine's types of the values that facts are asked with. */
const types: Partial<Record<Bound["type"], DuckDBType>> = {
  UInt8: UTINYINT,
  UInt16: USMALLINT,
  Int16: SMALLINT,
  Int32: INTEGER,
  Int64: BIGINT,
  String: VARCHAR,
  "Array(Int32)": LIST(INTEGER),
  "Array(Int64)": LIST(BIGINT),
  "Array(String)": LIST(VARCHAR),
};

function bind(statement: DuckDBPreparedStatement, place: number, { type, value }: Bound): void {
  const own = types[type];
  if (own === undefined) throw new Error(`facts: no value of type ${type} can be bound`);
  if (typeof value === "object") statement.bindList(place, value, own as DuckDBListType);
  else statement.bindValue(place, type === "Int64" ? BigInt(value) : value, own);
}

const fullSigns = /no space left|disk (is )?full|ENOSPC|not enough (disk )?space/i;
const suspectSigns =
  /corrupt|checksum|invalidated|not a valid DuckDB|serialization error|IO Error|INTERNAL Error/i;
/**
 * What the check says of bytes that are not what the engine wrote. "IO Error" alone is not among
 * them: so begin the messages about locks, permissions and too many open files, too.
 */
const damageSigns = new RegExp(
  "corrupt|checksum|not a valid DuckDB|read enough bytes|serialization error|" +
    "INTERNAL Error|Catalog Error|version number",
  "i",
);

/**
 * What an engine's error says: the disk is full (the facts are good, and the engine must be opened
 * again), the file may be damaged (the engine's check of the whole file tells), or neither.
 */
export function engineFault(error: unknown): "disk-full" | "suspect" | "other" {
  const text = error instanceof Error ? error.message : String(error);
  if (fullSigns.test(text)) return "disk-full";
  return suspectSigns.test(text) ? "suspect" : "other";
}

/** Whether a fault that the engine's check found is damage of the file. */
export function isDamage(fault: string): boolean {
  return damageSigns.test(fault);
}

/** The fields of a line of answers, as an import takes them. */
const columns = [
  ...["id VARCHAR", "promptId VARCHAR", "provider VARCHAR", "region VARCHAR"],
  ...["answeredAt VARCHAR", "outcome VARCHAR", "text VARCHAR", "model VARCHAR"],
  "citations STRUCT(url VARCHAR, title VARCHAR, cited BOOLEAN, spans INTEGER[][])[]",
  ...["surface VARCHAR", "sample INTEGER", "metadata JSON", "searchQueries VARCHAR[]"],
  "cost STRUCT(amount DOUBLE, currency VARCHAR, estimated BOOLEAN)",
  ...["vendor VARCHAR", "requestedRegion VARCHAR"],
];

/** A line may be as long as an import takes it, and longer: numbers are written out. */
const lineBytesMax = 64 * 1024 * 1024;

/**
 * Writes the lines of an answers file as Parquet (zstd), in their order, with what an import takes
 * for granted filled in. DuckDB only writes the file: nothing of an account is opened.
 */
export async function writeAnswersParquet(lines: string, target: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1", memory_limit: "1GB" });
  try {
    const connection = await instance.connect();
    // COPY takes no bound values.
    await connection.run(
      `copy (
        select id, promptId as prompt_id, provider, region,
          cast(answeredAt as timestamp) as answered_at,
          coalesce(outcome, 'answered') as outcome, text, citations, model, surface,
          coalesce(sample, 0) as sample, metadata, searchQueries as search_queries, cost, vendor,
          requestedRegion as requested_region
        from read_json(
          ${quoted(lines)}, format = 'newline_delimited',
          maximum_object_size = ${lineBytesMax},
          columns = {${columns.map((column) => column.replace(/ (.*)/, ": '$1'")).join(", ")}}
        )
      ) to ${quoted(target)} (format parquet, compression zstd)`,
    );
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

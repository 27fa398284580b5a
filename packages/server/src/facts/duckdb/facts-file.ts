import { rmSync } from "node:fs";
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import type { FactRows } from "../fact-rows.ts";
import type { Snapshot } from "../snapshot.ts";
import { appendColumns } from "./append-columns.ts";
import {
  appearanceColumns,
  layout,
  passedOverColumns,
  stagedColumns,
  stagingLayout,
  stagingSteps,
} from "./layout.ts";
import { openInstance } from "./open-instance.ts";
import { type PreparedStatements, runStatement } from "./run-statement.ts";
import type { Statement } from "./statements.ts";

/** What a facts file says of itself. */
export interface FactsState {
  readonly snapshot: Snapshot;
  /** Place in the record up to which (and with which) all answers are in the facts. */
  readonly watermark: number;
  /** Prompts whose answers were read and left out, being retired. */
  readonly passedOver: ReadonlySet<string>;
}

interface Reader {
  readonly connection: DuckDBConnection;
  readonly prepared: PreparedStatements;
}

/** One account's facts in one DuckDB file: one writer, a few readers. */
export class FactsFile {
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  readonly #idle: Reader[] = [];
  #state: FactsState;

  private constructor(instance: DuckDBInstance, writer: DuckDBConnection, state: FactsState) {
    this.#instance = instance;
    this.#writer = writer;
    this.#state = state;
  }

  /** Makes a new, empty file in the place of any that is there. */
  static async create(path: string, snapshot: Snapshot): Promise<FactsFile> {
    for (const file of [path, `${path}.wal`]) rmSync(file, { force: true });
    const instance = await openInstance(path);
    const writer = await instance.connect();
    await writer.run("begin");
    for (const statement of layout) await writer.run(statement);
    await addSnapshot(writer, snapshot);
    await writer.run("insert into marks values (0)");
    await writer.run("commit");
    await writer.run("checkpoint");
    return FactsFile.#over(instance, writer);
  }

  /** Opens a file that is there. @throws the engine's error when it is damaged. */
  static async open(path: string): Promise<FactsFile> {
    const instance = await openInstance(path);
    try {
      return await FactsFile.#over(instance, await instance.connect());
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  static async #over(instance: DuckDBInstance, writer: DuckDBConnection): Promise<FactsFile> {
    await writer.run(stagingLayout);
    return new FactsFile(instance, writer, await readState(writer));
  }

  get state(): FactsState {
    return this.#state;
  }

  /** Adds a batch and moves the watermark, in one transaction. */
  async append(rows: FactRows): Promise<void> {
    await this.#inTransaction(async () => {
      const { appearances, citations } = rows;
      await appendColumns(this.#writer, appearancesTable, [
        appearances.answeredAt.map(BigInt),
        appearances.day,
        appearances.month,
        appearances.prompt,
        appearances.topic,
        appearances.provider,
        appearances.region,
        appearances.branded.map(Boolean),
        appearances.entity,
        appearances.mentioned,
        appearances.cited,
        appearances.visible,
        appearances.rank,
      ]);
      await appendColumns(this.#writer, stagedTable, [
        citations.answeredAt.map(BigInt),
        citations.day,
        citations.month,
        citations.prompt,
        citations.topic,
        citations.provider,
        citations.region,
        citations.branded.map(Boolean),
        citations.url,
        citations.domain,
      ]);
      if (citations.url.length > 0) for (const step of stagingSteps) await this.#writer.run(step);
      const passedOver = rows.passedOver.filter((id) => !this.#state.passedOver.has(id));
      await appendColumns(this.#writer, passedOverTable, [passedOver]);
      await this.#writer.run("insert into marks values ($1)", [BigInt(rows.lastSequence)]);
    });
    const passedOver = new Set([...this.#state.passedOver, ...rows.passedOver]);
    this.#state = { ...this.#state, watermark: rows.lastSequence, passedOver };
  }

  /** Goes on with a snapshot that only adds prompts and topics to the one in force. */
  async extend(snapshot: Snapshot): Promise<void> {
    await this.#inTransaction(() => addSnapshot(this.#writer, snapshot));
    this.#state = { ...this.#state, snapshot };
  }

  /**
   * The rows of a statement, from the last committed state. When the signal aborts, the engine is
   * interrupted and the signal's reason thrown. How many run at once is the caller's concern.
   */
  async query(
    statement: Statement,
    signal: AbortSignal,
  ): Promise<readonly (readonly DuckDBValue[])[]> {
    const reader = this.#idle.pop() ?? (await this.#newReader());
    const interrupt = () => reader.connection.interrupt();
    signal.addEventListener("abort", interrupt);
    try {
      signal.throwIfAborted();
      return await runStatement(reader.connection, reader.prepared, statement);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", interrupt);
      this.#idle.push(reader);
    }
  }

  /** Moves everything from the log into the file. */
  async checkpoint(): Promise<void> {
    await this.#writer.run("checkpoint");
  }

  /** Closes the file; no statement may be under way. */
  close(): void {
    for (const { connection, prepared } of this.#idle) {
      for (const statement of prepared.values()) statement.destroySync();
      connection.closeSync();
    }
    this.#writer.closeSync();
    this.#instance.closeSync();
  }

  async #newReader(): Promise<Reader> {
    return { connection: await this.#instance.connect(), prepared: new Map() };
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    await this.#writer.run("begin");
    try {
      await work();
      await this.#writer.run("commit");
    } catch (error) {
      await this.#writer.run("rollback").catch(() => undefined); // the first error tells more
      throw error;
    }
  }
}

const appearancesTable = { table: "appearances", columns: appearanceColumns };
const stagedTable = { table: "staged", columns: stagedColumns };
const passedOverTable = { table: "passed_over", columns: passedOverColumns };

async function addSnapshot(writer: DuckDBConnection, snapshot: Snapshot): Promise<void> {
  await writer.run("insert into snapshots select count(*), $1 from snapshots", [
    JSON.stringify(snapshot),
  ]);
}

async function readState(writer: DuckDBConnection): Promise<FactsState> {
  const one = async (sql: string) => (await writer.runAndReadAll(sql)).getRows();
  const [snapshot] = await one("select document from snapshots order by number desc limit 1");
  const [mark] = await one("select max(sequence) from marks");
  const passedOver = await one("select distinct prompt_id from passed_over order by prompt_id");
  if (snapshot === undefined || mark === undefined)
    throw new Error("the facts file is not complete");
  return {
    snapshot: JSON.parse(String(snapshot[0])) as Snapshot,
    watermark: Number(mark[0]),
    passedOver: new Set(passedOver.map(([id]) => String(id))),
  };
}

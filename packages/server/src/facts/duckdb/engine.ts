import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { Row, RowShape } from "../../platform/row-shape.ts";
import type { Statement } from "../../platform/sql.ts";
import { inTurns } from "../../platform/turns.ts";
import { openInstance } from "./open-instance.ts";
import { type PreparedStatements, readRows, runStatement } from "./run-statement.ts";
import { stagingLayout } from "./staging.ts";

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
  static async open(path: string, access?: "READ_ONLY"): Promise<Engine> {
    const instance = await openInstance(path, access);
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
  async query<Shape extends RowShape>(
    { query, shape }: Statement<Shape>,
    signal: AbortSignal,
  ): Promise<readonly Row<Shape>[]> {
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
      return await inTurns(readRows(shape, chunks), signal);
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

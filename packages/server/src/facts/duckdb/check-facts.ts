import type { DuckDBInstance } from "@duckdb/node-api";
import type { RecordMark } from "../../answers/answer-store.ts";
import { readState } from "./facts-file.ts";
import { factsTables } from "./layout.ts";
import { openInstance } from "./open-instance.ts";

/** What a check of an account's facts found. */
export interface FactsCheck {
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
  let instance: DuckDBInstance | null = null;
  try {
    instance = await openInstance(path, "READ_ONLY");
    const connection = await instance.connect();
    // The hash of whole rows makes the engine read every column.
    for (const table of factsTables) {
      await connection.run(`select bit_xor(hash(${table})) from ${table}`);
    }
    const { mark } = await readState(connection);
    connection.closeSync();
    return { fault: null, mark };
  } catch (error) {
    const [fault = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { fault, mark: null };
  } finally {
    instance?.closeSync();
  }
}

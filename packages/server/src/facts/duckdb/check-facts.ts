import { DuckDBInstance } from "@duckdb/node-api";
import { factsTables } from "./layout.ts";

/**
 * What is wrong with an account's facts: every block is read, and with it its checksum. Empty:
 * nothing. The file is not changed.
 */
export async function checkFacts(path: string): Promise<readonly string[]> {
  let instance: DuckDBInstance | null = null;
  try {
    instance = await DuckDBInstance.create(path, { access_mode: "READ_ONLY" });
    const connection = await instance.connect();
    // The hash of whole rows makes the engine read every column.
    for (const table of factsTables) {
      await connection.run(`select bit_xor(hash(${table})) from ${table}`);
    }
    connection.closeSync();
    return [];
  } catch (error) {
    return [error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)];
  } finally {
    instance?.closeSync();
  }
}

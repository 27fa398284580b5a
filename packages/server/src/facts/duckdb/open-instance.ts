import { availableParallelism } from "node:os";
import { DuckDBInstance } from "@duckdb/node-api";

/** What one account's engine may hold in memory before it spills or refuses. */
const memoryLimit = "1GB";

/** A board of panels waits for the engine: with all cores its year takes two thirds of the time. */
const threads = availableParallelism();

/**
 * Opens (and makes) a DuckDB file that can reach nothing but itself: no other file, no network, no
 * extension, and none of this can be set back.
 */
export function openInstance(
  path: string,
  access: "READ_WRITE" | "READ_ONLY" = "READ_WRITE",
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

/**
 * What an engine's error says: the disk is full (the facts are good, and the engine must be opened
 * again), the file is damaged (it must be built anew), or neither.
 */
export type EngineFailure = "disk-full" | "damaged" | "other";

const fullSigns = /no space left|disk (is )?full|ENOSPC|not enough (disk )?space/i;
const damageSigns =
  /corrupt|checksum|invalidated|not a valid DuckDB|serialization error|IO Error|INTERNAL/i;

/** What an engine's error says of its file. */
export function engineFailure(error: unknown): EngineFailure {
  const text = error instanceof Error ? error.message : String(error);
  if (fullSigns.test(text)) return "disk-full";
  return damageSigns.test(text) ? "damaged" : "other";
}

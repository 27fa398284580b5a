const damageSigns =
  /corrupt|checksum|invalidated|not a valid DuckDB|serialization error|IO Error|INTERNAL/i;

/** Whether an engine's error says that the file, not the question, is at fault. */
export function isDamage(error: unknown): boolean {
  return damageSigns.test(error instanceof Error ? error.message : String(error));
}

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

/** The columns of Sightline's own CSV: the fields of a line. */
const ownColumns: ReadonlySet<string> = new Set([
  ...["id", "promptId", "prompt", "provider", "region", "answeredAt", "outcome", "text"],
  ...["citations", "model", "surface", "sample", "metadata", "searchQueries", "cost", "vendor"],
  "requestedRegion",
]);

/**
 * Whether a file's first bytes are those of CSV that the service reads as it is: UTF-8, and a first
 * line of its own columns, with commas. Anything else needs a mapping.
 */
export function isOwnCsv(head: Uint8Array): boolean {
  const [line = ""] = new TextDecoder().decode(head).split(/\r?\n/);
  const names = line.split(",", ownColumns.size + 1).map((name) => name.replaceAll('"', "").trim());
  return names.includes("provider") && names.every((name) => ownColumns.has(name));
}

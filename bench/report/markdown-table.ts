/** A table as Markdown, a line each; all columns but the first are figures. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const sides = head.map((_, place) => (place === 0 ? "---" : "---:"));
  return [line(head), line(sides), ...rows.map(line)];
}

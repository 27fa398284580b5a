const columnsMax = 120;

/** A paragraph or a list entry as Markdown, broken into lines of at most 120 columns. */
export function prose(text: string): readonly string[] {
  const indent = text.startsWith("- ") ? "  " : "";
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columnsMax) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(last === undefined ? word : `${indent}${word}`);
    }
  }
  return lines;
}

/** A table as Markdown, a line each; all columns but the first are figures. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const sides = head.map((_, place) => (place === 0 ? "---" : "---:"));
  return [line(head), line(sides), ...rows.map(line)];
}

import type { Command } from "commander";

/** A command line and what it is for. */
export type Example = readonly [line: string, purpose: string];

const widthMax = 76;

/** Adds examples to the end of a command's help: the purpose above, the line to copy below it. */
export function withExamples(command: Command, ...examples: readonly Example[]): Command {
  const lines = examples.map(([line, purpose]) => `  # ${purpose}\n${folded(line)}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** A long line is broken as a shell takes it. */
function folded(line: string): string {
  const rows = [" "];
  for (const word of line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []) {
    const row = `${rows.at(-1)} ${word}`;
    if (row.length <= widthMax) rows[rows.length - 1] = row;
    else rows.push(`      ${word}`);
  }
  return rows.join(" \\\n");
}

import { findInLines, type Rule } from "./rule.ts";
import { isTypeScript } from "./sources.ts";

const columnsMax = 100;

/** Biome breaks lines of code; this sees comments and texts too. */
export const lineWidth: Rule = {
  name: "line-width",
  remedy: "break the line; a text that must stay whole is an exception with its reason.",
  check: (tree) =>
    findInLines(tree, isTypeScript, (line) => {
      const size = [...line].length;
      if (size <= columnsMax) return undefined;
      const subject = line.trim().slice(0, 40);
      return { subject, size, message: `has ${size} columns; the limit is ${columnsMax}` };
    }),
  refuses: { "a wide line": { "a.ts": `// ${"a".repeat(98)}` } },
  accepts: {
    "a line at its limit": { "a.ts": `// ${"a".repeat(97)}` },
    "signs of two code units": { "a.ts": `// ${"🦊".repeat(97)}` },
    "a wide line of prose": { "a.md": "a".repeat(300) },
  },
};

/** How many lines a text has; a line break at its end starts no further line. */
export function lineCount(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

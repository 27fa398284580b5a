import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, root } from "./blocks.ts";

interface Notebook {
  readonly nbformat: number;
  readonly cells: readonly Cell[];
}

interface Cell {
  readonly id: string;
  readonly cell_type: string;
  readonly source: readonly string[];
  readonly outputs?: readonly unknown[];
  readonly execution_count?: number | null;
}

/** The code cells of the notebook as one program. Nothing that a run left behind is in the file. */
export function notebookProgram(): Block {
  const page = "docs/notebook/sightline.ipynb";
  const { nbformat, cells }: Notebook = JSON.parse(readFileSync(join(root, page), "utf8"));
  assert.equal(nbformat, 4);
  assert.equal(new Set(cells.map(({ id }) => id)).size, cells.length);
  const code = cells.filter(({ cell_type }) => cell_type === "code");
  assert.ok(code.length >= 5);
  for (const { outputs, execution_count } of code) {
    assert.deepEqual([outputs, execution_count], [[], null]);
  }
  const text = code.map(({ source }) => source.join("")).join("\n\n");
  return { page, line: 1, language: "python", text };
}

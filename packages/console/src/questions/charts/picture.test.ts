import assert from "node:assert/strict";
import { test } from "node:test";
import { captionLines } from "./picture.ts";

const widthOf = ({ length }: string): number => length * 7;

test("a picture says what it is of in as many lines as its width needs", () => {
  const caption = {
    title: "Mentions · Tarnfell · 2 Sept – 24 Nov 2026 (UTC)",
    notes: ["ChatGPT", "Germany", "n = 1,240 answers"],
    definition: "Answers that name it, of all answers.",
    line: "Tarnfell with its 95 % interval",
    dotted: "Tarnfell, 10 Jun – 1 Sept 2026 (UTC)",
    dashed: "part of a week",
    marked: ["5 Oct: other models: Grok", "2 Nov: 3 prompts first answered"],
  };
  assert.deepEqual(captionLines(caption, 1_000, widthOf), [
    { text: caption.title, kind: "title" },
    { text: "ChatGPT · Germany · n = 1,240 answers", kind: "note" },
    { text: caption.definition, kind: "note" },
    { text: caption.line, kind: "line" },
    { text: caption.dotted, kind: "dotted" },
    { text: caption.dashed, kind: "dashed" },
    { text: "5 Oct: other models: Grok · 2 Nov: 3 prompts first answered", kind: "marked" },
  ]);
  const narrow = captionLines({ ...caption, dotted: null, dashed: null, marked: [] }, 200, widthOf);
  assert.deepEqual(
    narrow.map(({ text }) => text),
    [
      ...["Mentions · Tarnfell", "2 Sept – 24 Nov 2026 (UTC)", "ChatGPT · Germany"],
      ...["n = 1,240 answers", "Answers that name it, of all", "answers.", caption.line],
    ],
  );
});

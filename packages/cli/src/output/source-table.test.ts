import assert from "node:assert/strict";
import { test } from "node:test";
import { bar, sourceTable } from "../questions/ask-sources.ts";

const plain = { width: 60, colour: false, isTerminal: true };
const asked = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };

test("place, citations, share of all and a bar of it; where to go on", () => {
  const reply = {
    groupBy: "url" as const,
    sources: [
      {
        source: "https://reviews.example/a-very-long-path/that-is-cut",
        citations: 1200,
        share: 0.6,
      },
      { source: "https://a.example/\u001b[2J", citations: 300, share: 0.15 },
      { source: "https://b.example/", citations: 1, share: 0.0005 },
    ],
    pagination: { total: 2_000, limit: 3, offset: 20, hasMore: true },
  };
  assert.deepEqual(sourceTable(reply, asked, plain), [
    "URLs most often cited",
    "pairs of an answer and a URL; 2026-01-01 to before 2026-02-01 (UTC)",
    "",
    "    source                           citations   share",
    "21  https://reviews.example/a-very…      1,200  60.00%  ████",
    "22  https://a.example/\\u{1b}[2J            300  15.00%  █",
    "23  https://b.example/                       1   0.05%",
    "",
    "21 to 23 of 2,000; continue with --offset 23, or --all",
  ]);
});

test("no source", () => {
  const pagination = { total: 0, limit: 20, offset: 0, hasMore: false };
  const lines = sourceTable({ groupBy: "domain", sources: [], pagination }, asked, plain);
  assert.deepEqual([lines[0], lines.at(-1)], ["Domains most often cited", "none of 0"]);
});

test("a bar is drawn in eighths, never beyond its room", () => {
  assert.deepEqual(
    [0, 1 / 16, 0.5, 1, 2, -1].map((part) => bar(part, 2)),
    ["", "▏", "█", "██", "██", ""],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type BoardChoice, type BoardRow, shownRows, tagsOf } from "./rows.ts";

function row(name: string, mentions: number | null, more: Partial<BoardRow> = {}): BoardRow {
  const value = (of: number | null) => {
    return { value: of, n: 10, low: null, high: null, change: null, verdict: null, points: [] };
  };
  const metrics =
    mentions === null
      ? null
      : {
          mentions: value(mentions),
          citations: value(null),
          visibility: value(mentions),
          rank: value(1),
        };
  return {
    id: name,
    name,
    role: "viewer",
    brand: `${name} Ltd`,
    state: metrics === null ? "empty" : "ready",
    metrics,
    lastAnswer: null,
    failedSweeps: 0,
    ...more,
  };
}

const rows = [
  row("Bolt", 0.2, { tags: ["retail", "de"], lastAnswer: "2026-11-01T00:00:00.000Z" }),
  row("acme", null, { tags: ["retail"], failedSweeps: 3 }),
  row("Cole", 0.4, { brand: null, lastAnswer: "2026-11-03T00:00:00.000Z" }),
];

const byName = { key: "name", descending: false } as const;
const names = (choice: Partial<BoardChoice>) =>
  shownRows(rows, { search: "", tags: [], sorting: byName, ...choice }).map(({ name }) => name);

test("accounts are found by name, brand and tag", () => {
  assert.deepEqual(names({}), ["acme", "Bolt", "Cole"]);
  assert.deepEqual(names({ search: "LTD bo" }), ["Bolt"]);
  assert.deepEqual(names({ search: "retail" }), ["acme", "Bolt"]);
  assert.deepEqual(names({ tags: ["de"] }), ["Bolt"]);
  assert.deepEqual(names({ search: "nobody" }), []);
  assert.deepEqual(tagsOf(rows), ["de", "retail"]);
});

test("an account without a value is last, whichever way the table is sorted", () => {
  const by = (key: string, descending: boolean) => names({ sorting: { key, descending } });
  assert.deepEqual(by("mentions", true), ["Cole", "Bolt", "acme"]);
  assert.deepEqual(by("mentions", false), ["Bolt", "Cole", "acme"]);
  assert.deepEqual(by("answer", true), ["Cole", "Bolt", "acme"]);
  assert.deepEqual(by("failed", true), ["acme", "Bolt", "Cole"]);
  assert.deepEqual(by("name", true), ["Cole", "Bolt", "acme"]);
  assert.deepEqual(by("citations", true), ["acme", "Bolt", "Cole"], "equal ones by name");
});

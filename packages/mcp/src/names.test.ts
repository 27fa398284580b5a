import assert from "node:assert/strict";
import { test } from "node:test";
import { isId, type NameKind, namedBy } from "./names.ts";
import { ToolFault } from "./tool-fault.ts";

const id = (last: number) => `aaaaaaaa-0000-4000-8000-00000000000${last}`;
const kind: NameKind = { singular: "topic", advice: "See the list.", charactersMax: 20 };
const known = [
  { id: id(1), name: "Storage" },
  { id: id(2), name: "Éterne\u200b Cloud" },
  { id: id(3), name: "Twice" },
  { id: id(4), name: "twice" },
  { id: id(5), name: "A name that is longer than twenty" },
];

test("an id, a name in any case and form, and a name as it was shown", () => {
  for (const [given, last] of [
    [id(1), 1],
    [id(1).toUpperCase(), 1],
    [" storage ", 1],
    ["E\u0301TERNE cloud", 2],
    ["A name that is longer than twenty", 5],
    ["a name that is longe…", 5],
    [id(4), 4],
  ] as const) {
    assert.equal(namedBy(given, kind, known).id, id(last), given);
  }
  assert.deepEqual([isId(id(1)), isId(id(1).slice(1)), isId(`${id(1)}\n`)], [true, false, false]);
});

test("an unknown name: the nearest, or all; several of one name: their ids", () => {
  const refused = (given: string, list = known) => {
    try {
      namedBy(given, kind, list);
    } catch (error) {
      assert.ok(error instanceof ToolFault);
      return error.message;
    }
    return assert.fail(given);
  };
  assert.equal(refused("Strage"), 'There is no topic "Strage". Did you mean "Storage"?');
  assert.equal(refused("x", []), 'There is no topic "x". There are none. See the list.');
  assert.equal(
    refused("TWICE"),
    `"TWICE" is the name of 2 topics. Say which by its id: ${id(3)}, ${id(4)}.`,
  );
  const many = Array.from({ length: 12 }, (_, index) => ({ id: id(1), name: `Name ${index}` }));
  assert.match(
    refused("else", many),
    /There are: "Name 0", .*"Name 9", and 2 more\. See the list\.$/,
  );
  assert.ok(refused("z".repeat(5_000)).length < 300);
});

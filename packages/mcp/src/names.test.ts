import assert from "node:assert/strict";
import { test } from "node:test";
import { isId, type NameKind, namedBy } from "./names.ts";
import type { InTurns } from "./tool.ts";
import { ToolFault } from "./tool-fault.ts";

const id = (last: number) => `aaaaaaaa-0000-4000-8000-00000000000${last}`;
interface Topic {
  readonly id: string;
  readonly name: string;
}
const kind: NameKind<Topic> = {
  singular: "topic",
  nameOf: ({ name }) => name,
  advice: "See the list.",
  charactersMax: 20,
};
const inTurns: InTurns = async (items, each) => items.forEach(each);
const topics: readonly Topic[] = [
  { id: id(1), name: "Storage" },
  { id: id(2), name: "Éterne\u200b Cloud" },
  { id: id(3), name: "Twice" },
  { id: id(4), name: "twice" },
  { id: id(5), name: "A name that is longer than twenty" },
];

test("an id, a name in any case and form, and a name as it was shown", async () => {
  for (const [given, last] of [
    [id(1), 1],
    [id(1).toUpperCase(), 1],
    [" storage ", 1],
    ["E\u0301TERNE cloud", 2],
    ["A name that is longer than twenty", 5],
    ["a name that is longe…", 5],
    [id(4), 4],
  ] as const) {
    const found = await namedBy(given, { kind, known: topics, inTurns });
    assert.equal(found.id, id(last), given);
  }
  assert.deepEqual([isId(id(1)), isId(id(1).slice(1)), isId(`${id(1)}\n`)], [true, false, false]);
});

test("an unknown name: the nearest, or all; several of one name: their ids", async () => {
  const refused = async (given: string, known = topics) => {
    try {
      await namedBy(given, { kind, known, inTurns });
    } catch (error) {
      assert.ok(error instanceof ToolFault);
      return error.message;
    }
    return assert.fail(given);
  };
  assert.equal(await refused("Strage"), 'There is no topic "Strage". Did you mean "Storage"?');
  assert.equal(await refused("x", []), 'There is no topic "x". There are none. See the list.');
  assert.equal(
    await refused("TWICE"),
    `"TWICE" is the name of 2 topics. Say which by its id: ${id(3)}, ${id(4)}.`,
  );
  const many = Array.from({ length: 12 }, (_, index) => ({ id: id(1), name: `Name ${index}` }));
  assert.match(
    await refused("else", many),
    /There are: "Name 0", .*"Name 9", and 2 more\. See the list\.$/,
  );
  assert.ok((await refused("z".repeat(5_000))).length < 300);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  draftOf,
  fileOfDraft,
  plainEntity,
  withAlias,
  withEntity,
  withIgnored,
  withPrompt,
} from "./draft.ts";
import { changesOf, editedFields, mergedDraft } from "./draft-changes.ts";

const names = { caseSensitive: false, aliases: [], domains: [] };
const base = draftOf({
  account: { id: "a", name: "Acme" },
  brand: { id: "b", name: "Acme", ...names, domains: ["acme.example"] },
  competitors: [{ id: "c", name: "Globex", ...names }],
  topics: [{ id: "t", name: "Anvils" }],
  prompts: [{ id: "p", text: "Which anvil?", paused: false }],
});

test("an edit is said field by field, and what is new or unchanged is not", () => {
  const { brand } = base;
  const [prompt] = base.prompts;
  assert.ok(prompt !== undefined);
  const aliases = ["Acme Labs", "ACME"].map((name) => ({ name, caseSensitive: name === "ACME" }));
  const edited = withEntity(base, { ...brand, aliases, domains: ["acme.test"] });
  const draft = withPrompt(withEntity(edited, plainEntity("Initech")), {
    ...prompt,
    topic: "t",
    branded: true,
  });
  assert.deepEqual(
    [...editedFields(base, draft)],
    [
      [
        "b",
        [
          "alias added: Acme Labs, ACME (match case)",
          "domain added: acme.test",
          "domain removed: acme.example",
        ],
      ],
      ["p", ["branded: by its text → yes", "topic: none → Anvils"]],
    ],
  );
  assert.deepEqual([...editedFields(base, base)], []);
});

test("a long list of aliases is counted from the seventh on", () => {
  const aliases = Array.from({ length: 9 }, (_, at) => ({ name: `a${at}`, caseSensitive: false }));
  const draft = withEntity(base, { ...base.brand, aliases });
  assert.deepEqual(editedFields(base, draft).get("b"), [
    "alias added: a0, a1, a2, a3, a4, a5, and 3 others",
  ]);
});

test("an edit of collection is a change, said field by field", () => {
  const before = { ...base, collection: { cron: "0 6 * * *", samples: 2 } };
  const caps = { dollarsPerDay: 5 };
  const draft = { ...base, collection: { samples: 2, cron: "0 6 * * 1", caps } };
  assert.equal(changesOf(before, draft).count, 1);
  assert.equal(
    changesOf(before, { ...base, collection: { samples: 2, cron: "0 6 * * *" } }).count,
    0,
  );
  assert.deepEqual(
    [...editedFields(before, draft)],
    [
      [
        "a",
        ["collection, schedule: 0 6 * * * → 0 6 * * 1", "collection, caps: none → dollarsPerDay 5"],
      ],
    ],
  );
});

test("edits of collection are made to what others saved, also what was taken out", () => {
  const before = { ...base, collection: { cron: "0 6 * * *", samples: 2 } };
  const mine = { ...base, collection: { samples: 2, regions: ["DE"] } };
  const theirs = { ...base, collection: { cron: "0 6 * * *", samples: 3, mixSurfaces: true } };
  const merged = mergedDraft(before, mine, theirs);
  assert.deepEqual(merged.collection, { samples: 3, mixSurfaces: true, regions: ["DE"] });
  assert.equal(mergedDraft(before, base, before).collection, undefined);
});

test("ignored names and new aliases are changes, said in words and merged", () => {
  const ignored = withIgnored(withAlias(base, "c", "Globex Labs"), "Weidenau");
  assert.equal(changesOf(base, ignored).count, 2);
  assert.deepEqual(
    [...editedFields(base, ignored)],
    [
      ["c", ["alias added: Globex Labs"]],
      ["a", ["ignored name added: Weidenau"]],
    ],
  );
  assert.deepEqual(fileOfDraft(ignored).ignoredNames, ["Weidenau"]);
  assert.equal("ignoredNames" in fileOfDraft(base), false);
  const theirs = { ...base, ignoredNames: ["Tarnfell", "Ostrava"] };
  assert.deepEqual(mergedDraft(base, ignored, theirs).ignoredNames, [
    "Tarnfell",
    "Ostrava",
    "Weidenau",
  ]);
  const less = { ...theirs, ignoredNames: ["Ostrava"] };
  const more = { ...theirs, ignoredNames: ["Tarnfell", "Ostrava", "Weidenau"] };
  assert.deepEqual(mergedDraft(theirs, less, more).ignoredNames, ["Ostrava", "Weidenau"]);
  assert.equal("ignoredNames" in mergedDraft(base, base, base), false);
});

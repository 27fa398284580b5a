import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceOf } from "../answers/upload.ts";
import { draftOf, plainEntity, withEntity } from "./draft.ts";
import { draftOfText, textOfDraft } from "./kept-draft.ts";

const base = draftOf({
  account: { id: "5f0c7a52-9b1e-4a7c-8f21-5c6e0d9b7a34", name: "Acme" },
  brand: { id: "b", name: "Acme", caseSensitive: false, aliases: [], domains: [] },
  competitors: [],
  topics: [],
  prompts: [],
});

test("edits are the same after they were kept", () => {
  const edited = { base, draft: withEntity(base, plainEntity("Globex")), etag: '"3"' };
  assert.equal(JSON.stringify(draftOfText(textOfDraft(edited))), JSON.stringify(edited));
});

test("what another version kept, or something else wrote, is dropped", () => {
  const text = textOfDraft({ base, draft: base, etag: null });
  const broken = { ...JSON.parse(text), draft: { brand: null } };
  const texts = ["", "null", "[]", text.replace('"version":1', '"version":2'), "{"];
  for (const each of [...texts, JSON.stringify(broken)])
    assert.equal(draftOfText(each), null, each);
});

test("an import is named by its file, in characters that a list can show", () => {
  assert.equal(sourceOf("Köln 👩‍🔬.csv"), "Köln 👩‍🔬.csv");
  assert.equal(sourceOf("a\u202eb\nc"), "a\ufffdb\ufffdc");
  assert.equal([...sourceOf("🔬".repeat(300))].length, 255);
  assert.equal(sourceOf(""), "file");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, fileOfDraft, withPasted } from "./draft.ts";
import { changesOf, editedFields } from "./draft-changes.ts";
import { pastedPrompts } from "./pasted-prompts.ts";
import { retagged, tagsOfPrompts, tagsOfText } from "./prompt-tags.ts";

const draft = draftOf({
  account: { id: "a", name: "Acme" },
  brand: { id: "b", name: "Acme", caseSensitive: false, aliases: [], domains: [] },
  competitors: [],
  topics: [],
  prompts: [
    { id: "p", text: "Which anvil?", tags: ["Buying", "a,b"], paused: false },
    { id: "q", text: "Which rope?", paused: false },
  ],
});

const tagsOf = (of: typeof draft) => of.prompts.map(({ text, tags }) => [text, ...tags]);

test("a draft keeps the tags of its prompts, and a review names what is edited", () => {
  assert.deepEqual(fileOfDraft(draft).prompts, [
    { id: "p", text: "Which anvil?", tags: ["Buying", "a,b"] },
    { id: "q", text: "Which rope?" },
  ]);
  const keys = new Set(["p", "q"]);
  const tags = { add: ["buying", "DE"], remove: ["A,B"] };
  const edited = { ...draft, prompts: retagged(draft.prompts, keys, tags) };
  assert.deepEqual(tagsOf(edited), [
    ["Which anvil?", "Buying", "DE"],
    ["Which rope?", "Buying", "DE"],
  ]);
  assert.deepEqual(tagsOfPrompts(edited.prompts), ["Buying", "DE"]);
  assert.equal(changesOf(draft, edited).count, 2);
  assert.deepEqual(editedFields(draft, edited).get("p"), ["tag added: DE", "tag removed: a,b"]);
  const same = retagged(draft.prompts, new Set(["q"]), { remove: ["Buying"] });
  assert.deepEqual(same, draft.prompts);
});

test("pasted prompts bring their tags along, spelled as the draft's are", () => {
  assert.deepEqual(tagsOfText(" a; b |c,, d  e "), ["a", "b", "c", "d e"]);
  const text = "Prompt\tTopic\tTags\nWhich saw?\tSaws\tbuying; DE\nWhich axe?\t\t\n";
  const { prompts, columns } = pastedPrompts(text);
  assert.deepEqual(columns, { prompt: 0, topic: 1, tags: 2 });
  assert.deepEqual(prompts, [
    { text: "Which saw?", topic: "Saws", tags: ["buying", "DE"] },
    { text: "Which axe?", topic: null },
  ]);
  const more = [...prompts, { text: "Which file?", topic: null, tags: ["de"] }];
  assert.deepEqual(tagsOf(withPasted(draft, more, null)), [
    ["Which saw?", "Buying", "DE"],
    ["Which axe?"],
    ["Which file?", "DE"],
    ["Which anvil?", "Buying", "a,b"],
    ["Which rope?"],
  ]);
  const two = pastedPrompts("Prompts,Tags\nWhich saw?,buying\n");
  assert.deepEqual(two.prompts, [{ text: "Which saw?", topic: null, tags: ["buying"] }]);
  const chosen = { prompt: 0, topic: 2 };
  assert.deepEqual(pastedPrompts(text, { columns: chosen }).columns, chosen);
});

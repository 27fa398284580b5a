import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeclaredWorkspaceResponse } from "@sightline/client";
import {
  draftOf,
  draftOfText,
  fileOfDraft,
  plainEntity,
  plainPrompt,
  textOfDraft,
  withEntity,
  withoutTopics,
  withPrompt,
  withTopics,
  workspaceYaml,
} from "./draft.ts";
import { changesOf, mergedDraft } from "./draft-changes.ts";

const entity = (id: string, name: string) => ({
  id,
  name,
  caseSensitive: false,
  aliases: [],
  domains: [],
});

const saved: DeclaredWorkspaceResponse = {
  account: { id: "a", name: "Acme" },
  brand: {
    ...entity("b", "Acme"),
    aliases: [{ name: "ACME Labs", caseSensitive: true }],
    except: ["acme of all"],
  },
  competitors: [entity("c1", "Globex"), entity("c2", "Initech"), entity("c3", "Umbra")],
  topics: [{ id: "t", name: "Anvils" }],
  prompts: [
    { id: "p1", text: "Which anvil?", topic: "Anvils", paused: false },
    { id: "p2", text: "Which rope?", branded: true, paused: true },
  ],
};

test("a draft that nobody changed is the file again, and changes nothing", () => {
  const draft = draftOf(saved);
  assert.equal(changesOf(draft, draftOf(saved)).count, 0);
  const plain = (id: string, name: string) => ({ id, name, aliases: [], domains: [] });
  assert.deepEqual(fileOfDraft(draft), {
    account: { id: "a", name: "Acme" },
    brand: {
      ...plain("b", "Acme"),
      aliases: [{ name: "ACME Labs", caseSensitive: true }],
      except: ["acme of all"],
    },
    competitors: [plain("c1", "Globex"), plain("c2", "Initech"), plain("c3", "Umbra")],
    topics: [{ id: "t", name: "Anvils" }],
    prompts: [
      { id: "p1", text: "Which anvil?", topic: "Anvils" },
      { id: "p2", text: "Which rope?", branded: true, paused: true },
    ],
  });
});

test("how prompts are collected goes through a draft and a merge unchanged", () => {
  const collection = { cron: "0 6 * * 1", providers: ["OPENAI" as const], regions: [] };
  const collected = {
    ...saved,
    collection: { ...collection, caps: { callsPerDay: 100 }, mixSurfaces: true },
    topics: saved.topics.map((topic) => ({ ...topic, collection: { samples: 3 } })),
    prompts: saved.prompts.map((prompt) => ({ ...prompt, collection: { regions: [] } })),
  };
  const draft = draftOf(collected);
  const fields = ({ collection: rule, topics, prompts }: ReturnType<typeof fileOfDraft>) => {
    const ruleOf = (item: unknown) => (item as { collection?: unknown }).collection;
    return [rule, ...(topics ?? []).map(ruleOf), ...(prompts ?? []).map(ruleOf)];
  };
  const expected = [collected.collection, { samples: 3 }, { regions: [] }, { regions: [] }];
  assert.deepEqual(fields(fileOfDraft(draft)), expected);
  assert.equal(changesOf(draft, draftOf(collected)).count, 0);
  // Somebody else added it, while a name was edited here.
  const base = draftOf(saved);
  const mine = { ...base, brand: { ...base.brand, name: "Acme Inc." } };
  assert.deepEqual(fields(fileOfDraft(mergedDraft(base, mine, draft))), expected);
  const yaml = workspaceYaml(collected);
  assert.match(yaml, /^collection: \{ cron: "0 6 \* \* 1", .*regions: \[\], .*mixSurfaces: true/m);
  assert.match(yaml, /collection: \{ regions: \[\] \}/);
});

test("a prompt that others took out while it was edited takes no other one's place", () => {
  const before = draftOf(saved);
  const [first, ...others] = before.prompts;
  assert.ok(first !== undefined && others.length > 0);
  const edited = { ...first, text: "Edited?" };
  assert.deepEqual(withPrompt(before, edited).prompts, [edited, ...others]);
  const without = { ...before, prompts: others };
  assert.deepEqual(withPrompt(without, edited).prompts, [...others, edited]);
});

test("a renamed topic keeps its prompts, and one that is taken out leaves them without", () => {
  const draft = draftOf(saved);
  const [topic] = draft.topics;
  assert.ok(topic !== undefined);
  const renamed = { ...draft, topics: [{ ...topic, name: "Tools" }] };
  assert.equal(changesOf(draft, renamed).count, 1);
  const topicOf = (file: ReturnType<typeof fileOfDraft>) => file.prompts?.[0];
  assert.deepEqual(topicOf(fileOfDraft(renamed)), {
    id: "p1",
    text: "Which anvil?",
    topic: "Tools",
  });
  const without = { ...draft, topics: [] };
  assert.deepEqual(topicOf(fileOfDraft(without)), { id: "p1", text: "Which anvil?" });
  assert.deepEqual(changesOf(draft, without).removed.topics, [topic]);
});

test("topics of a list are added once, and merged ones give their prompts to another", () => {
  const draft = withTopics(draftOf(saved), ["Ropes", " anvils ", "", "Tools", "ropes"]);
  assert.deepEqual(fileOfDraft(draft).topics?.slice(1), [{ name: "Ropes" }, { name: "Tools" }]);
  const [anvils, ropes, tools] = draft.topics.map(({ key }) => key);
  assert.ok(anvils !== undefined && ropes !== undefined && tools !== undefined);
  const merged = withoutTopics(draft, new Set([anvils, ropes]), ropes);
  const file = fileOfDraft(merged);
  assert.deepEqual(file.topics, [{ name: "Ropes" }, { name: "Tools" }]);
  assert.deepEqual(file.prompts?.[0], { id: "p1", text: "Which anvil?", topic: "Ropes" });
  const without = withoutTopics(draft, new Set([anvils, tools]), null);
  assert.deepEqual(fileOfDraft(without).topics, [{ name: "Ropes" }]);
  assert.deepEqual(fileOfDraft(without).prompts?.[0], { id: "p1", text: "Which anvil?" });
});

test("edits are made to what somebody else saved, field by field", () => {
  const base = draftOf(saved);
  const added = plainEntity("Mine");
  const asked = plainPrompt("My prompt?", null);
  const mine = {
    ...base,
    brand: { ...base.brand, domains: ["acme.example"] },
    // Globex is renamed, Initech taken out, Umbra as it was.
    competitors: base.competitors
      .filter(({ id }) => id !== "c2")
      .map((each) => (each.id === "c1" ? { ...each, name: "Globex Corp" } : each))
      .concat(added),
    prompts: [asked, ...base.prompts],
  };
  const theirs = draftOf({
    ...saved,
    brand: { ...saved.brand, name: "Acme Inc" },
    // They gave Globex a domain, took Umbra out, and added one.
    competitors: [
      { ...entity("c1", "Globex"), domains: ["globex.example"] },
      entity("c2", "Initech"),
      entity("c4", "Theirs"),
    ],
    prompts: saved.prompts.slice(1),
  });
  const merged = mergedDraft(base, mine, theirs);
  assert.deepEqual([merged.brand.name, merged.brand.domains], ["Acme Inc", ["acme.example"]]);
  assert.deepEqual(
    merged.competitors.map(({ name, domains }) => [name, domains]),
    [
      ["Globex Corp", ["globex.example"]],
      ["Theirs", []],
      ["Mine", []],
    ],
  );
  assert.deepEqual(
    merged.prompts.map(({ text }) => text),
    ["Which rope?", "My prompt?"],
  );
  assert.equal(changesOf(theirs, merged).count, 5);
});

test("edits are the same after they were kept", () => {
  const base = draftOf(saved);
  const edited = { base, draft: withEntity(base, plainEntity("Globex")), etag: '"3"' };
  assert.equal(JSON.stringify(draftOfText(textOfDraft(edited))), JSON.stringify(edited));
});

test("what another version kept, or something else wrote, is dropped", () => {
  const base = draftOf(saved);
  const text = textOfDraft({ base, draft: base, etag: null });
  const broken = { ...JSON.parse(text), draft: { brand: null } };
  const texts = ["", "null", "[]", text.replace('"version":1', '"version":2'), "{"];
  for (const each of [...texts, JSON.stringify(broken)])
    assert.equal(draftOfText(each), null, each);
});

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  type ControlEngineName,
  controlAddress,
  testOnEachEngine,
} from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { oneTurn, turnsDuring } from "@sightline/test-kit/turns-during.ts";
import { openControl } from "../control/control.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { allAccounts, declaredPromptsOf, workspaceOf } from "./account-store.ts";
import { type ApplyReport, applyWorkspace } from "./apply-workspace.ts";
import { readWorkspaceFile } from "./workspace-file/read-workspace-file.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const otherAccount = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002";
const file = {
  account: { id: accountId, name: "Acme" },
  brand: { name: "Acme", domains: ["acme.com"] },
  competitors: [{ name: "Globex" }],
  topics: [{ name: "Storage" }, { name: "Other" }],
  prompts: [
    { text: "What is the best anvil?", topic: "Storage" },
    { text: "Is Acme good?", paused: true },
  ],
};
type File = typeof file;

async function controlOf(t: TestContext, engine: ControlEngineName): Promise<ControlEngine> {
  const control = await openControl(await controlAddress(t, engine), new HeldClock());
  t.after(() => control.close());
  return control;
}

type Counts = Omit<ApplyReport, "accountName" | "changes" | "revision">;

/** @returns the report's numbers, which must be those of its lists. */
async function apply(control: ControlEngine, changes: object = {}): Promise<Counts> {
  const { accountName, changes: lists, revision, ...counts } = await applyWhole(control, changes);
  for (const name of ["created", "updated", "retired"] as const) {
    assert.equal(lists[name].length, counts[name], name);
  }
  return counts;
}

function applyWhole(
  control: ControlEngine,
  changes: object = {},
  dryRun = false,
): Promise<ApplyReport> {
  const workspace = readWorkspaceFile(JSON.stringify({ ...file, ...changes }));
  return applyWorkspace(control, workspace.accountId, workspace, {
    now: new HeldClock().now(),
    dryRun,
  });
}

async function revision(control: ControlEngine): Promise<number | undefined> {
  return (await allAccounts(control)).find(({ id }) => id === accountId)?.revision;
}

function report(counts: Partial<Counts>): Counts {
  return { accountId, created: 0, updated: 0, retired: 0, unchanged: 0, ...counts };
}

testOnEachEngine("what was applied is what the account tracks", async (t, engine) => {
  const control = await controlOf(t, engine);
  assert.deepEqual(await apply(control), report({ created: 7 }));
  const declared = readWorkspaceFile(JSON.stringify(file));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  assert.deepEqual(await workspaceOf(control, accountId), {
    ...declared,
    topics: declared.topics.toSorted(byId),
    prompts: declared.prompts.toSorted(byId),
  });
});

testOnEachEngine("texts keep every character", async (t, engine) => {
  const control = await controlOf(t, engine);
  const text = "a\u{0}\u{e000}0\u{1f600}";
  const strange = { brand: { name: text, domains: [] }, prompts: [{ text }], topics: [] };
  await apply(control, strange);
  assert.equal((await workspaceOf(control, accountId))?.entities[0]?.name, text);
  assert.equal((await declaredPromptsOf(control, accountId))[0]?.text, text);
  assert.deepEqual(await apply(control, strange), report({ unchanged: 4 }));
});

testOnEachEngine("applying it twice changes nothing, the revision neither", async (t, engine) => {
  const control = await controlOf(t, engine);
  await apply(control);
  const [workspace, before] = [await workspaceOf(control, accountId), await revision(control)];
  assert.deepEqual(await apply(control), report({ unchanged: 7 }));
  assert.deepEqual(await workspaceOf(control, accountId), workspace);
  assert.equal(await revision(control), before);
});

/** Another file, and what applying it after the first comes to. */
const changed: readonly (readonly [name: string, change: Partial<File>, Partial<Counts>])[] = [
  [
    "the account's name",
    { account: { ...file.account, name: "Acme Inc." } },
    { updated: 1, unchanged: 6 },
  ],
  ["a domain less", { brand: { name: "Acme", domains: [] } }, { updated: 1, unchanged: 6 }],
  [
    "a competitor more",
    { competitors: [...file.competitors, { name: "Initech" }] },
    { created: 1, unchanged: 7 },
  ],
  ["no competitor", { competitors: [] }, { retired: 1, unchanged: 6 }],
  [
    "a topic that is called otherwise is another topic",
    { topics: [{ name: "Storage" }, { name: "Others" }] },
    { created: 1, retired: 1, unchanged: 6 },
  ],
  [
    "prompts with another topic and another flag",
    {
      prompts: [{ text: "What is the best anvil?", topic: "Other" }, { text: "Is Acme good?" }],
    } as File,
    { updated: 2, unchanged: 5 },
  ],
  ["no prompts", { prompts: [] }, { retired: 2, unchanged: 5 }],
  [
    "another brand",
    { brand: { name: "Acme Two", domains: [] } },
    // "Is Acme good?" mentions the brand no longer.
    { created: 1, updated: 1, retired: 1, unchanged: 5 },
  ],
];

for (const [name, change, counts] of changed) {
  testOnEachEngine(`changed and back: ${name}`, async (t, engine) => {
    const control = await controlOf(t, engine);
    await apply(control);
    const [workspace, before] = [await workspaceOf(control, accountId), await revision(control)];
    assert.deepEqual(await apply(control, change), report(counts));
    assert.equal(await revision(control), (before ?? 0) + 1);
    assert.notDeepEqual(await workspaceOf(control, accountId), workspace);
    const back = await apply(control);
    assert.equal(back.created, 0);
    assert.equal(back.updated, (counts.updated ?? 0) + (counts.retired ?? 0));
    assert.equal(back.retired, counts.created ?? 0);
    assert.deepEqual(await workspaceOf(control, accountId), workspace);
  });
}

testOnEachEngine("a competitor that becomes the brand stays itself", async (t, engine) => {
  const control = await controlOf(t, engine);
  await apply(control);
  const swapped = { brand: { name: "Globex" }, competitors: [{ name: "Acme" }] };
  assert.deepEqual(await apply(control, swapped), report({ updated: 3, unchanged: 4 }));
  const kinds = (await workspaceOf(control, accountId))?.entities.map(({ name, kind }) => [
    name,
    kind,
  ]);
  assert.deepEqual(kinds, [
    ["Globex", "brand"],
    ["Acme", "competitor"],
  ]);
});

testOnEachEngine("retiring what is retired already is not counted again", async (t, engine) => {
  const control = await controlOf(t, engine);
  await apply(control);
  await apply(control, { prompts: [] });
  assert.deepEqual(await apply(control, { prompts: [] }), report({ unchanged: 5 }));
});

testOnEachEngine(
  "retired prompts are known on, since their answers are still recorded",
  async (t, engine) => {
    const control = await controlOf(t, engine);
    await apply(control);
    const prompts = await declaredPromptsOf(control, accountId);
    assert.equal(prompts.length, 2);
    assert.ok(prompts.every(({ retired }) => !retired));
    await apply(control, { prompts: [] });
    const retired = prompts.map((prompt) => ({ ...prompt, retired: true }));
    assert.deepEqual(await declaredPromptsOf(control, accountId), retired);
  },
);

testOnEachEngine("two accounts with the same ids do not meet", async (t, engine) => {
  const control = await controlOf(t, engine);
  const ids = ["a", "b", "c"].map((letter) => `aaaaaaaa-0000-4000-8000-00000000000${letter}`);
  const sameIds = (id: string, word: string) => ({
    account: { id, name: word },
    brand: { id: ids[0], name: `${word} brand` },
    competitors: [],
    topics: [{ id: ids[1], name: `${word} topic` }],
    prompts: [{ id: ids[2], text: `${word} prompt`, topic: `${word} topic` }],
  });
  await apply(control, sameIds(accountId, "our"));
  await apply(control, sameIds(otherAccount, "their"));
  await apply(control, { ...sameIds(otherAccount, "their"), prompts: [] });
  const ours = await workspaceOf(control, accountId);
  assert.deepEqual(
    [ours?.accountName, ours?.entities[0]?.name, ours?.topics[0]?.name, ours?.prompts[0]?.text],
    ["our", "our brand", "our topic", "our prompt"],
  );
  assert.deepEqual((await workspaceOf(control, otherAccount))?.prompts, []);
});

testOnEachEngine(
  "an account that is not there has no workspace and no prompts",
  async (t, engine) => {
    const control = await controlOf(t, engine);
    assert.equal(await workspaceOf(control, accountId), null);
    assert.deepEqual(await declaredPromptsOf(control, accountId), []);
  },
);

testOnEachEngine("a workspace that cannot be stored changes nothing", async (t, engine) => {
  const control = await controlOf(t, engine);
  await apply(control);
  const before = await workspaceOf(control, accountId);
  const workspace = readWorkspaceFile(JSON.stringify({ ...file, competitors: [] }));
  const prompt = { id: "x", text: null, topicId: null, branded: false, paused: false };
  const broken = { ...workspace, prompts: [prompt as never] };
  await assert.rejects(
    () => applyWorkspace(control, accountId, broken, { now: new HeldClock().now() }),
    /not.null/i,
  );
  assert.deepEqual(await workspaceOf(control, accountId), before);
});

/** So many prompts that they are read in several pages. */
function manyPrompts(words: string): object {
  return { prompts: Array.from({ length: 1_200 }, (_, index) => ({ text: `${words} ${index}?` })) };
}

testOnEachEngine(
  "a large workspace is read in pages, between which others go on",
  async (t, engine) => {
    const control = await controlOf(t, engine);
    await apply(control, manyPrompts("Which is best of"));
    await apply(control, manyPrompts("Which is worst of")); // the first ones are retired
    const reading = workspaceOf(control, accountId);
    const turns = await turnsDuring(reading);
    assert.ok(turns > 5, `others had ${turns} turns`);
    const prompts = (await reading)?.prompts ?? [];
    assert.equal(prompts.length, 1_200);
    assert.ok(prompts.every(({ text }) => text.startsWith("Which is worst of")));
  },
);

testOnEachEngine(
  "a workspace that changes while it is read is never half of each",
  async (t, engine) => {
    const control = await controlOf(t, engine);
    await apply(control, manyPrompts("Which is best of"));
    const before = await workspaceOf(control, accountId);
    const reading = workspaceOf(control, accountId);
    await oneTurn();
    await apply(control, { ...manyPrompts("Which is worst of"), competitors: [] });
    const read = await reading;
    const after = await workspaceOf(control, accountId);
    // PostgreSQL may have read all of it before the change.
    const isFirst = engine === "postgres" && read?.entities.length === before?.entities.length;
    assert.deepEqual(read, isFirst ? before : after);
    assert.notDeepEqual(before, after);
  },
);

testOnEachEngine(
  "the report names what was created, updated and retired, with kinds and ids",
  async (t, engine) => {
    const control = await controlOf(t, engine);
    await apply(control);
    const { changes } = await applyWhole(control, {
      account: { id: accountId, name: "Acme Inc." },
      competitors: [{ name: "Initech" }],
      topics: [{ name: "Storage" }],
      prompts: [{ text: "What is the best anvil?", topic: "Storage" }],
    });
    const named = (list: readonly { kind: string; name: string }[]) =>
      list.map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(named(changes.created), ["competitor Initech"]);
    assert.deepEqual(named(changes.updated), ["account Acme Inc."]);
    assert.deepEqual(named(changes.retired), [
      "competitor Globex",
      "topic Other",
      "prompt Is Acme good?",
    ]);
    const entities = (await workspaceOf(control, accountId))?.entities ?? [];
    assert.equal(changes.created[0]?.id, entities.find(({ name }) => name === "Initech")?.id);
  },
);

testOnEachEngine("a dry run reports the same and writes nothing", async (t, engine) => {
  const control = await controlOf(t, engine);
  const change = { competitors: [{ name: "Initech" }], prompts: [] };
  const first = await applyWhole(control, {}, true);
  assert.equal(await workspaceOf(control, accountId), null);
  const { revision: made } = await applyWhole(control, {}, true);
  assert.equal(first.revision, made);
  const applied = await applyWhole(control);
  assert.deepEqual(applied, { ...first, revision: made + 1 });
  const [workspace, before] = [await workspaceOf(control, accountId), await revision(control)];
  const dry = await applyWhole(control, change, true);
  assert.deepEqual(await workspaceOf(control, accountId), workspace);
  assert.equal(await revision(control), before);
  assert.equal(dry.revision, before);
  const after = await applyWhole(control, change);
  assert.deepEqual(after, { ...dry, revision: dry.revision + 1 });
});

testOnEachEngine("what was retired and is declared again is named", async (t, engine) => {
  const control = await controlOf(t, engine);
  await apply(control);
  await applyWhole(control, { prompts: [], competitors: [] });
  const { changes } = await applyWhole(control, {
    brand: { name: "Acme", domains: [] },
    competitors: [{ name: "Globex", caseSensitive: true }],
  });
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  const back = ["Globex", "What is the best anvil?", "Is Acme good?"];
  assert.deepEqual(names(changes.updated), ["Acme", ...back]);
  assert.deepEqual(names(changes.returned), back);
});

testOnEachEngine("with a revision, no other workspace is changed", async (t, engine) => {
  const control = await controlOf(t, engine);
  const { revision: first } = await applyWhole(control);
  const workspace = readWorkspaceFile(JSON.stringify({ ...file, topics: [], prompts: [] }));
  const apply = (...ifRevision: number[]) =>
    applyWorkspace(control, accountId, workspace, { now: new HeldClock().now(), ifRevision });
  for (const wrong of [[], [first - 1, first + 1]]) {
    await assert.rejects(apply(...wrong), { name: "WorkspaceChangedError", revision: first });
  }
  assert.equal(await revision(control), first);
  assert.equal((await apply(first - 1, first)).revision, first + 1);
  await assert.rejects(apply(first), { name: "WorkspaceChangedError", revision: first + 1 });
  // Of two who saw the same, one changes it.
  const both = await Promise.allSettled(
    [file, { ...file, competitors: [] }].map((each) =>
      applyWorkspace(control, accountId, readWorkspaceFile(JSON.stringify(each)), {
        now: new HeldClock().now(),
        ifRevision: [first + 1],
      }),
    ),
  );
  assert.equal(both.filter(({ status }) => status === "fulfilled").length, 1);
});

testOnEachEngine(
  "more rows than a statement holds are created, changed and retired",
  async (t, engine) => {
    const control = await controlOf(t, engine);
    const prompts = Array.from({ length: 1_001 }, (_, number) => ({ text: `Prompt ${number}` }));
    assert.deepEqual(await apply(control, { prompts }), report({ created: 5 + 1_001 }));
    const paused = prompts.map((prompt) => ({ ...prompt, paused: true }));
    assert.deepEqual(
      await apply(control, { prompts: paused }),
      report({ updated: 1_001, unchanged: 5 }),
    );
    assert.deepEqual(
      await apply(control, { prompts: [] }),
      report({ retired: 1_001, unchanged: 5 }),
    );
    assert.deepEqual((await workspaceOf(control, accountId))?.prompts, []);
  },
);

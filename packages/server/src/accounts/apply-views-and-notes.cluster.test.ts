import assert from "node:assert/strict";
import { test } from "node:test";
import { controlAddress, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { checkControl } from "../control/check-control.ts";
import { openControl } from "../control/control.ts";
import { openSqlite } from "../platform/sqlite.ts";
import { workspaceOf } from "./account-store.ts";
import { applyWorkspace } from "./apply-workspace.ts";
import { readWorkspaceFile } from "./workspace-file/read-workspace-file.ts";

const head = "account: Acme\nbrand: Acme\n";
const views = 'views: [{ name: Without Grok, view: "?not-providers=GROK" }]\n';
const notes = "notes: [{ date: 2026-03-01, text: Launch }, { date: 2026-01-31, text: Ça va? }]\n";
const facts =
  "facts: [{ aspect: Price, value: $19, until: 2027-01-01 }, { aspect: price, value: $24 }]\n";
const sources = "sources: [{ domain: https://Blog.example/a, class: editorial }]\n";
const now = new HeldClock().now();

testOnEachEngine(
  "views and notes are kept, and stay where a file omits them",
  async (t, engine) => {
    const address = await controlAddress(t, engine);
    const control = await openControl(address, new HeldClock());
    t.after(() => control.close());
    const applied = async (text: string, dryRun = false) => {
      const workspace = readWorkspaceFile(head + text);
      const { accountId } = workspace;
      const report = await applyWorkspace(control, accountId, workspace, { now, dryRun });
      const stored = await workspaceOf(control, accountId);
      const kinds = report.changes.updated.map(({ kind }) => kind);
      return { kinds, views: stored?.views, notes: stored?.notes };
    };
    const first = await applied(views);
    const kept = [{ name: "Without Grok", view: "?not-providers=GROK" }];
    assert.deepEqual(first, { kinds: [], views: kept, notes: undefined });
    const dated = [
      { date: "2026-01-31", text: "Ça va?" },
      { date: "2026-03-01", text: "Launch" },
    ];
    const dry = await applied(notes, true);
    assert.deepEqual(dry, { kinds: ["account"], views: kept, notes: undefined });
    assert.deepEqual(await applied(notes), { kinds: ["account"], views: kept, notes: dated });
    assert.deepEqual(await applied(notes), { kinds: [], views: kept, notes: dated });
    assert.deepEqual(await applied(""), { kinds: [], views: kept, notes: dated });
    await applied(sources);
    const inFile = async () =>
      (await workspaceOf(control, readWorkspaceFile(head).accountId))?.facts;
    assert.deepEqual((await applied(facts, true)).kinds, ["account"]);
    assert.equal(await inFile(), undefined);
    assert.deepEqual((await applied(facts)).kinds, ["account"]);
    assert.deepEqual(await inFile(), [
      { aspect: "price", value: "$19", until: "2027-01-01" },
      { aspect: "price", value: "$24" },
    ]);
    assert.deepEqual((await applied(facts)).kinds, []);
    const reports = "reports: [{ name: Weekly, period: last-week, schedule: 0 6 * * 1 }]\n";
    const declared = async () =>
      (await workspaceOf(control, readWorkspaceFile(head).accountId))?.reports;
    assert.deepEqual((await applied(reports, true)).kinds, ["account"]);
    assert.equal(await declared(), undefined);
    assert.deepEqual((await applied(reports)).kinds, ["account"]);
    const weekly = [{ name: "Weekly", period: "last-week", schedule: "0 6 * * 1" }];
    assert.deepEqual(await declared(), weekly);
    assert.deepEqual((await applied("")).kinds, []);
    assert.deepEqual(await declared(), weekly);
    const rules = [{ domain: "blog.example/a", class: "editorial" }];
    const told = async () =>
      (await workspaceOf(control, readWorkspaceFile(head).accountId))?.sources;
    assert.deepEqual(await told(), rules);
    const none = await applied("views: []\nnotes: []\nsources: []\nfacts: []\n");
    assert.equal(await told(), undefined);
    assert.equal(await inFile(), undefined);
    assert.deepEqual(none, { kinds: ["account"], views: undefined, notes: undefined });
  },
);

testOnEachEngine(
  "tags of prompts are kept, in whatever order they are written",
  async (t, engine) => {
    const control = await openControl(await controlAddress(t, engine), new HeldClock());
    t.after(() => control.close());
    const applied = async (tags: string) => {
      const workspace = readWorkspaceFile(`${head}prompts: [{ text: Which?${tags} }]\n`);
      const { accountId } = workspace;
      const { updated } = await applyWorkspace(control, accountId, workspace, { now });
      const stored = await workspaceOf(control, accountId);
      return [updated, stored?.prompts[0]?.tags];
    };
    assert.deepEqual(await applied(", tags: [de, Buying]"), [0, ["Buying", "de"]]);
    assert.deepEqual(await applied(", tags: [Buying, de]"), [0, ["Buying", "de"]]);
    assert.deepEqual(await applied(", tags: [buying, de]"), [1, ["buying", "de"]]);
    assert.deepEqual(await applied(", tags: []"), [1, undefined]);
    assert.deepEqual(await applied(""), [0, undefined]);
  },
);

test("the doctor finds a note that nobody applied", async (t) => {
  const address = await controlAddress(t, "sqlite");
  assert.ok("sqlite" in address);
  const control = await openControl(address, new HeldClock());
  const workspace = readWorkspaceFile(head + views + notes + sources + facts);
  await applyWorkspace(control, workspace.accountId, workspace, { now });
  await control.close();
  assert.deepEqual(await checkControl(address.sqlite), []);
  const database = openSqlite(address.sqlite);
  for (const column of ["views", "notes", "sources", "facts"]) {
    const kept = database.prepare(`select ${column} from accounts`).pluck().get();
    const set = database.prepare(`update accounts set ${column} = ?`);
    set.run("[]");
    assert.equal((await checkControl(address.sqlite)).length, 1, column);
    set.run(kept);
  }
  database.close();
  assert.deepEqual(await checkControl(address.sqlite), []);
});

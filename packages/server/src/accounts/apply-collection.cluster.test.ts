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
const lists = (topic: string, prompt: string) =>
  `topics:\n  - { name: Tents${topic} }\nprompts:\n  - { text: Which tent?${prompt} }\n`;

testOnEachEngine("a changed schedule is an update of what has it", async (t, engine) => {
  const address = await controlAddress(t, engine);
  const control = await openControl(address, new HeldClock());
  t.after(() => control.close());
  const names = async (text: string) => {
    const workspace = readWorkspaceFile(head + text);
    const { changes, revision } = await applyWorkspace(control, workspace.accountId, workspace, {
      now: new HeldClock().now(),
    });
    assert.deepEqual(await workspaceOf(control, workspace.accountId), workspace);
    return [revision, ...changes.updated.map(({ kind }) => kind)];
  };
  assert.deepEqual(await names(lists("", "")), [2]);
  const daily = "collection: { cron: 0 6 * * *, providers: [OPENAI] }\n";
  assert.deepEqual(await names(daily + lists("", "")), [3, "account"]);
  const inOtherOrder = "collection: { providers: [OPENAI], cron: 0 6 * * * }\n";
  assert.deepEqual(await names(inOtherOrder + lists("", "")), [3]);
  const rule = ", collection: { samples: 2 }";
  assert.deepEqual(await names(daily + lists(rule, rule)), [4, "topic", "prompt"]);
  assert.deepEqual(await names(lists("", "")), [5, "account", "topic", "prompt"]);
});

test("the doctor finds a schedule that nobody applied", async (t) => {
  const address = await controlAddress(t, "sqlite");
  assert.ok("sqlite" in address);
  const control = await openControl(address, new HeldClock());
  const text = `${head}collection: { providers: [OPENAI] }\n`;
  const workspace = readWorkspaceFile(text + lists("", ", collection: { samples: 2 }"));
  await applyWorkspace(control, workspace.accountId, workspace, { now: new HeldClock().now() });
  await control.close();
  assert.deepEqual(await checkControl(address.sqlite), []);
  for (const table of ["accounts", "prompts"]) {
    const database = openSqlite(address.sqlite);
    const kept = database.prepare(`select collection from ${table}`).pluck().get();
    const set = database.prepare(`update ${table} set collection = ?`);
    set.run("{}");
    assert.equal((await checkControl(address.sqlite)).length, 1, table);
    set.run(kept);
    database.close();
  }
  assert.deepEqual(await checkControl(address.sqlite), []);
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import Database from "better-sqlite3";
import type { ApplyReport } from "../accounts/apply-workspace.ts";
import { everyAnswer } from "../answers/answer-store.ts";
import { readingsOf } from "../answers/readings/reading-store.ts";
import { openControlDatabase } from "./database.ts";

const file = {
  account: { name: "Acme" },
  brand: { name: "Acme" },
  topics: [{ name: "Storage" }],
  prompts: [{ text: "What is the best anvil?", topic: "Storage" }],
};

/** Opens control once its standard input ends, and prints the outcome. */
const opener = `
  import { openControlDatabase } from ${JSON.stringify(join(import.meta.dirname, "database.ts"))};
  process.stdout.write("here ");
  for await (const chunk of process.stdin);
  const { database } = await openControlDatabase(process.argv[1]);
  await database.destroy();
  process.stdout.write("done");
`;

test("processes that open an empty control in the same moment: all find it migrated", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  for (let round = 0; round < 3; round++) {
    const path = join(folder, `${round}.sqlite`);
    const children = Array.from({ length: 8 }, () => {
      const parameters = ["--input-type=module-typescript", "--eval", opener, path];
      return spawn(process.execPath, parameters, { stdio: ["pipe", "pipe", "pipe"] });
    });
    await Promise.all(children.map((child) => once(child.stdout, "data")));
    for (const child of children) child.stdin.end();
    const said = await Promise.all(
      children.map(async ({ stdout, stderr }) => [await text(stdout), await text(stderr)]),
    );
    assert.deepEqual(
      said,
      said.map(() => ["done", ""]),
    );
  }
});

test("a transaction that reads first is not failed by what another process writes", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "control.sqlite");
  const { database } = await openControlDatabase(path);
  const other = new Database(path, { timeout: 0 });
  t.after(async () => {
    other.close();
    await database.destroy();
  });
  const collector = { id: "one", noted_at: 1, report: "{}" };
  await database.transaction().execute(async (transaction) => {
    const found = await transaction.selectFrom("collectors").select("id").execute();
    assert.deepEqual(found, []);
    const write = () => other.exec("insert into collectors values ('two', 2, '{}')");
    assert.throws(write, { code: "SQLITE_BUSY" }, "the other waits, and not this one");
    await transaction.insertInto("collectors").values(collector).execute();
  });
  assert.deepEqual(await database.selectFrom("collectors").selectAll().execute(), [collector]);
});

test("processes apply concurrently on an empty data folder: one creates, none fails", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const [path, dataDir] = [join(folder, "workspace.json"), join(folder, "data")];
  writeFileSync(path, JSON.stringify(file));
  const results = await Promise.all(
    Array.from({ length: 6 }, () => runCommand(["apply", path, "--data-dir", dataDir, "--json"])),
  );
  assert.deepEqual(
    results.map(({ status, stderr }) => [status, stderr]),
    results.map(() => [0, ""]),
  );
  const reports = results.map((result) => printedDocument<ApplyReport>(result));
  assert.deepEqual(reports.map(({ created, unchanged }) => [created, unchanged]).toSorted(), [
    ...Array.from({ length: 5 }, () => [0, 4]),
    [4, 0],
  ]);
});

test("a control that a later version migrated is refused, and not changed", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "control.sqlite");
  await (await openControlDatabase(path)).database.destroy();
  const later = new Database(path);
  later.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '')");
  await assert.rejects(() => openControlDatabase(path), /9999-later/);
  assert.equal(later.pragma("integrity_check", { simple: true }), "ok");
  later.close();
});

test("readings of an earlier version are read as they were", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "control.sqlite");
  await (await openControlDatabase(path, "0021-stated-facts")).database.destroy();
  const earlier = new Database(path);
  const account = "00000000-0000-4000-8000-000000000001";
  earlier.exec(`
    insert into accounts (id, name, created_at, recorded) values ('${account}', 'Acme', 0, 0)`);
  const pages = ["https://news.example/a"];
  const finding = { entityId: "b", kind: "praised", aspect: null, start: 1, end: 2, pages };
  const add = earlier.prepare(`insert into readings values (@account, null, 0, 0, 0, 0, @answer,
    '0123456789abcdef', 'p', 'GROK', '', '{}', '["a","b"]', @findings, '{}')`);
  for (let number = 0; number < 1_200; number++) {
    const findings = JSON.stringify(number % 2 === 0 ? [finding] : []);
    add.run({ account, answer: `answer ${number}`, findings });
  }
  earlier.close();
  const { database } = await openControlDatabase(path);
  const wanted = { reader: "0123456789abcdef", selection: everyAnswer };
  const found = new Map<string, unknown>();
  for await (const { answerId, findings } of readingsOf({ database }, account, wanted)) {
    found.set(answerId, findings);
  }
  await database.destroy();
  assert.equal(found.size, 1_200);
  assert.deepEqual(found.get("answer 1198"), [finding]);
  assert.deepEqual(found.get("answer 1199"), []);
});

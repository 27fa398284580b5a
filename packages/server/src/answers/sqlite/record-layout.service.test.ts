import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openSqlite } from "../../platform/sqlite.ts";
import { clearCopies, emptyLog, noteCopies } from "./record-layout.ts";

test("what is removed while another process clears copies is noted until it is cleared", (t) => {
  const folder = temporaryFolder();
  const [one, other] = [0, 1].map(() => openSqlite(join(folder, "answers.sqlite")));
  assert.ok(one !== undefined && other !== undefined);
  t.after(() => {
    for (const database of [one, other]) database.close();
    rmSync(folder, { recursive: true });
  });
  const note = () => other.pragma("application_id", { simple: true });
  noteCopies(one);
  clearCopies({
    pragma: one.pragma.bind(one),
    exec: (sql) => {
      one.exec(sql);
      if (sql === "vacuum") noteCopies(other);
      return one;
    },
  });
  assert.notEqual(note(), 0, "the other one has not cleared its own yet");
  clearCopies(other);
  assert.equal(note(), 0);
});

test("while a long read keeps the log, answers can be recorded; then it is emptied", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "answers.sqlite");
  const database = openSqlite(path);
  database.exec("create table answers (id integer); insert into answers values (1)");
  const backup = openSqlite(path, { readonly: true });
  backup.exec("begin; select * from answers");
  const recording = openSqlite(path);
  recording.exec("insert into answers values (2)");

  const startedMs = performance.now();
  const emptied = emptyLog(database);
  recording.exec("insert into answers values (3)");
  const tookMs = performance.now() - startedMs;
  backup.close();
  await emptied;
  assert.ok(tookMs < 5_000, `recording waited for ${tookMs} ms`);
  assert.equal(database.pragma("busy_timeout", { simple: true }), 30_000);
  recording.close();
  database.close();
});

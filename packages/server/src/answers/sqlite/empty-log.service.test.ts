import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/test-service.ts";
import { openSqlite } from "../../platform/sqlite.ts";
import { emptyLog } from "./empty-log.ts";

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

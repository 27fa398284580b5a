import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openSqlite } from "../platform/sqlite.ts";
import { checkControl, isControlEarlier } from "./check-control.ts";
import { openControlDatabase } from "./database.ts";

const changes: Readonly<Record<string, string>> = {
  "a constraint that is gone":
    "update sqlite_schema set sql = replace(sql, ' not null', '') where name = 'keys'",
  "a table that nobody made": "create table stray (id integer)",
  "a migration's name":
    "update kysely_migration set name = '0002-limitz' where name = '0002-limits'",
};

for (const [what, change] of Object.entries(changes)) {
  test(`${what} is found`, async (t) => {
    const folder = temporaryFolder();
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "control.sqlite");
    await (await openControlDatabase(path)).database.destroy();
    assert.deepEqual(await checkControl(path), []);
    const database = openSqlite(path);
    database.unsafeMode(true);
    database.pragma("writable_schema = on");
    database.prepare(change).run();
    database.close();
    assert.match(
      (await checkControl(path)).join("\n"),
      /differs from the one that the migrations create/,
    );
  });
}

test("control of an earlier version is compared with its own tables", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "control.sqlite");
  await (await openControlDatabase(path, "0005-scopes")).database.destroy();
  assert.deepEqual([await checkControl(path), isControlEarlier(path)], [[], true]);
  const database = openSqlite(path);
  database.prepare("create table stray (id integer)").run();
  database.close();
  assert.deepEqual(await checkControl(path), [
    "the definition of table stray differs from the one that the migrations create",
  ]);
  await (await openControlDatabase(path)).database.destroy();
  assert.equal(isControlEarlier(path), false);
  assert.equal(isControlEarlier(join(folder, "absent.sqlite")), false);
});

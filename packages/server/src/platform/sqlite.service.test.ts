import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openSqlite } from "./sqlite.ts";

test("a file that is not a database is named, with what to do", (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "control.sqlite");
  writeFileSync(path, "an ordinary text, which is long enough ".repeat(200));
  assert.throws(() => openSqlite(path), {
    code: "SQLITE_NOTADB",
    message:
      `${path}: file is not a database. ` +
      "Restore it from a backup; `sightline doctor` checks every file.",
  });
  const absent = join(folder, "answers.sqlite");
  assert.throws(() => openSqlite(absent, { readonly: true }), /answers.sqlite: /);
});

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/test-service.ts";
import { openSqlite } from "../../platform/sqlite.ts";
import { clearCopies, noteCopies } from "./clear-copies.ts";

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

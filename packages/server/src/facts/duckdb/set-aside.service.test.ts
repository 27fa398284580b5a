import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/test-service.ts";
import { setAside } from "./set-aside.ts";

test("damaged facts are numbered, never overwritten, and the last three are kept", (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "facts.duckdb");
  for (let number = 1; number <= 12; number++) {
    writeFileSync(path, `facts ${number}`);
    if (number % 2 === 0) writeFileSync(`${path}.wal`, `log ${number}`);
    assert.equal(setAside(path), `${path}.damaged.${number}`);
  }
  assert.deepEqual(readdirSync(folder).toSorted(), [
    "facts.duckdb.damaged.10",
    "facts.duckdb.damaged.11",
    "facts.duckdb.damaged.12",
    "facts.duckdb.wal.damaged.10",
    "facts.duckdb.wal.damaged.12",
  ]);
  assert.equal(readFileSync(`${path}.damaged.11`, "utf8"), "facts 11");
  assert.equal(readFileSync(`${path}.wal.damaged.12`, "utf8"), "log 12");
});

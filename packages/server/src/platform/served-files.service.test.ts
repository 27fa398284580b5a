import assert from "node:assert/strict";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openDataFolder } from "./data-folder.ts";
import {
  requireServedFiles,
  takeServerLock,
  unservedFile,
  watchServedFiles,
} from "./served-files.ts";

const names = [
  "server.lock",
  "pepper",
  "control.sqlite",
  "control.sqlite-wal",
  "control.sqlite-shm",
];

/** A data folder whose server runs, with its watch. */
function served(t: TestContext) {
  const root = join(temporaryFolder(), "data");
  t.after(() => rmSync(join(root, ".."), { recursive: true }));
  const folder = openDataFolder(root);
  const lock = takeServerLock(folder);
  assert.ok(lock !== null);
  t.after(() => lock.close());
  for (const name of names.slice(1)) writeFileSync(join(root, name), name);
  const { logger, lines } = recordedLog();
  return { root, folder, lock, watch: watchServedFiles(folder, logger), lines };
}

for (const name of ["", ...names]) {
  for (const what of ["deleted or moved away", "replaced"]) {
    test(`the watch sees it: ${name || "the folder"} ${what}`, async (t) => {
      const { root, watch, lines } = served(t);
      await watch.look();
      assert.deepEqual(lines, [], "nothing was lost yet");
      const path = join(root, name);
      renameSync(path, `${root}.old`);
      if (what === "replaced") writeFileSync(path, "another");
      await watch.look();
      await watch.look();
      assert.equal(await watch.lost, `${path} was ${what}`);
      assert.deepEqual(
        lines.map(({ level, error }) => [level, error]),
        [[60, `${path} was ${what}`]],
      );
    });
  }
}

test("a command fails while the server has another file open, and only then", (t) => {
  const { root, folder, lock, watch } = served(t);
  requireServedFiles(folder);
  const log = join(root, "control.sqlite-wal");
  rmSync(log);
  const fault = `${log} was deleted or moved away while a server had it open`;
  assert.equal(unservedFile(folder), fault);
  assert.throws(() => requireServedFiles(folder), { message: new RegExp(`^${fault}. What a`) });
  lock.close();
  requireServedFiles(folder);
  assert.ok(existsSync(folder.serverFiles), "the server was killed");
  takeServerLock(folder)?.close();
  assert.ok(!existsSync(folder.serverFiles), "the next holder of the lock drops the note");
  watch.close();
});

test("a server that ends drops its own note and no other's", (t) => {
  const { folder, watch } = served(t);
  writeFileSync(folder.serverFiles, "{}");
  watch.close();
  assert.ok(existsSync(folder.serverFiles));
});

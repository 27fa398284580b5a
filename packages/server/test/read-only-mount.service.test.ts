import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import { sampleAnswers, sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { backup } from "../src/operations/backup/backup.ts";
import { restore } from "../src/operations/backup/restore.ts";
import { diagnose } from "../src/operations/doctor/doctor.ts";
import { openDataFolder } from "../src/platform/data-folder.ts";

/** A folder as it is seen through a read-only mount; null where this process may not mount. */
function readOnlyView(t: TestContext, folder: string): string | null {
  const view = temporaryFolder();
  const mount = (...parameters: string[]) => spawnSync("mount", parameters).status === 0;
  const isMounted = mount("--bind", folder, view) && mount("-o", "remount,ro,bind", view);
  t.after(() => {
    spawnSync("umount", ["-l", view]);
    rmSync(view, { recursive: true, force: true });
  });
  return isMounted ? view : null;
}

for (const isServed of [false, true]) {
  const name = isServed ? "of a folder that is served" : "of a folder that nobody serves";
  test(`a read-only view ${name} is sound, and can be backed up`, async (t) => {
    const place = temporaryFolder();
    t.after(() => rmSync(place, { recursive: true }));
    const dataDir = join(place, "data");
    const service = await TestService.start({ dataDir });
    const accountId = await service.apply(sampleWorkspace);
    await service.import(accountId, sampleAnswers);
    const token = await service.session(accountId);
    const replies = await fiveReplies((path, body) => service.post(path, { token, body }));
    if (isServed) t.after(() => service.close());
    else await service.close();
    const view = readOnlyView(t, dataDir);
    if (view === null) {
      if (!isServed) t.diagnostic("NOT TESTED: this process may not mount (root is needed)");
      return;
    }
    const folder = openDataFolder(view);
    const { faults, checked } = await diagnose(folder);
    assert.deepEqual(faults, []);
    assert.ok(checked.includes(`accounts/${accountId}/answers.sqlite`), checked.join());

    const file = join(place, "backup.tar.zst");
    await backup(folder, file);
    const restored = join(place, "restored");
    mkdirSync(restored);
    await restore(file, restored);
    const again = await TestService.start({ dataDir: restored });
    t.after(() => again.close());
    await again.settle(accountId);
    const session = await again.session(accountId);
    const repeated = await fiveReplies((path, body) => again.post(path, { token: session, body }));
    assert.deepEqual(repeated, replies);
  });
}

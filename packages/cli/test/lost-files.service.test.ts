import assert from "node:assert/strict";
import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { printedDocument, startServing, stopped } from "@sightline/test-kit/command.ts";
import { sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

interface Key {
  readonly keyId: string;
  readonly key: string;
  readonly revokedAt: string | null;
}

/** A data folder with an account, and a key of it. */
async function dataWithKey(t: TestContext) {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, "data");
  const file = join(folder, "workspace.json");
  writeFileSync(file, JSON.stringify(sampleWorkspace));
  await runHosted(["apply", file, "--data-dir", dataDir]);
  const made = await runHosted(["keys", "create", "--data-dir", dataDir, "--json"]);
  return { dataDir, ...printedDocument<Key>(made) };
}

const losses: Readonly<Record<string, readonly [string, (dataDir: string) => void]>> = {
  "another folder is in its place": [
    " was replaced",
    (dir) => {
      cpSync(dir, `${dir}.copy`, { recursive: true });
      renameSync(dir, `${dir}.old`);
      renameSync(`${dir}.copy`, dir);
    },
  ],
  "control's log was deleted": [
    "/control.sqlite-wal was deleted or moved away",
    (dir) => rmSync(join(dir, "control.sqlite-wal")),
  ],
};

for (const [what, [fault, lose]] of Object.entries(losses)) {
  test(`a server ends with status 1 and says why: ${what}`, async (t) => {
    const { dataDir } = await dataWithKey(t);
    const serving = await startServing(dataDir);
    t.after(() => serving.process.kill("SIGKILL"));
    lose(dataDir);
    const { status, signal, stderr } = await serving.finished;
    assert.deepEqual([status, signal], [1, null], stderr);
    const [logged = "", told = ""] = stderr.split("\n").filter((line) => line.includes(fault));
    const { level, error, msg } = JSON.parse(logged) as Record<string, unknown>;
    const lost = "a file of the data folder is lost; the server stops";
    assert.deepEqual([level, error, msg], [60, `${dataDir}${fault}`, lost]);
    assert.ok(told.startsWith(`sightline: ${dataDir}${fault} while it was served. The server has`));
  });
}

test("a revocation that the server cannot see is not reported as done", async (t) => {
  const { dataDir, keyId, key } = await dataWithKey(t);
  const service = await TestService.start({ dataDir });
  for (const end of ["-wal", "-shm"]) rmSync(join(dataDir, `control.sqlite${end}`));
  const revoke = ["keys", "revoke", keyId, "--data-dir", dataDir, "--json"];
  const refused = await runHosted(revoke);
  assert.equal(refused.status, 1, refused.stdout);
  assert.match(
    refused.stderr,
    /^sightline: .*control\.sqlite-wal was deleted or moved away while a server had it open\./,
  );
  const exchange = await service.post("/v1/auth/accesskey/exchange", { token: key });
  assert.equal(exchange.status, 200, "the key is as good as the command says");
  const checked = await runHosted(["doctor", "--data-dir", dataDir]);
  assert.deepEqual(
    [checked.status, checked.stdout.split("\n")[0]],
    [1, `.: ${dataDir}/control.sqlite-wal was deleted or moved away while a server had it open`],
  );
  await service.close();

  assert.equal((await runHosted(revoke)).status, 0, "no server runs any more");
  const listed = await runHosted(["keys", "list", "--data-dir", dataDir, "--json"]);
  const [row] = printedDocument<{ keys: Key[] }>(listed).keys;
  assert.ok(row !== undefined && row.revokedAt !== null);
});

test("what a killed server noted keeps no command from its work", async (t) => {
  const { dataDir, keyId } = await dataWithKey(t);
  const serving = await startServing(dataDir);
  serving.process.kill("SIGKILL");
  await serving.finished;
  assert.equal((await runHosted(["rebuild", "--data-dir", dataDir])).status, 0);
  // The first command is the last to close control, and so takes its log away.
  for (const _ of [1, 2]) {
    const { status, stderr } = await runHosted(["keys", "revoke", keyId, "--data-dir", dataDir]);
    assert.equal(status, 0, stderr);
  }
  assert.equal((await stopped(await startServing(dataDir))).status, 0);
  assert.ok(!existsSync(join(dataDir, "server.json")));
});

import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sampleWorkspace, startSample } from "@sightline/test-kit/sample-account.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { exportAccount } from "./export-account.ts";

test("no file has the name of an account before a change, and what it tracks after", async (t) => {
  const { service, accountId } = await startSample(t);
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const { control, answers, clock, keyRing } = service.services;
  // Asked for after the account's name, and before what it tracks.
  const end = async (id: string) => {
    await service.apply({ ...sampleWorkspace, account: { id, name: "Renamed" } });
    return answers.end(id);
  };
  const place = { control, clock, pepperFingerprint: keyRing.pepperFingerprint };
  const file = join(folder, "account.ndjson.zst");
  await assert.rejects(
    exportAccount(
      { ...place, answers: { ...answers, end } },
      { accountId, file, onProgress: () => undefined },
    ),
    /changed meanwhile/,
  );
  assert.equal(existsSync(file), false);
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Snapshot, snapshotOf } from "../snapshot.ts";
import { compareSnapshots } from "./compare-snapshots.ts";

const manifest = fileURLToPath(import.meta.resolve("tldts/package.json"));
const { version: tldts } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
const { unicode } = process.versions;
const wanted = await snapshotOf({
  accountId: "b4d1d8b6-7a43-4c1b-9e70-0d4a0a3f5a10",
  accountName: "Acme",
  entities: [],
  topics: [],
  prompts: [],
});

test("a snapshot names what texts are read by: rules, suffix list, Unicode", () => {
  assert.equal(wanted.extractionVersion, `rules 4, tldts ${tldts}, Unicode ${unicode}`);
});

const earlier: readonly unknown[] = [
  `rules 0, tldts ${tldts}, Unicode ${unicode}`,
  `rules 4, tldts 0.0.1, Unicode ${unicode}`,
  `rules 4, tldts ${tldts}, Unicode 1.1`,
  1, // as facts of 0.1.0 have it
];

for (const version of earlier) {
  test(`facts built by ${JSON.stringify(version)} are rebuilt`, async () => {
    const built = { ...wanted, extractionVersion: version } as Snapshot;
    const comparison = await compareSnapshots(built, wanted, new Set());
    assert.deepEqual(comparison, { kind: "rebuild", reason: "version" });
  });
}

test("facts built by the same rules, suffix list and Unicode are kept", async () => {
  assert.deepEqual(await compareSnapshots({ ...wanted }, wanted, new Set()), { kind: "same" });
});

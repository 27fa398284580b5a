import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { portrayalVersion } from "../../extraction/index.ts";
import { type Snapshot, snapshotOf } from "../snapshot.ts";
import { compareSnapshots, readMeanwhile } from "./account-projection.ts";

test("looks until there is something, while the work goes on", async () => {
  let looks = 0;
  const read = async () => (++looks < 3 ? null : looks);
  assert.equal(await readMeanwhile(read, new Promise(() => undefined)), 3);
});

test("what comes while the work ends is found", async () => {
  const work = Promise.withResolvers<void>();
  let there = false;
  const read = async () => {
    if (there) return "next";
    queueMicrotask(() => {
      there = true;
      work.resolve();
    });
    return null;
  };
  assert.equal(await readMeanwhile(read, work.promise), "next");
});

test("gives up after a look behind the end of the work", async () => {
  const work = Promise.withResolvers<void>();
  const looks: string[] = [];
  let ended = false;
  const read = async () => {
    looks.push(ended ? "after" : "before");
    ended = true;
    work.resolve();
    return null;
  };
  assert.equal(await readMeanwhile(read, work.promise), null);
  assert.deepEqual(looks, ["before", "after"]);
});

test("work that fails is over too, and its error is not its own", async () => {
  const work = Promise.reject(new Error("the disk is full"));
  assert.equal(await readMeanwhile(async () => null, work), null);
  await assert.rejects(work, /disk is full/);
});

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

test("a snapshot names what texts are read by: rules, suffix list, portrayal, Unicode", () => {
  const parts = [
    `rules 4`,
    `tldts ${tldts}`,
    `portrayal ${portrayalVersion}`,
    `Unicode ${unicode}`,
  ];
  assert.equal(wanted.extractionVersion, parts.join(", "));
});

const earlier: readonly unknown[] = [
  `rules 0, tldts ${tldts}, Unicode ${unicode}`,
  `rules 4, tldts 0.0.1, portrayal ${portrayalVersion}, Unicode ${unicode}`,
  `rules 4, tldts ${tldts}, portrayal 0, Unicode ${unicode}`,
  `rules 4, tldts ${tldts}, portrayal ${portrayalVersion}, Unicode 1.1`,
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

import assert from "node:assert/strict";
import { hash, randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import { corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { FactsFile } from "../src/facts/duckdb/facts-file.ts";
import { type AccountFiles, openDataFolder } from "../src/platform/data-folder.ts";

const folder = temporaryFolder();
const dataDir = join(folder, "data");
let accountId: string;
let key: string;
let files: AccountFiles;
let expected: readonly string[] | null;

before(async () => {
  const service = await TestService.start({ dataDir });
  accountId = await service.apply(corpusWorkspace);
  key = await service.key(accountId);
  files = openDataFolder(dataDir).account(accountId);
  await service.import(accountId, corpusAnswers(1_500));
  expected = await repliesOf(service);
  assert.notEqual(expected, null);
  await service.close();
});

after(() => rmSync(folder, { recursive: true }));

async function repliesOf(service: TestService): Promise<readonly string[] | null> {
  const exchange = await service.post("/v1/auth/accesskey/exchange", { token: key });
  const token = exchange.json<{ sessionJwt: string }>().sessionJwt;
  return fiveReplies((path, body) => service.post(path, { token, body }));
}

/**
 * Starts a service on the folder, waits until it is caught up and gives the same replies as before,
 * and says what it built. Some damage shows only when a question meets it: it is repaired then.
 */
async function restarted(
  t: TestContext,
  root = dataDir,
): Promise<Readonly<Record<string, number>>> {
  const service = await TestService.start({ dataDir: root });
  t.after(() => service.close());
  await service.settle(accountId);
  const replies = await until("the five replies", () => repliesOf(service));
  assert.deepEqual(fingerprints(replies), fingerprints(expected));
  await service.settle(accountId);
  assert.deepEqual(fingerprints(await repliesOf(service)), fingerprints(expected));
  const { values } = await service.services.metrics.factsRebuilds.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.reason ?? "", value]));
}

/** The beginnings of the replies and what tells their rest apart: short enough for a message. */
function fingerprints(replies: readonly string[] | null): readonly string[] | undefined {
  return replies?.map((reply) => `${reply.slice(0, 40)}… ${hash("sha256", reply)}`);
}

test("undamaged facts are not built anew", async (t) => {
  assert.deepEqual(await restarted(t), {});
});

test("without any DuckDB file the replies are the same, byte for byte", async (t) => {
  for (const end of ["", ".wal"]) rmSync(`${files.facts}${end}`, { force: true });
  assert.deepEqual(await restarted(t), { absent: 1 });
});

/** Each leaves the facts in a state that a disk, a crash or a person could leave them in. */
const damages: Readonly<Record<string, () => void>> = {
  "an empty file": () => truncateSync(files.facts),
  "the first half": () => truncateSync(files.facts, Math.floor(statSync(files.facts).size / 2)),
  // The last blocks may be free: what was in them has been compacted.
  "but for the last quarter": () => truncateSync(files.facts, Math.ceil(size() * 0.75)),
  garbage: () => writeFileSync(files.facts, randomBytes(100_000)),
  "text instead": () => writeFileSync(files.facts, "not a database\n".repeat(1_000)),
  "a flipped byte in the head": () => flip([10]),
  "flipped bytes in both headers": () => flip([4_096, 4_100, 8_192, 8_200]),
  "flipped bytes all over": () =>
    flip(Array.from({ length: 200 }, (_, place) => Math.floor((place * size()) / 200) + 77)),
  "an empty database": () => {
    rmSync(files.facts);
    writeFileSync(files.facts, "");
  },
};

function size(): number {
  return statSync(files.facts).size;
}

function flip(places: readonly number[]): void {
  writeFileSync(files.facts, flipped(readFileSync(files.facts), places));
}

function flipped(bytes: Buffer, places: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const place of places) copy[place] = (copy[place] ?? 0) ^ 0xff;
  return copy;
}

/** How many damaged facts were set aside. */
let setAside = 0;

for (const [name, damage] of Object.entries(damages)) {
  test(`damaged facts are set aside and built anew: ${name}`, async (t) => {
    damage();
    assert.deepEqual(await restarted(t), { damaged: 1 });
    assert.ok(existsSync(`${files.facts}.damaged.${++setAside}`));
  });
}

/** What may be wrong with the log that a killed server leaves. */
const logDamages: Readonly<Record<string, (log: Buffer) => Buffer>> = {
  undamaged: (log) => log,
  "garbage instead": () => randomBytes(10_000),
  "garbage behind it": (log) => Buffer.concat([log, randomBytes(1_000)]),
  "cut off inside": (log) => log.subarray(0, Math.floor(log.length * 0.6)),
  "its last byte missing": (log) => log.subarray(0, log.length - 1),
  "a flipped byte near its beginning": (log) => flipped(log, [100]),
  "a flipped byte in its middle": (log) => flipped(log, [Math.floor(log.length / 2)]),
  "flipped bytes all over": (log) =>
    flipped(
      log,
      Array.from({ length: 50 }, (_, place) => Math.floor((place * log.length) / 50)),
    ),
  "zeros in its middle": (log) =>
    Buffer.from(log).fill(0, log.length >> 1, (log.length >> 1) + 512),
  gone: () => Buffer.alloc(0),
};

test("whatever is wrong with the log of a killed server, the replies are the same", async (t) => {
  const killed = join(folder, "killed");
  const service = await TestService.start({ dataDir });
  try {
    await service.import(accountId, corpusAnswers(2_500));
    expected = await repliesOf(service);
    cpSync(dataDir, killed, { recursive: true }); // what kill -9 would leave: nothing is closed
  } finally {
    await service.close();
  }
  const log = `${openDataFolder(killed).account(accountId).facts}.wal`;
  const whole = readFileSync(log);
  assert.ok(whole.length > 1_000, `the log has ${whole.length} bytes`);
  for (const [name, damage] of Object.entries(logDamages)) {
    await t.test(name, async (t) => {
      const copy = join(folder, "copy");
      t.after(() => rmSync(copy, { recursive: true }));
      cpSync(killed, copy, { recursive: true });
      const bytes = damage(whole);
      const path = `${openDataFolder(copy).account(accountId).facts}.wal`;
      if (bytes.length > 0) writeFileSync(path, bytes);
      else rmSync(path);
      await restarted(t, copy);
    });
  }
});

test("facts that older rules built are built anew", async (t) => {
  const file = await FactsFile.open(files.facts);
  const { snapshot } = file.state;
  await file.extend({ ...snapshot, extractionVersion: "rules 0" });
  file.close();
  assert.deepEqual(await restarted(t), { version: 1 });
});

test("facts of an older version say nothing until they are built anew", async (t) => {
  const file = await FactsFile.open(files.facts);
  const { snapshot } = file.state;
  await file.extend({ ...snapshot, factsVersion: snapshot.factsVersion - 1 });
  file.close();
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  const token = await service.session(accountId);
  const [prompt] = corpusWorkspace.prompts;
  const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };
  const body = { interval: "monthly", filters: { timeRange, promptIds: [prompt?.id] } };
  const ask = () => service.post("/v1/analytics/brands/mentions", { token, body });
  const early = await ask();
  await service.settle(accountId);
  const later = await ask();
  assert.equal(later.status, 200);
  assert.ok(early.status === 503 || early.body === later.body, early.body);
});

test("facts whose tables are of an older version are built anew", async (t) => {
  const file = await FactsFile.open(files.facts);
  const { snapshot } = file.state;
  await file.extend({ ...snapshot, factsVersion: snapshot.factsVersion - 1 });
  file.close();
  assert.deepEqual(await restarted(t), { version: 1 });
});

test("what a rebuild that did not end has left is ignored, and removed", async (t) => {
  for (const end of ["", ".wal"]) writeFileSync(`${files.nextFacts}${end}`, randomBytes(5_000));
  assert.deepEqual(await restarted(t), {});
  assert.ok(!existsSync(files.nextFacts) && !existsSync(`${files.nextFacts}.wal`));
});

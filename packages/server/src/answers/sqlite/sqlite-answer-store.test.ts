import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import Database from "better-sqlite3";
import { HeldClock } from "../../../test/held-clock.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import { type DataFolder, makeFolder, openDataFolder } from "../../platform/data-folder.ts";
import type { Answer } from "../answer.ts";
import { OtherRecordError, RecordError, recordBeginning } from "../answer-store.ts";
import { sqliteAnswerStore } from "./sqlite-answer-store.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const otherAccount = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002";
const answer: Answer = {
  id: idOf(1),
  promptId: "11111111-1111-4111-8111-111111111111",
  provider: "OPENAI",
  region: "US",
  answeredAt: Date.parse("2026-10-01T08:00:00.001Z"),
  outcome: "answered",
  text: "Take Acme\u0000 or 日本 👍.",
  citations: [{ url: "https://acme.com", title: "Acme", cited: false }],
  model: "m",
  surface: "web",
  sample: Number.MAX_SAFE_INTEGER,
  metadata: { a: [1, null, { b: "\ud800" }] },
};

function idOf(number: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

function folderOf(t: TestContext): DataFolder {
  const root = temporaryFolder();
  t.after(() => rmSync(root, { recursive: true }));
  return openDataFolder(join(root, "data"));
}

function storeOf(t: TestContext, folder = folderOf(t)) {
  const store = sqliteAnswerStore(folder, new HeldClock());
  t.after(() => store.close());
  return store;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

test("what is recorded is read back whole, also by another process's connection", async (t) => {
  const folder = folderOf(t);
  const store = storeOf(t, folder);
  const bare: Answer = {
    ...answer,
    id: idOf(2),
    region: null,
    answeredAt: Date.parse("0001-01-01T00:00:00Z"),
    citations: [],
    model: null,
    surface: null,
    sample: 0,
    metadata: null,
  };
  assert.deepEqual(await store.record(accountId, [answer, bare]), ["accepted", "accepted"]);
  const expected = [
    { ...answer, sequence: 1 },
    { ...bare, sequence: 2 },
  ];
  assert.deepEqual(await store.read(accountId, { after: 0, limit: 10 }), expected);
  assert.deepEqual(await storeOf(t, folder).read(accountId, { after: 0, limit: 10 }), expected);
});

test("reads go on after a place, up to a limit, in the order of recording", async (t) => {
  const store = storeOf(t);
  assert.equal((await store.end(accountId)).sequence, 0);
  assert.deepEqual(await store.read(accountId, { after: 0, limit: 10 }), []);
  await store.record(
    accountId,
    [5, 3, 4].map((number) => ({ ...answer, id: idOf(number) })),
  );
  const ids = async (after: number, limit: number) =>
    (await store.read(accountId, { after, limit })).map(({ id, sequence }) => [sequence, id]);
  assert.deepEqual(await ids(0, 2), [
    [1, idOf(5)],
    [2, idOf(3)],
  ]);
  assert.deepEqual(await ids(2, 2), [[3, idOf(4)]]);
  assert.equal((await store.end(accountId)).sequence, 3);
});

test("a read of large answers is short rather than large, and never empty", async (t) => {
  const store = storeOf(t);
  const text = "x".repeat(2_000_000);
  const large = Array.from({ length: 40 }, (_, number) => ({ ...answer, id: idOf(number), text }));
  await store.record(accountId, large);
  const sizes: number[] = [];
  for (let after = 0; after < 40; ) {
    const read = await store.read(accountId, { after, limit: 2_000 });
    sizes.push(read.length);
    after = read.at(-1)?.sequence ?? Number.POSITIVE_INFINITY;
  }
  assert.deepEqual(sizes, [17, 17, 6]);
});

test("a batch is one transaction: when one answer cannot be stored, none is", async (t) => {
  const store = storeOf(t);
  const bad = { ...answer, id: idOf(2), sample: 1.5 };
  await assert.rejects(store.record(accountId, [answer, bad]), /INTEGER/);
  assert.equal((await store.end(accountId)).sequence, 0);
  assert.deepEqual(await store.record(accountId, [answer]), ["accepted"]);
});

test("duplicates and conflicts, inside of a batch and against the record", async (t) => {
  const store = storeOf(t);
  const other = { ...answer, text: "other" };
  assert.deepEqual(await store.record(accountId, [answer, answer, other]), [
    "accepted",
    "duplicate",
    "conflict",
  ]);
  assert.deepEqual(await store.record(accountId, [other, answer]), ["conflict", "duplicate"]);
  assert.deepEqual(
    (await store.read(accountId, { after: 0, limit: 10 })).map(({ text }) => text),
    [answer.text],
  );
});

test("two accounts record the same id without meeting", async (t) => {
  const store = storeOf(t);
  await store.record(accountId, [answer]);
  assert.deepEqual(await store.record(otherAccount, [{ ...answer, text: "theirs" }]), ["accepted"]);
  assert.deepEqual(
    await Promise.all(
      [accountId, otherAccount].map(async (id) => {
        return (await store.read(id, { after: 0, limit: 9 }))[0]?.text;
      }),
    ),
    [answer.text, "theirs"],
  );
});

test("many accounts: those not used lately are closed, and open again", async (t) => {
  const store = storeOf(t);
  const accounts = Array.from({ length: 300 }, (_, number) => idOf(number));
  for (const id of accounts) await store.record(id, [answer]);
  assert.deepEqual(
    await Promise.all(accounts.map(async (id) => (await store.end(id)).sequence)),
    accounts.map(() => 1),
  );
});

test("an account's id becomes a path: nothing but a lower-case UUID passes", async (t) => {
  const store = storeOf(t);
  for (const id of ["../../etc", "", accountId.toUpperCase(), `${accountId}/..`]) {
    await assert.rejects(store.end(id), /not an account id/);
  }
});

test("a record that a later version wrote is refused, and not changed", async (t) => {
  const folder = folderOf(t);
  const path = folder.account(accountId).answers;
  makeFolder(folder.account(accountId).folder);
  const later = new Database(path);
  later.pragma("user_version = 99");
  later.close();
  const opening = () => storeOf(t, folder).end(accountId);
  await assert.rejects(
    opening,
    /answers\.sqlite has layout 99; this version of Sightline knows 2\.$/,
  );
  const after = new Database(path);
  t.after(() => after.close());
  assert.equal(after.pragma("user_version", { simple: true }), 99);
});

test("a record of the first layout gets an id, and keeps its answers", async (t) => {
  const folder = folderOf(t);
  await storeOf(t, folder).record(accountId, [answer]);
  const path = folder.account(accountId).answers;
  const earlier = new Database(path);
  earlier.exec("drop table identity; pragma user_version = 1");
  earlier.close();
  const store = storeOf(t, folder);
  assert.deepEqual(await store.read(accountId, { after: 0, limit: 9 }), [
    { ...answer, sequence: 1 },
  ]);
  const range = { after: recordBeginning, limit: 9 };
  const [content] = await all(store.each(accountId, range));
  assert.match(content?.stamp ?? "", /^[0-9A-F]{32}\/[0-9A-F]{32}\/\d+$/);
});

test("a mark is of one record: no other has it, nor a copy that went another way", async (t) => {
  const folder = folderOf(t);
  const store = storeOf(t, folder);
  const clock = new HeldClock();
  const files = folder.account(accountId);
  await store.record(accountId, [answer]);
  await store.close(); // moves its log into it
  copyFileSync(files.answers, `${files.answers}.copy`);
  const other = { ...answer, id: idOf(2) };
  await store.record(accountId, [other]);
  await store.record(otherAccount, [answer, other]);
  const range = { after: recordBeginning, limit: 9 };
  const marks = async (id: string) =>
    (await all(store.each(id, range))).map(({ sequence, stamp }) => ({
      sequence,
      stamp,
    }));
  const [first = recordBeginning, second = recordBeginning] = await marks(accountId);
  assert.deepEqual(
    [await store.has(accountId, first), await store.has(accountId, second)],
    [true, true],
  );
  for (const mark of await marks(otherAccount)) assert.ok(!(await store.has(accountId, mark)));
  assert.ok(await store.has(accountId, recordBeginning));

  await store.close();
  for (const end of ["-wal", "-shm"]) rmSync(`${files.answers}${end}`, { force: true });
  renameSync(`${files.answers}.copy`, files.answers);
  assert.deepEqual(
    [await store.has(accountId, first), await store.has(accountId, second)],
    [true, false],
  );
  clock.advance(1);
  const later = sqliteAnswerStore(folder, clock);
  t.after(() => later.close());
  await later.record(accountId, [other]);
  assert.equal(await store.has(accountId, second), false, "it was recorded at another time");
  const reading = all(store.each(accountId, { after: second, limit: 9 }));
  await assert.rejects(reading, OtherRecordError);
});

test("a record that cannot be read says so, and is read again once it can be", async (t) => {
  const folder = folderOf(t);
  const store = storeOf(t, folder);
  await store.record(accountId, [answer]);
  const { answers } = folder.account(accountId);
  renameSync(answers, `${answers}.aside`);
  mkdirSync(answers);
  await assert.rejects(store.end(accountId), RecordError);
  const range = { after: recordBeginning, limit: 9 };
  await assert.rejects(all(store.each(accountId, range)), RecordError);
  rmSync(answers, { recursive: true });
  renameSync(`${answers}.aside`, answers);
  assert.equal((await store.end(accountId)).sequence, 1);
});

test("a record opens while another process writes to it", async (t) => {
  const folder = folderOf(t);
  await storeOf(t, folder).record(accountId, [answer]);
  const writer = new Database(folder.account(accountId).answers);
  t.after(() => writer.close());
  writer.exec("begin immediate");
  const started = performance.now();
  assert.equal((await storeOf(t, folder).end(accountId)).sequence, 1);
  // A connection that asked for the write lock would wait for busyTimeoutMs, and then fail.
  assert.ok(performance.now() - started < 5_000);
});

test("when the newest answer was recorded; a duplicate does not change it", async (t) => {
  const clock = new HeldClock();
  const store = sqliteAnswerStore(folderOf(t), clock);
  t.after(() => store.close());
  assert.equal((await store.end(accountId)).recordedAtMs, null);
  const recorded = clock.now();
  await store.record(accountId, [answer, { ...answer, id: idOf(2) }]);
  assert.equal((await store.end(accountId)).recordedAtMs, recorded);
  clock.advance(1);
  await store.record(accountId, [answer]);
  assert.equal((await store.end(accountId)).recordedAtMs, recorded);
  await store.record(accountId, [{ ...answer, id: idOf(3), text: "x".repeat(2_000_000) }]);
  assert.equal((await store.end(accountId)).recordedAtMs, recorded + 1);
  assert.equal((await store.end(otherAccount)).recordedAtMs, null);
});

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import Database from "better-sqlite3";
import {
  accountId,
  all,
  answer,
  idOf,
  otherAccount,
  testAnswerStore,
} from "../../../test/answer-store-contract.ts";
import { HeldClock } from "../../../test/held-clock.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import { type DataFolder, makeFolder, openDataFolder } from "../../platform/data-folder.ts";
import { everyAnswer } from "../answer-selection.ts";
import { OtherRecordError, RecordError, recordBeginning } from "../answer-store.ts";
import { checkRecord } from "./check-record.ts";
import { sqliteAnswerStore } from "./sqlite-answer-store.ts";

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

testAnswerStore("sqlite", async (t) => {
  const folder = folderOf(t);
  return (clock = new HeldClock()) => {
    const store = sqliteAnswerStore(folder, clock);
    t.after(() => store.close());
    return store;
  };
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
    /answers\.sqlite has layout 99; this version of Sightline knows 4\.$/,
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
  earlier.exec("drop table identity; drop table batches; pragma user_version = 1");
  earlier.exec("drop table removed_texts");
  earlier.close();
  const store = storeOf(t, folder);
  assert.deepEqual(await store.read(accountId, { after: 0, limit: 9 }), [
    { ...answer, sequence: 1 },
  ]);
  const range = { after: recordBeginning, limit: 9 };
  const [content] = await all(store.each(accountId, range));
  assert.match(content?.stamp ?? "", /^[0-9A-F]{32}\/[0-9A-F]{32}\/\d+$/);
});

test("of removed texts nothing is left in any file", async (t) => {
  const folder = folderOf(t);
  const store = storeOf(t, folder);
  const secret = "a sentence that nobody must find again";
  const kept = "a sentence that stays";
  const texts = [secret, `${secret} ${"x".repeat(200_000)} ${secret}`, kept];
  const answers = texts.map((text, number) => ({ ...answer, id: idOf(number), text }));
  await store.record(accountId, answers);
  await store.remove(accountId, { ...everyAnswer, ids: [idOf(0), idOf(1)] });
  const files = folder.account(accountId).folder;
  const bytes = Buffer.concat(readdirSync(files).map((name) => readFileSync(join(files, name))));
  assert.deepEqual([bytes.includes(kept), bytes.includes(secret)], [true, false]);
});

test("of what is removed little by little, no copy is left where rows have moved", async (t) => {
  const folder = folderOf(t);
  const store = storeOf(t, folder);
  const secret = "no copy of this";
  const path = folder.account(accountId).answers;
  const copies = () => readFileSync(path, "latin1").split(secret).length - 1;
  const numbers = Array.from({ length: 3_000 }, (_, number) => number);
  const answers = numbers.map((number) => {
    const text = `${secret} ${"x".repeat((number * 37) % 900)}`;
    return { ...answer, id: idOf(number), answeredAt: number, text, citations: [] };
  });
  for (let first = 0; first < answers.length; first += 500) {
    await store.record(accountId, answers.slice(first, first + 500));
  }
  const some = numbers.filter((number) => number % 3 === 0).map(idOf);
  await store.remove(accountId, { ...everyAnswer, ids: some });
  assert.equal(copies(), 2_000);
  const removal = { fromMs: 0, beforeMs: 1_500, limit: 700, mentionedIn: () => [] };
  assert.deepEqual(await store.removeTexts(accountId, removal), { answers: 700, nextMs: 1_049 });
  const rest = await store.removeTexts(accountId, { ...removal, fromMs: 1_049 });
  assert.equal(rest.answers, 300);
  assert.equal(copies(), 1_000);
  await store.remove(accountId, { ...everyAnswer, ids: [idOf(2_999), idOf(2_000)] });
  assert.equal(copies(), 998);
  assert.deepEqual(checkRecord(path), []);
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

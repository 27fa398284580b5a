import assert from "node:assert/strict";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  accountId,
  all,
  answer,
  idOf,
  otherAccount,
  testAnswerStore,
} from "@sightline/test-kit/contracts/answer-store-contract.ts";
import { rawOf } from "@sightline/test-kit/contracts/raw-replies-contract.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import Database from "better-sqlite3";
import { type DataFolder, makeFolder, openDataFolder } from "../../platform/data-folder.ts";
import { type Answer, unknownCollection } from "../answer.ts";
import { everyAnswer, OtherRecordError, RecordError, recordBeginning } from "../answer-store.ts";
import { checkRecord } from "./account-record.ts";
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
    /answers\.sqlite has layout 99; this version of Sightline knows 6\.$/,
  );
  const after = new Database(path);
  t.after(() => after.close());
  assert.equal(after.pragma("user_version", { simple: true }), 99);
});

test("a record of the first layout is checked as it is, then has an id", async (t) => {
  const folder = folderOf(t);
  const before = answerOfBefore();
  await storeOf(t, folder).record(accountId, [before]);
  const path = folder.account(accountId).answers;
  const earlier = new Database(path);
  toLayout4(earlier);
  earlier.exec("drop table identity; drop table batches; pragma user_version = 1");
  earlier.exec("drop table removed_texts");
  earlier.close();
  assert.deepEqual(checkRecord(path), []);
  const store = storeOf(t, folder);
  assert.deepEqual(await store.read(accountId, { after: 0, limit: 9 }), [
    { ...before, sequence: 1 },
  ]);
  const range = { after: recordBeginning, limit: 9 };
  const [content] = await all(store.each(accountId, range));
  assert.match(content?.stamp ?? "", /^[0-9A-F]{32}\/[0-9A-F]{32}\/\d+$/);
});

test("a record of layout 4 is checked as it is, then says how answers came", async (t) => {
  const folder = folderOf(t);
  const first = storeOf(t, folder);
  const before = answerOfBefore();
  await first.record(accountId, [before, { ...before, id: idOf(2), answeredAt: 1 }]);
  await first.removeTexts(accountId, { fromMs: 0, beforeMs: 2, limit: 9, mentionedIn: () => [] });
  await first.close();
  const path = folder.account(accountId).answers;
  const earlier = new Database(path);
  toLayout4(earlier);
  earlier.close();
  assert.deepEqual(checkRecord(path), []);
  const store = storeOf(t, folder);
  assert.deepEqual(await store.record(accountId, [before, { ...answer, id: idOf(3) }]), [
    "duplicate",
    "accepted",
  ]);
  const read = await store.read(accountId, { after: 0, limit: 9 });
  assert.deepEqual(
    [read[0], read[1]?.searchQueries, read[2]],
    [{ ...before, sequence: 1 }, [], { ...answer, id: idOf(3), sequence: 4 }],
  );
  await store.keepRaw(accountId, rawOf(1));
  assert.equal((await store.rawReplies(accountId, null, 9)).length, 1);
  await store.close();
  assert.deepEqual(checkRecord(path), []);
  const migrated = new Database(path, { readonly: true });
  t.after(() => migrated.close());
  assert.equal(migrated.pragma("application_id", { simple: true }), 0, "it has no copies of texts");
});

/** An answer that says nothing of how it was collected, and whose citations have no spans. */
function answerOfBefore(): Answer {
  const citations = answer.citations.map(({ spans: _, ...rest }) => rest);
  return { ...answer, citations, ...unknownCollection };
}

/** Takes away what layout 5 added. */
function toLayout4(database: Database.Database): void {
  for (const column of ["search_queries", "cost", "vendor", "requested_region"]) {
    database.exec(`alter table answers drop column ${column}`);
  }
  database.exec("drop table raw_places; pragma user_version = 4");
}

test("a record of layout 5 is checked as it is, then takes answers with spans", async (t) => {
  const folder = folderOf(t);
  const first = storeOf(t, folder);
  const before = { ...answerOfBefore(), vendor: "openai" };
  await first.record(accountId, [before]);
  await first.keepRaw(accountId, rawOf(1));
  await first.close();
  const path = folder.account(accountId).answers;
  const earlier = new Database(path);
  earlier.pragma("user_version = 5");
  earlier.close();
  assert.deepEqual(checkRecord(path), []);
  const store = storeOf(t, folder);
  const now = { ...answer, id: idOf(2) };
  assert.deepEqual(await store.record(accountId, [before, now]), ["duplicate", "accepted"]);
  assert.deepEqual(await store.read(accountId, { after: 0, limit: 9 }), [
    { ...before, sequence: 1 },
    { ...now, sequence: 3 },
  ]);
  assert.equal((await store.rawReplies(accountId, null, 9)).length, 1);
  await store.close();
  assert.deepEqual(checkRecord(path), []);
  const migrated = new Database(path);
  t.after(() => migrated.close());
  assert.equal(migrated.pragma("user_version", { simple: true }), 6);
  migrated.exec("update answers set citations = replace(citations, '[0,9]', '[1,9]')");
  assert.equal(checkRecord(path).length, 1, "a damaged span is found");
});

test("of removed raw replies nothing is left in any file", async (t) => {
  const folder = folderOf(t);
  const store = storeOf(t, folder);
  const files = folder.account(accountId).folder;
  const dayMs = 86_400_000;
  /** Bodies of many sizes, so that pages are shared, split and continued. */
  const bodyOf = (number: number, version = "") =>
    Buffer.from(
      `<reply ${number}${version}> ${"x".repeat((number * 3_701) % 60_000)} <end ${number}>`,
    );
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  for (const number of numbers) {
    const at = (20_000 + (number % 4)) * dayMs;
    // An exchange more replaces what was kept; it begins with the same bytes or others.
    await store.keepRaw(accountId, rawOf(number, { at, body: bodyOf(number, " of before") }));
    await store.keepRaw(accountId, rawOf(number, { at, body: bodyOf(number) }));
  }
  const answers = numbers.map((number) => ({ ...answer, id: idOf(number), answeredAt: number }));
  await store.record(accountId, answers.slice(0, 70));
  const left = () => {
    const bytes = Buffer.concat(readdirSync(files).map((name) => readFileSync(join(files, name))));
    return numbers.filter(
      (number) => bytes.includes(`<reply ${number}>`) || bytes.includes(`<end ${number}>`),
    );
  };
  assert.deepEqual(left(), numbers);
  let expected = numbers;
  const without = (isGone: (number: number) => boolean) => {
    expected = expected.filter((number) => !isGone(number));
    return expected;
  };
  const removal = { fromMs: 0, beforeMs: 20, limit: 90, mentionedIn: () => [] };
  await store.removeTexts(accountId, removal);
  assert.deepEqual(
    left(),
    without((number) => number < 20),
  );
  await store.removeRaw(accountId, 20_001 * dayMs);
  assert.deepEqual(
    left(),
    without((number) => number % 4 === 0),
  );
  await store.remove(accountId, { ...everyAnswer, ids: [idOf(21), idOf(22), idOf(50)] });
  assert.deepEqual(
    left(),
    without((number) => [21, 22, 50].includes(number)),
  );
  const kept = await store.rawReplies(accountId, null, 1_000);
  assert.deepEqual(
    kept.map(({ body }) => body.toString()),
    expected.map((number) => bodyOf(number).toString()),
  );
  await store.removeRaw(accountId, 20_004 * dayMs);
  assert.deepEqual(left(), []);
  await store.close();
  assert.deepEqual(checkRecord(folder.account(accountId).answers), []);
});

test("of removed texts nothing is left in any file", async (t) => {
  const folder = folderOf(t);
  const store = storeOf(t, folder);
  const secret = "a sentence that nobody must find again";
  const kept = "a sentence that stays";
  const texts = [secret, `${secret} ${"x".repeat(200_000)} ${secret}`, kept];
  const answers = texts.map((text, number) => {
    return { ...answer, id: idOf(number), text, searchQueries: [text.slice(0, 100)] };
  });
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

test("a record that cannot be looked at does not end the timer that closes records", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = folderOf(t);
  const store = storeOf(t, folder);
  const [account, other] = [folder.account(accountId), folder.account(otherAccount)];
  for (const id of [accountId, otherAccount]) await store.record(id, [answer]);
  renameSync(account.answers, `${account.answers}.whole`);
  symlinkSync(account.answers, account.answers); // to look at it fails
  rmSync(other.folder, { recursive: true });
  t.mock.timers.tick(1_000);
  await assert.rejects(store.end(accountId), RecordError);
  assert.equal((await store.end(otherAccount)).sequence, 0);
  rmSync(account.answers);
  renameSync(`${account.answers}.whole`, account.answers);
  t.mock.timers.tick(1_000);
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

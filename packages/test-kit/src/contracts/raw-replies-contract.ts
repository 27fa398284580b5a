import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  type AnswerStore,
  everyAnswer,
  type RawReply,
  rawBytesMax,
  unagingAt,
} from "../../../server/src/answers/answer-store.ts";
import type { Clock } from "../../../server/src/platform/clock.ts";
import { accountId, answer, idOf, otherAccount } from "./record-fixtures.ts";

/** Opens records at one place, again and again as another process would; closed after the test. */
type Opening = (clock?: Clock) => AnswerStore;

/** Opens records over a new and empty place. */
export type Place = (t: TestContext) => Promise<Opening>;

/** What any AnswerStore does, by name. */
export type Contract = Readonly<
  Record<string, (t: TestContext, openingOf: Place) => Promise<void>>
>;

const dayMs = 86_400_000;

/** A raw reply of an answer, with bytes that no text has. */
export function rawOf(number: number, changes: Partial<RawReply> = {}): RawReply {
  const body = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, number % 256]);
  return {
    answerId: idOf(number),
    vendor: "openai",
    at: 20_000 * dayMs + number,
    body,
    ...changes,
  };
}

/** As plain arrays of bytes: engines give buffers of different kinds. */
function plain(reply: RawReply | null) {
  return reply && { ...reply, body: [...reply.body] };
}

async function idsOf(store: AnswerStore, account = accountId): Promise<readonly string[]> {
  return (await store.rawReplies(account, null, 100)).map(({ answerId }) => answerId);
}

const ids = (...numbers: number[]) => numbers.map(idOf);

/** What any AnswerStore does with raw replies. */
export const rawRepliesContract: Contract = {
  "a raw reply is kept before its answer, in place of the one before": async (t, openingOf) => {
    const open = await openingOf(t);
    const store = open();
    assert.equal(await store.raw(accountId, idOf(1)), null);
    assert.deepEqual(await idsOf(store), []);
    await store.keepRaw(accountId, rawOf(1));
    assert.deepEqual(plain(await store.raw(accountId, idOf(1))), plain(rawOf(1)));
    const body = Buffer.alloc(300_000, "longer ");
    const later = rawOf(1, { at: 20_001 * dayMs, vendor: "cloro", body });
    await store.keepRaw(accountId, later);
    assert.deepEqual(plain(await open().raw(accountId, idOf(1))), plain(later));
    assert.deepEqual((await store.rawReplies(accountId, null, 9)).map(plain), [plain(later)]);
    const empty = rawOf(1, { at: 20_001 * dayMs, body: Buffer.alloc(0) });
    await store.keepRaw(accountId, empty);
    assert.deepEqual(plain(await store.raw(accountId, idOf(1))), plain(empty));
    assert.equal(await store.raw(otherAccount, idOf(1)), null);
    assert.equal((await store.end(accountId)).sequence, 0, "it is not an answer");
  },

  "raw replies are read by answer id, on after one, few when they are large": async (
    t,
    openingOf,
  ) => {
    const store = (await openingOf(t))();
    // ClickHouse orders UUIDs by their second half: these differ in the first.
    const mixed = ["b0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-000000000002"];
    for (const answerId of mixed) await store.keepRaw(accountId, rawOf(0, { answerId }));
    for (const number of [3, 1, 2]) await store.keepRaw(accountId, rawOf(number));
    await store.keepRaw(otherAccount, rawOf(7));
    const sorted = [mixed[1], ...ids(1, 2, 3), mixed[0]];
    assert.deepEqual(await idsOf(store), sorted);
    const page = async (after: string | null, limit: number) =>
      (await store.rawReplies(accountId, after, limit)).map(({ answerId }) => answerId);
    assert.deepEqual(await page(null, 2), sorted.slice(0, 2));
    assert.deepEqual(await page(idOf(1), 2), sorted.slice(2, 4));
    assert.deepEqual(await page(sorted[4] ?? "", 2), []);
    const body = Buffer.alloc(rawBytesMax, 1);
    for (const number of [1, 2, 3]) await store.keepRaw(accountId, rawOf(number, { body }));
    await store.keepRaw(accountId, rawOf(4, { body }));
    const large = await page(mixed[1] ?? null, 100);
    assert.ok(large.length >= 1 && large.length <= 4, `${large.length} were read`);
    assert.deepEqual(large, ids(1, 2, 3, 4).slice(0, large.length));
    const read: string[] = [];
    let unread: readonly string[] = ids(4, 9, 2, 1, 3);
    for (let reads = 0; unread.length > 0; reads++) {
      assert.ok(reads < 4, "each read gives one at least");
      const some = await store.rawsOf(accountId, unread);
      read.push(...some.replies.map(({ answerId }) => answerId));
      unread = some.unread;
    }
    assert.deepEqual(read, ids(1, 2, 3, 4));
    const small = await store.rawsOf(accountId, mixed);
    assert.deepEqual(
      small.replies.map(({ answerId }) => answerId),
      mixed.toSorted(),
    );
    assert.deepEqual(await store.rawsOf(otherAccount, ids(1)), { replies: [], unread: [] });
  },

  "a raw reply that is too long, or of no instant, is not kept": async (t, openingOf) => {
    const store = (await openingOf(t))();
    const body = Buffer.alloc(rawBytesMax + 1);
    await assert.rejects(store.keepRaw(accountId, rawOf(1, { body })), RangeError);
    await assert.rejects(store.keepRaw(accountId, rawOf(1, { at: 0.5 })), RangeError);
    await assert.rejects(store.keepRaw(accountId, rawOf(1, { at: -1 })), RangeError);
    assert.deepEqual(await idsOf(store), []);
  },

  "raw replies go with their answers, and those of no answer yet stay": async (t, openingOf) => {
    const store = (await openingOf(t))();
    const answers = [1, 2, 3, 4, 5].map((number) => ({ ...answer, id: idOf(number) }));
    await store.record(accountId, answers.slice(0, 3), idOf(101));
    await store.record(accountId, answers.slice(3, 4), idOf(102));
    await store.record(accountId, [{ ...answers[4], ...answer, id: idOf(5), region: "FR" }]);
    // The sixth and seventh are not recorded yet.
    for (const number of [1, 2, 3, 4, 5, 6, 7]) await store.keepRaw(accountId, rawOf(number));
    for (const number of [1, 4]) await store.keepRaw(otherAccount, rawOf(number));
    await store.remove(accountId, { ...everyAnswer, ids: ids(1, 6) });
    assert.deepEqual(await idsOf(store), ids(2, 3, 4, 5, 6, 7), "by id");
    await store.remove(accountId, { ...everyAnswer, importId: idOf(102) });
    assert.deepEqual(await idsOf(store), ids(2, 3, 5, 6, 7), "by import");
    await store.remove(accountId, { ...everyAnswer, regions: ["FR"] });
    assert.deepEqual(await idsOf(store), ids(2, 3, 6, 7), "by filter");
    await store.record(accountId, [{ ...answer, id: idOf(6) }]);
    await store.remove(accountId, everyAnswer);
    assert.deepEqual(await idsOf(store), ids(7));
    assert.deepEqual(plain(await store.raw(accountId, idOf(7))), plain(rawOf(7)));
    assert.deepEqual(await idsOf(store, otherAccount), ids(1, 4));
    await store.keepRaw(accountId, rawOf(1));
    assert.deepEqual(await idsOf(store), ids(1, 7), "and may be kept again");
    await store.removeRawOf(accountId, ids(1, 3));
    assert.deepEqual(await idsOf(store), ids(7), "by ids, without their answers");
    assert.deepEqual(await idsOf(store, otherAccount), ids(1, 4));
    await store.removeRawOf(idOf(1), ids(1));
  },

  "a removed text takes its raw reply with it": async (t, openingOf) => {
    const store = (await openingOf(t))();
    const answers = [1, 2, 3].map((number) => ({
      ...answer,
      id: idOf(number),
      answeredAt: number,
    }));
    await store.record(accountId, answers);
    for (const number of [1, 2, 3, 4]) await store.keepRaw(accountId, rawOf(number));
    const removal = { fromMs: 0, beforeMs: 3, limit: 9, mentionedIn: () => [] };
    assert.equal((await store.removeTexts(accountId, removal)).answers, 2);
    assert.deepEqual(await idsOf(store), ids(3, 4));
  },

  "raw replies that were kept before an instant are removed, and their answers stay": async (
    t,
    openingOf,
  ) => {
    const store = (await openingOf(t))();
    await store.record(accountId, [answer]);
    const days = [20_000, 20_000, 20_001, 20_002];
    for (const [index, day] of days.entries()) {
      await store.keepRaw(accountId, rawOf(index + 1, { at: day * dayMs + index }));
      await store.keepRaw(otherAccount, rawOf(index + 1, { at: day * dayMs + index }));
    }
    // The first is replaced on a later day.
    await store.keepRaw(accountId, rawOf(1, { at: 20_002 * dayMs }));
    assert.equal(await store.removeRaw(accountId, 20_000 * dayMs), 0);
    assert.equal(await store.removeRaw(accountId, 20_001 * dayMs), 1);
    assert.deepEqual(await idsOf(store), ids(1, 3, 4));
    assert.deepEqual(
      [
        await store.removeRaw(accountId, 20_002 * dayMs + 1),
        await store.removeRaw(accountId, 20_002 * dayMs + 1),
      ],
      [2, 0],
    );
    assert.deepEqual(await idsOf(store), ids(4));
    assert.deepEqual(await idsOf(store, otherAccount), ids(1, 2, 3, 4));
    assert.equal((await store.end(accountId)).sequence, 1);
    assert.equal(await store.removeRaw(otherAccount, Number.MAX_SAFE_INTEGER), 4);
    await store.keepRaw(otherAccount, rawOf(1, { at: unagingAt }));
    assert.equal(
      await store.removeRaw(otherAccount, Number.MAX_SAFE_INTEGER),
      0,
      "it does not age",
    );
    assert.equal(await store.removeRaw(otherAccount, unagingAt + 1, unagingAt), 1);
    assert.equal(await store.removeRaw(idOf(1), Number.MAX_SAFE_INTEGER), 0, "no such account");
  },

  "an erased account has no raw replies": async (t, openingOf) => {
    const store = (await openingOf(t))();
    for (const account of [accountId, otherAccount]) await store.keepRaw(account, rawOf(1));
    await store.erase(accountId);
    assert.deepEqual([await idsOf(store), await idsOf(store, otherAccount)], [[], ids(1)]);
  },
};

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, unknownCollection } from "../../../server/src/answers/answer.ts";
import {
  type AnswerSelection,
  answerLines,
  everyAnswer,
  OtherRecordError,
  recordBeginning,
} from "../../../server/src/answers/answer-store.ts";

export { accountId, all, answer, idOf, otherAccount } from "./record-fixtures.ts";

import { PromptIndex } from "../../../server/src/answers/intake/prompt-index.ts";
import { readAnswerLine } from "../../../server/src/answers/intake/read-answer-line.ts";
import { HeldClock } from "../held-clock.ts";
import { type Contract, type Place, rawRepliesContract } from "./raw-replies-contract.ts";
import { accountId, all, answer, bareAnswer, idOf, otherAccount } from "./record-fixtures.ts";

const contract: Contract = {
  "what is recorded is read back whole, also by another process's connection": async (
    t,
    openingOf,
  ) => {
    const open = await openingOf(t);
    const store = open();
    assert.deepEqual(await store.record(accountId, [answer, bareAnswer]), ["accepted", "accepted"]);
    const expected = [
      { ...answer, sequence: 1 },
      { ...bareAnswer, sequence: 2 },
    ];
    assert.deepEqual(await store.read(accountId, { after: 0, limit: 10 }), expected);
    assert.deepEqual(await open().read(accountId, { after: 0, limit: 10 }), expected);
  },

  "reads go on after a place, up to a limit, in the order of recording": async (t, openingOf) => {
    const store = (await openingOf(t))();
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
  },

  "a read of large answers is short rather than large, and never empty": async (t, openingOf) => {
    const store = (await openingOf(t))();
    const text = "x".repeat(2_000_000);
    const large = Array.from({ length: 40 }, (_, number) => ({
      ...answer,
      id: idOf(number),
      text,
    }));
    await store.record(accountId, large);
    const sizes: number[] = [];
    for (let after = 0; after < 40; ) {
      const read = await store.read(accountId, { after, limit: 2_000 });
      sizes.push(read.length);
      after = read.at(-1)?.sequence ?? Number.POSITIVE_INFINITY;
    }
    assert.deepEqual(sizes, [17, 17, 6]);
  },

  "answers are read by their places, in the order asked, and by their ids": async (
    t,
    openingOf,
  ) => {
    const store = (await openingOf(t))();
    assert.deepEqual(await all(store.at(accountId, [1])), []);
    assert.equal(await store.byId(accountId, idOf(1)), null);
    const recorded = Array.from({ length: 25 }, (_, number) => ({ ...answer, id: idOf(number) }));
    await store.record(accountId, recorded);
    const places = [25, 3, 1, 99, 3, ...Array.from({ length: 20 }, (_, index) => index + 2)];
    const read = await all(store.at(accountId, places));
    const expected = places.flatMap((sequence) => {
      const at = recorded[sequence - 1];
      return at === undefined ? [] : [{ ...at, sequence }];
    });
    assert.deepEqual(read, expected);
    assert.deepEqual(await store.byId(accountId, idOf(7)), { ...recorded[7], sequence: 8 });
    assert.equal(await store.byId(accountId, idOf(99)), null);
    assert.equal(await store.byId(otherAccount, idOf(7)), null);
    assert.deepEqual(await all(store.at(otherAccount, [1])), []);
    const some = [idOf(7), idOf(99), idOf(0)];
    const expectedPlaces = new Map([
      [idOf(0), 1],
      [idOf(7), 8],
    ]);
    const found = await store.sequencesOf(accountId, some);
    assert.deepEqual(new Map([...found].toSorted(([, a], [, b]) => a - b)), expectedPlaces);
    assert.deepEqual(await store.sequencesOf(accountId, []), new Map());
    assert.deepEqual(await store.sequencesOf(otherAccount, some), new Map());
    for await (const first of store.at(accountId, [2, 1])) {
      assert.equal(first.sequence, 2);
      break;
    }
    await assert.rejects(all(store.at(accountId, places, AbortSignal.abort())));
  },

  "answers as lines are read again as equal answers, in the order of recording": async (
    t,
    openingOf,
  ) => {
    const store = (await openingOf(t))();
    const absent: Answer = {
      ...answer,
      id: idOf(3),
      region: null,
      text: "",
      citations: [],
      model: null,
      outcome: "absent",
      surface: null,
      sample: 0,
      metadata: null,
      answeredAt: -1,
      ...unknownCollection,
    };
    const refused: Answer = { ...answer, id: idOf(4), outcome: "refused", cost: null };
    const recorded = [{ ...answer, id: idOf(9) }, answer, refused, absent];
    await store.record(accountId, recorded);
    const range = { accountId, fromMs: Number.NEGATIVE_INFINITY };
    const whole = { ...range, toMs: Number.POSITIVE_INFINITY };
    const lines = await all(answerLines(store, whole));
    const prompts = new PromptIndex([{ id: answer.promptId, text: "", retired: false }]);
    const readings = lines.map((line) =>
      readAnswerLine(Buffer.from(line.trimEnd()), {
        accountId: otherAccount,
        prompts,
        now: Date.now,
      }),
    );
    assert.deepEqual(
      readings,
      recorded.map((each) => ({ answer: each })),
    );
    const before = await all(answerLines(store, { ...range, toMs: answer.answeredAt }));
    assert.deepEqual(before, lines.slice(3));
    assert.deepEqual(await all(answerLines(store, { ...whole, accountId: otherAccount })), []);
  },

  "a batch is one transaction: when one answer cannot be stored, none is": async (t, openingOf) => {
    const store = (await openingOf(t))();
    const bad = { ...answer, id: idOf(2), sample: 1.5 };
    await assert.rejects(store.record(accountId, [answer, bad]), /INTEGER/);
    assert.equal((await store.end(accountId)).sequence, 0);
    assert.deepEqual(await store.record(accountId, [answer]), ["accepted"]);
  },

  "duplicates and conflicts, inside of a batch and against the record": async (t, openingOf) => {
    const store = (await openingOf(t))();
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
  },

  "spans are content: an answer of before they were kept stays a duplicate of itself": async (
    t,
    openingOf,
  ) => {
    const store = (await openingOf(t))();
    const spansOf = ({ citations }: Answer) => citations.map(({ spans }) => spans);
    const bare = { ...answer, citations: answer.citations.map(({ spans: _, ...rest }) => rest) };
    assert.deepEqual(await store.record(accountId, [bare, bare, answer]), [
      "accepted",
      "duplicate",
      "conflict",
    ]);
    assert.deepEqual(await store.record(otherAccount, [answer, answer, bare]), [
      "accepted",
      "duplicate",
      "conflict",
    ]);
    for (const [account, recorded] of [
      [accountId, bare],
      [otherAccount, answer],
    ] as const) {
      const [read] = await store.read(account, { after: 0, limit: 9 });
      assert.deepEqual(read && spansOf(read), spansOf(recorded));
    }
  },

  "two accounts record the same id without meeting": async (t, openingOf) => {
    const store = (await openingOf(t))();
    await store.record(accountId, [answer]);
    assert.deepEqual(await store.record(otherAccount, [{ ...answer, text: "theirs" }]), [
      "accepted",
    ]);
    assert.deepEqual(
      await Promise.all(
        [accountId, otherAccount].map(async (id) => {
          return (await store.read(id, { after: 0, limit: 9 }))[0]?.text;
        }),
      ),
      [answer.text, "theirs"],
    );
  },

  "when the newest answer was recorded; a duplicate does not change it": async (t, openingOf) => {
    const clock = new HeldClock();
    const store = (await openingOf(t))(clock);
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
  },

  "contents go on after a mark, which is of one record": async (t, openingOf) => {
    const store = (await openingOf(t))();
    const answers = [1, 2, 3].map((number) => ({ ...answer, id: idOf(number) }));
    await store.record(accountId, answers);
    await store.record(otherAccount, answers);
    const contents = await all(store.each(accountId, { after: recordBeginning, limit: 9 }));
    assert.deepEqual(
      contents.map(({ sequence, text }) => [sequence, text]),
      answers.map(({ text }, index) => [index + 1, text]),
    );
    const [, second = recordBeginning] = contents;
    assert.match(contents[0]?.stamp ?? "", /^[0-9A-F]{32}\/[0-9A-F]{32}\/\d+$/);
    const mark = { sequence: second.sequence, stamp: second.stamp };
    assert.deepEqual(await all(store.each(accountId, { after: mark, limit: 9 })), [contents[2]]);
    const has = [accountId, otherAccount].map((id) => store.has(id, mark));
    assert.deepEqual(await Promise.all(has), [true, false]);
    assert.ok(await store.has(accountId, recordBeginning));
    const reading = all(store.each(otherAccount, { after: mark, limit: 9 }));
    await assert.rejects(reading, OtherRecordError);
  },

  "what is removed is gone, and may be recorded again": async (t, openingOf) => {
    const store = (await openingOf(t))();
    const answers = [1, 2, 3, 4].map((number) => ({ ...answer, id: idOf(number) }));
    await store.record(accountId, answers);
    await store.record(otherAccount, answers);
    const [, second = recordBeginning] = await all(
      store.each(accountId, { after: recordBeginning, limit: 9 }),
    );
    const mark = { sequence: second.sequence, stamp: second.stamp };
    const last = { ...everyAnswer, ids: [idOf(4), idOf(1), idOf(9)] };
    assert.equal(await store.count(accountId, last), 2);
    assert.equal(await store.remove(accountId, last), 2);
    assert.deepEqual(
      [await store.count(accountId, last), await store.remove(accountId, last)],
      [0, 0],
    );
    const ids = async (account: string) =>
      (await store.read(account, { after: 0, limit: 9 })).map(({ id }) => id);
    assert.deepEqual(await ids(accountId), [idOf(2), idOf(3)]);
    assert.deepEqual(await ids(otherAccount), [1, 2, 3, 4].map(idOf));
    assert.equal((await store.end(accountId)).sequence, 3);
    assert.equal(await store.has(accountId, mark), false, "facts of before are of another record");
    assert.deepEqual(await store.record(accountId, answers.slice(2)), ["duplicate", "accepted"]);
    const [, , again] = await store.read(accountId, { after: 0, limit: 9 });
    assert.ok(again !== undefined && again.sequence > 4, "a place is never used again");
    assert.equal(await store.remove(accountId, everyAnswer), 3);
    assert.deepEqual(await store.end(accountId), { sequence: 0, recordedAtMs: null });
  },

  "answers are selected by the import that recorded them, and by what they are": async (
    t,
    openingOf,
  ) => {
    const store = (await openingOf(t))();
    const [first, second] = [idOf(101), idOf(102)];
    const numbered = (...numbers: number[]) =>
      numbers.map((number) => ({ ...answer, id: idOf(number), answeredAt: number }));
    await store.record(accountId, numbered(1, 2), first);
    await store.record(accountId, numbered(2, 3), second);
    await store.record(accountId, numbered(4), first);
    await store.record(accountId, [
      { ...answer, id: idOf(5), answeredAt: 5, provider: "GROK", region: null },
    ]);
    const count = (selection: Partial<AnswerSelection>) =>
      store.count(accountId, { ...everyAnswer, ...selection });
    assert.deepEqual(
      await Promise.all([
        count({}),
        count({ importId: first }),
        count({ importId: second }),
        count({ importId: idOf(103) }),
        count({ importId: first, fromMs: 2 }),
        count({ fromMs: 2, toMs: 4 }),
        count({ providers: ["GROK", "GEMINI"] }),
        count({ providers: ["OPENAI"], regions: ["US", "DE"] }),
        count({ regions: ["DE"] }),
        count({ promptIds: [answer.promptId] }),
        count({ promptIds: [] }),
      ]),
      [5, 3, 1, 0, 2, 2, 1, 4, 0, 5, 0],
    );
    const undone = { ...everyAnswer, importId: first };
    assert.equal(await store.remove(accountId, undone), 3);
    assert.equal(await store.count(accountId, everyAnswer), 2);
    assert.equal(await store.remove(accountId, undone), 0);
  },

  "removed texts are gone, and what they mentioned stays with the rest": async (t, openingOf) => {
    const store = (await openingOf(t))();
    const url = 'https://acme.com/?q="title":"x\\';
    const quoting: Answer = {
      ...answer,
      answeredAt: 5,
      metadata: { title: 'a "b" \\' },
      citations: [
        {
          url,
          title: 'Acme, "the \\ best"',
          cited: true,
          spans: [
            [0, 4],
            [5, 9],
          ],
        },
        { url: `${url},"spans":[[1,2]]`, title: ',"spans":[[1,2]]', cited: true, spans: [[5, 9]] },
        { url: "https://b.com", title: null, cited: false },
      ],
    };
    const answers: Answer[] = [
      { ...quoting, id: idOf(1) },
      { ...quoting, id: idOf(2), text: "nothing" },
      { ...answer, id: idOf(3), answeredAt: 6 },
    ];
    await store.record(accountId, answers);
    await store.record(otherAccount, answers);
    const contents = async () => all(store.each(accountId, { after: recordBeginning, limit: 9 }));
    const [, second = recordBeginning] = await contents();
    const mark = { sequence: second.sequence, stamp: second.stamp };
    const removal = {
      fromMs: 0,
      beforeMs: 6,
      limit: 1,
      mentionedIn: ({ text }: Pick<Answer, "text">) =>
        text === "nothing" ? [] : [idOf(8), idOf(7)],
    };
    const removed = [];
    for (let call = 0; call < 3; call++) {
      removed.push((await store.removeTexts(accountId, removal)).answers);
    }
    assert.deepEqual(removed, [1, 1, 0]);
    const read = await store.read(accountId, { after: 0, limit: 9 });
    const kept = (index: number, mentioned: readonly string[]) => ({
      ...answers[index],
      sequence: index + 1,
      text: "",
      metadata: null,
      searchQueries: [],
      citations: quoting.citations.map(({ title, spans: _, ...rest }) => {
        return { ...rest, title: title && "" };
      }),
      removedText: { mentioned, contentHash: read[index]?.removedText?.contentHash ?? "" },
    });
    const expected = [kept(0, [idOf(8), idOf(7)]), kept(1, []), { ...answers[2], sequence: 3 }];
    assert.deepEqual(read, expected);
    assert.deepEqual(await all(store.at(accountId, [2, 3])), expected.slice(1));
    assert.deepEqual(
      (await contents()).map(({ mentioned }) => mentioned),
      [[idOf(8), idOf(7)], [], null],
    );
    assert.ok(await store.has(accountId, mark), "facts are of the same record");
    assert.deepEqual(
      await store.record(accountId, [...answers, { ...quoting, id: idOf(2), text: "other" }]),
      ["duplicate", "duplicate", "duplicate", "conflict"],
    );
    const moved = read.map(({ sequence: _, ...each }) => each);
    await store.remove(otherAccount, everyAnswer);
    await store.record(otherAccount, moved);
    assert.deepEqual(
      (await store.read(otherAccount, { after: 0, limit: 9 })).map(
        ({ sequence: _, ...each }) => each,
      ),
      moved,
    );
  },

  "an account without answers has a beginning and no end": async (t, openingOf) => {
    const store = (await openingOf(t))();
    assert.deepEqual(await all(store.each(accountId, { after: recordBeginning, limit: 9 })), []);
    assert.deepEqual(await store.end(accountId), { sequence: 0, recordedAtMs: null });
    assert.equal(await store.has(accountId, { sequence: 1, stamp: "" }), false);
  },
};

/** Tests that any AnswerStore passes, over a new and empty place for each. */
export function testAnswerStore(engine: string, openingOf: Place): void {
  for (const [name, check] of Object.entries({ ...contract, ...rawRepliesContract })) {
    test(`${engine}: ${name}`, (t) => check(t, openingOf));
  }
}

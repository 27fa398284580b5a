import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { estimate } from "./estimates.ts";
import { type LabelledCluster, rectified } from "./rectified.ts";
import { close, numbers, ten } from "./vectors.ts";

/** Prompts by their counts; one number stands for all. */
function labelledPrompts(counts: {
  readonly answers: string;
  readonly hits: string;
  readonly labelled: string;
  readonly missed: string;
  readonly wrong: string;
}): readonly LabelledCluster[] {
  const [answers, hits, labelled, missed, wrong] = [
    counts.answers,
    counts.hits,
    counts.labelled,
    counts.missed,
    counts.wrong,
  ].map(numbers);
  const at = (list: readonly number[] | undefined, place: number) =>
    list?.[place] ?? list?.[0] ?? 0;
  return (hits ?? []).map((own, place) => ({
    answers: at(answers, place),
    hits: own,
    labelled: at(labelled, place),
    missed: at(missed, place),
    wrong: at(wrong, place),
  }));
}

const some = labelledPrompts({
  answers: "7",
  hits: "7 6 1 0 7 1 3 0 7 2",
  labelled: "3 2 4 3 2 3 3 4 2 4",
  missed: "0 0 2 1 0 1 0 0 0 1",
  wrong: "1 0 0 0 0 0 1 0 0 0",
});

test("a rate of which answers were labelled in part, as a program in Python has it", () => {
  const found = rectified(some);
  assert.deepEqual(
    [found.labelled, found.labelledPrompts, found.effectivePrompts, found.missed, found.wrong],
    [30, 10, 10, 5, 2],
  );
  assert.deepEqual(found.flags, ["exploratory"]);
  close(found.difference, 0.075);
  close(found.value, 0.5607142857);
  close(found.interval?.low, 0.2834538427);
  close(found.interval?.high, 0.8101518519);
});

test("labels of a prompt stand for all of its answers, however many it has", () => {
  const unequal = rectified(
    labelledPrompts({
      answers: "7 14 3 9 20 5 7 8 30 4",
      hits: "7 9 1 0 12 1 3 0 7 2",
      labelled: "3 2 3 3 2 3 3 4 2 4",
      missed: "0 1 2 1 0 1 0 0 0 1",
      wrong: "1 0 0 0 1 0 1 0 0 0",
    }),
  );
  assert.deepEqual([unequal.missed, unequal.wrong, unequal.effectivePrompts], [6, 3, 6]);
  // Half of 14 answers were missed, and half of 20 counted wrongly: a mean of labels has 3 of 29.
  close(unequal.difference, 0);
  close(unequal.value, 0.3925233645);
  close(unequal.interval?.high, 0.8131234143);
});

test("without a label, and with those of too few prompts, there is no interval", () => {
  const none = rectified(some.map((prompt) => ({ ...prompt, labelled: 0, missed: 0, wrong: 0 })));
  assert.deepEqual(
    [none.labelled, none.value, none.difference, none.interval],
    [0, null, null, null],
  );
  assert.deepEqual(none.flags, ["insufficient", "exploratory"]);
  assert.deepEqual(rectified([]), none);
  const few = rectified(
    some.map((prompt, place) =>
      place < 5 ? prompt : { ...prompt, labelled: 0, missed: 0, wrong: 0 },
    ),
  );
  assert.equal(few.labelledPrompts, 5);
  close(few.value, 34 / 70 + 0.1);
  assert.equal(few.interval, null);
  assert.deepEqual(few.flags, ["insufficient", "exploratory"]);
});

test("every label says what extraction says: an interval of all errors is wider", () => {
  const plain = estimate(ten, "rate");
  const found = rectified(
    ten.map(({ numerator, denominator }) => {
      return { answers: denominator, hits: numerator, labelled: 3, missed: 0, wrong: 0 };
    }),
  );
  assert.equal(found.difference, 0);
  assert.equal(found.value, plain.value);
  // 0 of 30 labels of ten prompts: Wilson's upper end of ten answers, for 4 of 7 answers.
  const unseen = (4 / 7) * (2.2621571628 ** 2 / (10 + 2.2621571628 ** 2));
  const own = (plain.value ?? 0) - (plain.interval?.low ?? 0);
  close((found.value ?? 0) - (found.interval?.low ?? 0), Math.hypot(own, unseen), 8);
});

const arbitraryPrompt = fc
  .record({
    answers: fc.integer({ min: 1, max: 9 }),
    parts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
  })
  .map(({ answers, parts: [a = 0, b = 0, c = 0, d = 0] }): LabelledCluster => {
    const upTo = (part: number, most: number) => Math.floor(part * (most + 1 - 1e-9));
    const hits = upTo(a, answers);
    const labelled = upTo(b, answers);
    const labelledHits = Math.min(
      hits,
      Math.max(0, labelled - (answers - hits)) + upTo(c, Math.min(hits, labelled)),
    );
    const ofHits = Math.min(labelledHits, labelled);
    return { answers, hits, labelled, missed: upTo(d, labelled - ofHits), wrong: upTo(c, ofHits) };
  });
const arbitraryPrompts = fc.array(arbitraryPrompt, { minLength: 1, maxLength: 40 });

test("an interval holds its value, within 0 and 1, and order changes no bit", () => {
  fc.assert(
    fc.property(arbitraryPrompts, fc.infiniteStream(fc.nat()), (prompts, order) => {
      const found = rectified(prompts);
      const { value, interval } = found;
      if (value !== null && interval !== null) {
        assert.ok(0 <= interval.low && interval.low <= value, `${interval.low} to ${value}`);
        assert.ok(value <= interval.high && interval.high <= 1, `${value} to ${interval.high}`);
      }
      const shuffled = prompts
        .map((prompt) => ({ prompt, at: Number(order.next().value) }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ prompt }) => prompt);
      assert.deepEqual(rectified(shuffled), found);
    }),
  );
});

test("no label differs: as the plain rate, no narrower; all labelled: as the labels", () => {
  fc.assert(
    fc.property(arbitraryPrompts, (prompts) => {
      const plain = estimate(
        prompts.map(({ answers, hits }) => ({ numerator: hits, denominator: answers })),
        "rate",
      );
      const equal = rectified(prompts.map((prompt) => ({ ...prompt, missed: 0, wrong: 0 })));
      if (equal.value !== null) assert.equal(equal.value, plain.value);
      if (equal.interval !== null && plain.interval !== null) {
        assert.ok(equal.interval.low <= plain.interval.low + 1e-12);
        assert.ok(equal.interval.high >= plain.interval.high - 1e-12);
      }
      const whole = prompts.map((prompt) => ({ ...prompt, labelled: prompt.answers }));
      const labels = estimate(
        whole.map(({ answers, hits, missed, wrong }) => {
          return { numerator: hits + missed - wrong, denominator: answers };
        }),
        "rate",
      );
      const found = rectified(whole);
      assert.equal(found.value, labels.value);
      if (labels.interval === null) return assert.equal(found.interval, null);
      close(found.interval?.low, labels.interval.low, 12);
      close(found.interval?.high, labels.interval.high, 12);
    }),
  );
});

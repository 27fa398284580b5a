import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rawOf } from "@sightline/test-kit/contracts/raw-replies-contract.ts";
import { accountId, answer, idOf } from "@sightline/test-kit/contracts/record-fixtures.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";
import { openDataFolder } from "../../platform/data-folder.ts";
import { everyAnswer } from "../answer-store.ts";
import { checkRecord } from "./account-record.ts";
import { sqliteAnswerStore } from "./sqlite-answer-store.ts";

const dayMs = 86_400_000;
const firstDay = 20_000;
/** Answers are recorded of these; raw replies are kept of as many more. */
const recorded = 20;

type Step =
  | { readonly kind: "keep"; readonly number: number; readonly day: number; readonly size: number }
  | { readonly kind: "age"; readonly day: number }
  | { readonly kind: "remove"; readonly numbers: readonly number[] }
  | { readonly kind: "texts"; readonly before: number };

const keeping = fc.record({
  kind: fc.constant("keep" as const),
  number: fc.nat({ max: 2 * recorded - 1 }),
  day: fc.nat({ max: 1 }),
  // On a page with others, on one alone, and over several.
  size: fc.constantFrom(0, 50, 3_000, 9_000, 17_000, 40_000),
});
const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: keeping },
  fc.record({ kind: fc.constant("age" as const), day: fc.nat({ max: 2 }) }),
  fc.record({
    kind: fc.constant("remove" as const),
    numbers: fc.uniqueArray(fc.nat({ max: recorded - 1 }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant("texts" as const), before: fc.nat({ max: recorded }) }),
);

function markOf(number: number, version: number): string {
  return `<reply ${number}/${version}>`;
}

/** Bytes that no other reply has stand at its beginning and at its end. */
function bodyOf(number: number, version: number, size: number): Buffer {
  const mark = markOf(number, version);
  return Buffer.from(`${mark}${"x".repeat(size)}${mark}`);
}

test("whatever is kept and removed: the rest is whole, and no file has what went", async () => {
  const steps = fc.array(arbitraryStep, { minLength: 60, maxLength: 160, size: "max" });
  const property = fc.asyncProperty(steps, follows);
  await fc.assert(property, { numRuns: 30, seed: 20_260_101, endOnFailure: true });
});

async function follows(steps: readonly Step[]): Promise<void> {
  const root = temporaryFolder();
  const folder = openDataFolder(join(root, "data"));
  const store = sqliteAnswerStore(folder, new HeldClock());
  const numbers = Array.from({ length: recorded }, (_, number) => number);
  const answers = numbers.map((number) => ({ ...answer, id: idOf(number), answeredAt: number }));
  await store.record(accountId, answers);
  const model = new Model(numbers);
  for (const [version, step] of steps.entries()) {
    if (step.kind === "keep") {
      const { number, day, size } = step;
      const reply = { at: (firstDay + day) * dayMs, body: bodyOf(number, version, size) };
      await store.keepRaw(accountId, rawOf(number, reply));
      model.keep(number, version, reply);
      continue;
    }
    if (step.kind === "age") {
      const beforeMs = (firstDay + step.day) * dayMs;
      const removed = await store.removeRaw(accountId, beforeMs);
      assert.equal(
        removed,
        model.forget((_, at) => at < beforeMs),
      );
    } else if (step.kind === "remove") {
      await store.remove(accountId, { ...everyAnswer, ids: step.numbers.map(idOf) });
      model.forget((number) => step.numbers.includes(number) && model.answers.has(number));
      for (const number of step.numbers) model.answers.delete(number);
    } else {
      const removal = { fromMs: 0, beforeMs: step.before, limit: 99, mentionedIn: () => [] };
      await store.removeTexts(accountId, removal);
      const isOld = (number: number) => number < step.before && model.answers.has(number);
      model.forget((number) => isOld(number) && !model.withoutText.has(number));
      for (const number of numbers.filter(isOld)) model.withoutText.add(number);
    }
    const kept = await store.rawReplies(accountId, null, 99);
    assert.deepEqual(
      kept.map(({ at, body }) => ({ at, body })),
      model.replies(),
    );
    assertGone(folder.account(accountId).folder, model.gone);
  }
  await store.close();
  assert.deepEqual(checkRecord(folder.account(accountId).answers), []);
  rmSync(root, { recursive: true });
}

interface Kept {
  readonly at: number;
  readonly body: Buffer;
}

/** What a record is expected to have. */
class Model {
  /** The numbers of answers that are recorded, and of those that lost their texts. */
  readonly answers: Set<number>;
  readonly withoutText = new Set<number>();
  /** What no file may have: every version of each reply that was removed. */
  readonly gone: string[] = [];
  readonly #kept = new Map<number, Kept>();
  readonly #marks = new Map<number, readonly string[]>();

  constructor(answers: readonly number[]) {
    this.answers = new Set(answers);
  }

  keep(number: number, version: number, reply: Kept): void {
    this.#kept.set(number, reply);
    this.#marks.set(number, [...(this.#marks.get(number) ?? []), markOf(number, version)]);
  }

  /** @returns how many there were. */
  forget(isGone: (number: number, at: number) => boolean): number {
    const found = [...this.#kept].filter(([number, { at }]) => isGone(number, at));
    for (const [number] of found) {
      this.gone.push(...(this.#marks.get(number) ?? []));
      this.#marks.delete(number);
      this.#kept.delete(number);
    }
    return found.length;
  }

  replies(): readonly Kept[] {
    const inOrder = [...this.#kept].toSorted(([a], [b]) => a - b);
    return inOrder.map(([, { at, body }]) => ({ at, body }));
  }
}

function assertGone(files: string, marks: readonly string[]): void {
  const bytes = Buffer.concat(readdirSync(files).map((name) => readFileSync(join(files, name))));
  const found = marks.filter((mark) => bytes.includes(mark));
  assert.deepEqual(found, [], "no file has what was removed");
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { collectionRequestSchema } from "@sightline/contract";
import { providerNames } from "@sightline/contract/providers";
import fc from "fast-check";
import { type AskChoice, askableOf, isPlain, plainChoice, requestOf } from "./ask-choice.ts";

const ids = fc.uniqueArray(fc.uuid(), { maxLength: 5 });
const choices: fc.Arbitrary<AskChoice> = fc.record({
  topics: fc.constant([]),
  prompts: ids,
  providers: fc.subarray(Object.keys(providerNames) as (keyof typeof providerNames)[]),
  regions: fc.subarray(["US", "DE", "FR"]),
  samples: fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }),
});

test("any choice is a request that the service takes, and says all that was chosen", () => {
  fc.assert(
    fc.property(choices, fc.boolean(), (chosen, isByTopic) => {
      const { prompts } = chosen;
      const choice = isByTopic ? { ...chosen, topics: prompts, prompts: [] } : chosen;
      const request = collectionRequestSchema.parse(requestOf(choice));
      const named = request.promptIds ?? request.topics?.map(({ id }) => id) ?? [];
      assert.deepEqual(
        [named, request.providers ?? [], request.regions ?? [], request.samples ?? null],
        [prompts, choice.providers, choice.regions, choice.samples],
      );
      assert.equal(isPlain(choice), Object.keys(request).length === 0);
    }),
  );
  assert.deepEqual(requestOf(plainChoice), {});
});

test("what nobody has a key for is not asked", () => {
  const of = (jobs: number, dollars: number, hasCredential: boolean) => ({
    provider: "OPENAI" as const,
    vendor: "openai" as const,
    surface: "api" as const,
    jobs,
    calls: jobs,
    inputTokens: 1,
    outputTokens: 1,
    searches: 0,
    dollars,
    verified: true,
    hasCredential,
  });
  const asked = (one: boolean, other: boolean) =>
    askableOf({ estimates: [of(4, 0.5, one), of(3, 0.25, other)] });
  assert.deepEqual(asked(true, true), { jobs: 7, dollars: 0.75 });
  assert.deepEqual(asked(true, false), { jobs: 4, dollars: 0.5 });
  assert.deepEqual(asked(false, false), { jobs: 0, dollars: 0 });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { UntrackedNamesResponse } from "@sightline/contract";
import { assertClose } from "@sightline/test-kit/oracle/close.ts";
import { estimated } from "@sightline/test-kit/oracle/estimates.ts";
import { testSeed } from "@sightline/test-kit/oracle/runs.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";

const prompts = Array.from({ length: 5 }, (_, each) => `Which light tent ${each}?`);
const tracked = ["Acme", "Globex"];
const untracked = ["Tarnfell", "Weidenau", "Ostrava Ridge", "Seldom"];

const arbitraryAnswer = fc.record({
  prompt: fc.constantFrom(...prompts),
  provider: fc.constantFrom("OPENAI", "GEMINI"),
  minute: fc.nat({ max: 40_000 }),
  names: fc.shuffledSubarray([...tracked, ...untracked.slice(0, 3)]),
});

test("names of random answers are those of a naive count", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Names" },
    brand: { name: "Acme" },
    competitors: [{ name: "Globex" }],
    prompts: prompts.map((text) => ({ text })),
  });
  const drafts = fc.sample(arbitraryAnswer, { seed: testSeed(), numRuns: 300 });
  const start = Date.UTC(2026, 0, 1);
  const answers = drafts.map((draft, place) => ({
    ...draft,
    // One name is in one answer alone.
    names: place === 7 ? [...draft.names, "Seldom"] : draft.names,
    at: start + draft.minute * 60_000 + place,
  }));
  await service.import(
    accountId,
    answers.map(({ prompt, provider, names, at }) => ({
      prompt,
      provider,
      answeredAt: new Date(at).toISOString(),
      text: `We slept in tents${names.map((name) => ` by ${name} or so`).join(",")}.`,
    })),
  );
  await service.readNames(accountId);
  const token = await service.session(accountId);
  for (const [from, to, only] of [
    ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", null],
    ["2026-01-03T05:00:00Z", "2026-01-20T01:30:00Z", "GEMINI"],
  ] as const) {
    const own = answers.filter(({ at, provider }) => {
      return at >= Date.parse(from) && at < Date.parse(to) && (only ?? provider) === provider;
    });
    const filters = { timeRange: { from, to }, ...(only === null ? {} : { providers: [only] }) };
    const reply = await service.post("/v1/insights/names", { token, body: { filters } });
    assert.equal(reply.status, 200, reply.body);
    const { names, onlyUnknown, total } = reply.json<UntrackedNamesResponse>();
    const expected = untracked.slice(0, 3).map((name) => {
      const having = own.filter((answer) => answer.names.includes(name));
      const places = having.map((answer) => {
        const before = answer.names.slice(0, answer.names.indexOf(name));
        return 1 + before.filter((each) => tracked.includes(each)).length;
      });
      return {
        name,
        answers: having.length,
        prompts: new Set(having.map(({ prompt }) => prompt)).size,
        meanPlace: places.reduce((sum, place) => sum + place, 0) / having.length,
      };
    });
    const found = names.map(({ name, answers: count, prompts: of, meanPlace }) => {
      return { name, answers: count, prompts: of, meanPlace };
    });
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    assertClose(found.toSorted(byName), expected.toSorted(byName), JSON.stringify(filters));
    assert.equal(total, 3);
    const parts = prompts.map((prompt) => {
      const some = own.filter((answer) => answer.prompt === prompt);
      const alone = some.filter(
        (answer) =>
          answer.names.some((each) => untracked.slice(0, 3).includes(each)) &&
          !answer.names.some((each) => tracked.includes(each)),
      );
      return { a: alone.length, b: some.length };
    });
    const share = estimated(
      parts.filter(({ b }) => b > 0),
      "rate",
    );
    assertClose(onlyUnknown, share, "onlyUnknown");
  }
});

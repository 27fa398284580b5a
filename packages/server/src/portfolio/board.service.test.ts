import assert from "node:assert/strict";
import { test } from "node:test";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { invited, PersonPage } from "@sightline/test-kit/person-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleIds } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const path = "/console/person/board";

/** A prompt's answers over eight weeks: Acme is mentioned in the later four alone. */
function answersOf(now: number) {
  return Array.from({ length: 56 }, (_, place) => ({
    promptId: sampleIds.storagePrompt,
    provider: "OPENAI",
    answeredAt: new Date(now - place * 86_400_000).toISOString(),
    text: place < 28 ? "Take Acme." : "Take nothing.",
  }));
}

test("a person's accounts are shown at a glance, and nobody else's", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const file = (name: string) => ({
    account: name,
    accountTags: name === "Empty" ? [] : ["retail", name],
    brand: "Acme",
    prompts: [{ id: sampleIds.storagePrompt, text: "Which storage?" }],
  });
  const [full, empty, foreign] = [
    await service.apply(file("Full")),
    await service.apply(file("Empty")),
    await service.apply(file("Foreign")),
  ];
  const now = service.clock.now();
  await service.import(full, answersOf(now));
  await service.import(foreign, answersOf(now));
  const ann = await PersonPage.join(service, full, { email: "ann@example.com", role: "viewer" });
  await ann.accept(await invited(service, empty, { email: "ann@example.com", role: "owner" }));
  const board = (await ann.ask("GET", path)).json<{
    readonly accounts: readonly Readonly<Record<string, unknown>>[];
    readonly from: string;
    readonly to: string;
  }>();
  const day = 86_400_000;
  const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  assert.deepEqual([board.from, board.to], [date(now - 27 * day), date(now)]);
  const [first, second, ...others] = board.accounts;
  assert.deepEqual(others, []);
  assert.deepEqual(first, {
    id: empty,
    name: "Empty",
    tags: [],
    role: "owner",
    brand: "Acme",
    failedSweeps: 0,
    metrics: null,
    lastAnswer: null,
    state: "empty",
  });
  const { metrics, ...row } = second as { metrics: Record<string, Record<string, unknown>> };
  assert.deepEqual(row, {
    id: full,
    name: "Full",
    tags: ["retail", "Full"],
    role: "viewer",
    brand: "Acme",
    failedSweeps: 0,
    lastAnswer: new Date(now).toISOString(),
    state: "ready",
  });
  const { points, ...mentions } = metrics["mentions"] ?? {};
  assert.deepEqual(mentions, {
    value: 1,
    n: 28,
    low: null,
    high: null,
    change: 1,
    verdict: "insufficient",
  });
  const course = points as readonly (number | null)[];
  assert.deepEqual([course.slice(0, 3), course.at(-1)], [[null, null, null], 1]);
  assert.equal(metrics["citations"]?.["value"], 0);
  assert.equal(metrics["rank"]?.["value"], 1);
});

test("nobody without a name of their own has such a page", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const headers = { ...fromConsole };
  assertProblem(await service.request("GET", path, { headers }), "session_required");
  assertProblem(await service.request("GET", path), "not_from_console");
});

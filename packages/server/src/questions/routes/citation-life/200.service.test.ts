import assert from "node:assert/strict";
import { test } from "node:test";
import type { CitationLifeResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

/** On which of ten days each page is cited. */
const courses: Readonly<Record<string, string>> = {
  // Missing once is not gone: it lasts from the first day to the last.
  "https://reddit.com/r/a": "1101110111",
  // Gone on the third day after two days, back on the seventh, and censored at the end.
  "https://blog.example/b": "1100001111",
  // Begins late; missing on the last day alone is not gone.
  "https://blog.example/c": "0000011110",
  // Gone on the day after the first.
  "https://wikipedia.org/d": "1000000000",
};

test("lives of citations: missing twice in a row is gone, by class, domain and page", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Lives" },
    brand: { name: "Acme" },
    prompts: [{ text: "Which tent?" }],
  });
  const answers = Array.from({ length: 10 }, (_, day) => ({
    prompt: "Which tent?",
    provider: "OPENAI",
    // Every third day: what counts are askings, and lengths are days.
    answeredAt: `2026-01-${String(1 + 3 * day).padStart(2, "0")}T08:00:00Z`,
    text: "Acme.",
    citations: Object.entries(courses).flatMap(([url, course]) =>
      course[day] === "1" ? [{ url }] : [],
    ),
  }));
  await service.import(accountId, answers);
  const token = await service.session(accountId);
  const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };
  const ask = async (by: string, limit = 100): Promise<CitationLifeResponse> => {
    const body = { by, limit, filters: { timeRange } };
    const reply = await service.post("/v1/insights/citation-life", { token, body });
    assert.equal(reply.status, 200, reply.body);
    (await ServedSchemas.of(service)).assertValid("CitationLifeResponseDto", reply.json());
    return reply.json<CitationLifeResponse>();
  };
  const pages = await ask("page");
  const counts = ({ groups }: CitationLifeResponse) =>
    groups.map(({ key, citations, won, lost }) => [key, citations, won, lost]);
  assert.deepEqual(counts(pages), [
    ["https://blog.example/b", 2, 1, 1],
    ["https://blog.example/c", 1, 1, 0],
    ["https://reddit.com/r/a", 1, 0, 0],
    ["https://wikipedia.org/d", 1, 0, 1],
  ]);
  // 3 days (d), 6 days (b); 9+ (b again), 12+ (c), 27+ (a): S = 4/5, then 4/5 · 3/4.
  const { all } = pages;
  assert.deepEqual([all.citations, all.won, all.lost, all.medianDays], [5, 2, 2, null]);
  assert.deepEqual(all.survival28, { value: null, interval: null });
  assert.equal(all.medianInterval?.low, 3);
  const [b, , , d] = pages.groups;
  assert.deepEqual([b?.medianDays, d?.medianDays, d?.survival28.value], [6, 3, 0]);
  assert.deepEqual(counts(await ask("class")), [
    ["other", 3, 2, 1],
    ["forum", 1, 0, 0],
    ["reference", 1, 0, 1],
  ]);
  assert.deepEqual(counts(await ask("domain", 1)), [["blog.example", 3, 2, 1]]);
  const providers = await ask("provider");
  assert.deepEqual([counts(providers), providers.total], [[["OPENAI", 5, 2, 2]], 1]);
});

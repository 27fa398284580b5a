import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchQueriesResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const prompts = ["Which tent is light?", "Which light stove?"];

test("queries: who searched, for what, with which words, and who is named", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Searching" },
    brand: { name: "Acme", domains: ["acme.example"] },
    competitors: [{ name: "Globex" }],
    prompts: prompts.map((text) => ({ text })),
  });
  const answer = (day: number, more: object) => ({
    prompt: prompts[0],
    provider: "OPENAI",
    answeredAt: `2026-01-0${day}T08:00:00Z`,
    text: "Globex.",
    ...more,
  });
  await service.import(accountId, [
    answer(1, {
      searchQueries: ["Best  light tents 2026", "best light TENTS 2026"],
      text: "Acme.",
    }),
    answer(2, { searchQueries: ["best light tents 2026", "acme tent"], provider: "GEMINI" }),
    answer(3, { searchQueries: ["light"], prompt: prompts[1] }),
    answer(4, { searchQueries: ["light"] }),
    answer(5, {}),
    answer(6, { provider: "GOOGLE_AI_OVERVIEW" }),
  ]);
  const token = await service.session(accountId);
  const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const ask = async (more: object): Promise<SearchQueriesResponse> => {
    const body = { filters: { timeRange }, ...more };
    const reply = await service.post("/v1/insights/queries", { token, body });
    assert.equal(reply.status, 200, reply.body);
    (await ServedSchemas.of(service)).assertValid("SearchQueriesResponseDto", reply.json());
    return reply.json<SearchQueriesResponse>();
  };
  const all = await ask({});
  assert.deepEqual(all.searched, [
    { provider: "GEMINI", answers: 1, searched: 1, tells: true },
    { provider: "OPENAI", answers: 4, searched: 3, tells: true },
    { provider: "GOOGLE_AI_OVERVIEW", answers: 1, searched: 0, tells: false },
  ]);
  assert.deepEqual([all.total, all.nextCursor, all.empty], [3, null, null]);
  const shown = all.queries.map(({ query, answers, prompts: of, providers, added, dropped }) => {
    return [query, answers, of, providers, added, dropped];
  });
  assert.deepEqual(shown, [
    [
      ...["best light tents 2026", 2, 1, ["GEMINI", "OPENAI"]],
      ...[
        ["best", "tents", "2026"],
        ["which", "tent", "is"],
      ],
    ],
    ["light", 2, 2, ["OPENAI"], [], ["which"]],
    ["acme tent", 1, 1, ["GEMINI"], ["acme"], ["which", "is", "light"]],
  ]);
  const [first] = all.queries;
  assert.deepEqual(
    [first?.firstSeenAt, first?.lastSeenAt],
    ["2026-01-01T08:00:00.000Z", "2026-01-02T08:00:00.000Z"],
  );
  const [brand] = first?.entities ?? [];
  assert.deepEqual([brand?.mentions.numerator, brand?.mentions.denominator], [1, 2]);
  assert.deepEqual(brand?.citations.flags, ["insufficient", "exploratory"]);
  const pages: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: SearchQueriesResponse = await ask({
      limit: 1,
      ...(cursor === "" ? {} : { cursor }),
    });
    pages.push(...page.queries.map(({ query }) => query));
    assert.equal(page.total, 3);
    cursor = page.nextCursor;
  }
  assert.deepEqual(pages, ["best light tents 2026", "light", "acme tent"]);
  const gone = await ask({
    filters: { timeRange: { ...timeRange, from: "2026-01-20T00:00:00Z" } },
  });
  assert.deepEqual([gone.queries, gone.empty?.reason], [[], "outsideRange"]);
});

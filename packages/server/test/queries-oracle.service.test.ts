import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchQueriesResponse, WorkspaceResponse } from "@sightline/contract";
import { providers } from "@sightline/contract";
import { assertClose } from "@sightline/test-kit/oracle/close.ts";
import { testSeed } from "@sightline/test-kit/oracle/runs.ts";
import { expectedQueries } from "@sightline/test-kit/oracle/search-queries.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";

const prompts = Array.from({ length: 9 }, (_, each) => `Which light tent ${each}?`);

const arbitraryAnswer = fc.record({
  prompt: fc.constantFrom(...prompts),
  provider: fc.constantFrom("OPENAI", "GEMINI", "ANTHROPIC"),
  minute: fc.nat({ max: 40_000 }),
  queries: fc.array(
    fc.constantFrom(
      ...[
        "best tent 3",
        "Best  TENT 3",
        "light tent",
        "ｌｉｇｈｔ tent",
        "zelt test",
        " ",
        "Ähre 🏕",
      ],
    ),
    { maxLength: 4 },
  ),
  isMentioned: fc.boolean(),
  isCited: fc.boolean(),
});

test("queries of random answers are those of a naive oracle", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Queries" },
    brand: { name: "Acme", domains: ["acme.example"] },
    prompts: prompts.map((text) => ({ text })),
  });
  const drafts = fc.sample(arbitraryAnswer, {
    ...(testSeed() === undefined ? {} : { seed: testSeed() }),
    numRuns: 400,
  });
  const start = Date.UTC(2026, 0, 1);
  const answers = drafts.map((draft, place) => ({
    ...draft,
    at: start + draft.minute * 60_000 + place,
  }));
  await service.import(
    accountId,
    answers.map(({ prompt, provider, at, queries, isMentioned, isCited }) => ({
      prompt,
      provider,
      answeredAt: new Date(at).toISOString(),
      text: isMentioned ? "Acme." : "Nobody.",
      citations: isCited ? [{ url: "https://acme.example/a" }] : [],
      searchQueries: queries,
    })),
  );
  const token = await service.session(accountId);
  const headers = { authorization: `Bearer ${token}` };
  const workspace = await service.request("GET", "/v1/workspace", { headers });
  const { id: entityId } = workspace.json<WorkspaceResponse>().brand;
  for (const [from, to, only] of [
    ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", null],
    ["2026-01-03T05:00:00Z", "2026-01-20T01:30:00Z", "GEMINI"],
  ] as const) {
    const own = answers.filter(({ at, provider }) => {
      return at >= Date.parse(from) && at < Date.parse(to) && (only ?? provider) === provider;
    });
    const filters = { timeRange: { from, to }, ...(only === null ? {} : { providers: [only] }) };
    const body = { filters, limit: 100 };
    const reply = await service.post("/v1/insights/queries", { token, body });
    assert.equal(reply.status, 200, reply.body);
    const found = reply.json<SearchQueriesResponse>();
    const counts = found.queries.map((each) => each.answers);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    );
    const sorted = found.queries
      .map((each) => {
        return { ...each, added: [...each.added].sort(), dropped: [...each.dropped].sort() };
      })
      .toSorted((a, b) => b.answers - a.answers || (a.query < b.query ? -1 : 1));
    const expected = expectedQueries(own, { entityId, providers });
    assertClose({ ...found, queries: sorted }, expected, JSON.stringify(filters));
    assert.ok(found.total >= 4);
  }
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { InsightsSourcesResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const workspace = {
  account: { name: "Kinds" },
  brand: { name: "Acme", domains: ["acme.example"] },
  competitors: [{ name: "Globex" }],
  prompts: [{ text: "Which tent?" }],
};

const urls = [
  "https://www.reddit.com/r/tents/comments/1/best",
  "https://blog.example/best-tents",
  "https://blog.example/forum/1",
  "https://blog.example/news/acme-vs-globex",
  "https://nasa.gov/tents",
  "https://acme.example/products/1",
];

async function started(t: TestContext) {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply(workspace);
  const answer = (day: string, cited: readonly string[]) => ({
    prompt: "Which tent?",
    provider: "OPENAI",
    answeredAt: `2026-01-${day}T08:00:00Z`,
    text: "Acme.",
    citations: cited.map((url) => ({ url })),
  });
  await service.import(accountId, [answer("02", urls), answer("03", urls.slice(0, 2))]);
  const token = await service.session(accountId);
  const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const ask = async (more: object): Promise<InsightsSourcesResponse> => {
    const body = { groupBy: "url", limit: 100, offset: 0, filters: { timeRange }, ...more };
    const reply = await service.post("/v1/insights/sources", { token, body });
    assert.equal(reply.status, 200, reply.body);
    (await ServedSchemas.of(service)).assertValid("InsightsSourcesResponseDto", reply.json());
    return reply.json<InsightsSourcesResponse>();
  };
  return { service, token, ask };
}

const kinds = ({ sources }: InsightsSourcesResponse) =>
  Object.fromEntries(sources.map((each) => [each.source.slice(8), [each.sourceClass, each.form]]));

test("sources have a class and a form, by tables and addresses, and instants", async (t) => {
  const { ask } = await started(t);
  const all = await ask({ include: ["classes"] });
  assert.deepEqual(kinds(all), {
    "reddit.com/r/tents/comments/1/best": ["forum", "discussion"],
    "blog.example/best-tents": ["other", "list"],
    "blog.example/forum/1": ["other", "discussion"],
    "blog.example/news/acme-vs-globex": ["other", "comparison"],
    "nasa.gov/tents": ["government", "other"],
    "acme.example/products/1": ["other", "product"],
  });
  const [first] = all.sources;
  assert.deepEqual(
    [first?.firstCitedAt, first?.lastCitedAt],
    ["2026-01-02T08:00:00.000Z", "2026-01-03T08:00:00.000Z"],
  );
  assert.deepEqual(all.classes, [
    { sourceClass: "other", domains: 2, citations: 5, share: 5 / 8 },
    { sourceClass: "forum", domains: 1, citations: 2, share: 2 / 8 },
    { sourceClass: "government", domains: 1, citations: 1, share: 1 / 8 },
  ]);
  const forms = await ask({ forms: ["discussion", "product"] });
  assert.equal(forms.pagination.total, 3);
  const [share] = forms.sources.map(({ share: own }) => own);
  assert.equal(share, 2 / 8, "of all citations, as without the filter");
  const domains = await ask({ groupBy: "domain", forms: ["discussion"] });
  assert.deepEqual(
    domains.sources.map(({ source, form }) => [source, form]),
    [
      ["blog.example", null],
      ["reddit.com", null],
    ],
  );
});

test("what the workspace file says of sources wins immediately, and is read back", async (t) => {
  const { service, token, ask } = await started(t);
  const told = [
    { domain: "blog.example/forum", class: "forum" },
    { domain: "nasa.gov", class: "education" },
  ];
  await service.apply({ ...workspace, sources: told });
  const forum = await ask({ sourceClasses: ["forum", "education"], include: ["classes"] });
  assert.deepEqual(kinds(forum), {
    "reddit.com/r/tents/comments/1/best": ["forum", "discussion"],
    "blog.example/forum/1": ["forum", "discussion"],
    "nasa.gov/tents": ["education", "other"],
  });
  assert.deepEqual(
    forum.classes?.map(({ sourceClass, domains: own, citations }) => [sourceClass, own, citations]),
    [
      ["other", 2, 4],
      ["forum", 2, 3],
      ["education", 1, 1],
    ],
  );
  const others = await ask({ sourceClasses: ["other"] });
  assert.deepEqual(Object.keys(kinds(others)).sort(), [
    "acme.example/products/1",
    "blog.example/best-tents",
    "blog.example/news/acme-vs-globex",
  ]);
  const file = await service.request("GET", "/v1/workspace/file", {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.deepEqual(file.json<{ sources: object }>().sources, told);
});

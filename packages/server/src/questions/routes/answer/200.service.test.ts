import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedAnswerResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import {
  sampleAnswerId,
  sampleIds,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";

const { acme, globex, storagePrompt } = sampleIds;

async function startAsking(t: Parameters<typeof startSample>[0]) {
  const { service, accountId, token } = await startSample(t);
  const schemas = await ServedSchemas.of(service);
  const ask = async (id: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await service.request("GET", `/v1/answers/${id}`, { headers });
    assert.equal(reply.status, 200, reply.body);
    assert.equal(reply.headers["cache-control"], "no-store");
    schemas.assertValid("RecordedAnswerResponseDto", reply.json());
    return reply.json<RecordedAnswerResponse>();
  };
  return { service, accountId, ask };
}

const id = "cccccccc-0000-4000-8000-000000000001";
const spans = [
  [0, 2],
  [5, 11],
];

const metadata = { run: 7, tags: ["a", { b: null }] };
const owned = { canonicalUrl: "https://acme.com/", domain: "acme.com", entityIds: [acme] };
const owners = [{ entityId: acme, rule: "acme.com" }];

const expected = {
  id,
  promptId: storagePrompt,
  provider: "PERPLEXITY",
  region: "US",
  answeredAt: "2026-02-01T07:00:00.001Z",
  model: "sonar",
  surface: "web",
  vendor: "perplexity",
  requestedRegion: "CA",
  searchQueries: ["anvils"],
  cost: { amount: 0.006, currency: "USD", estimated: false },
  text: "👍 **Globex**, [acme](https://acme.com) or Acme.",
  textRemoved: false,
  mentionedEntityIds: [globex, acme],
  mentions: [
    { entityId: globex, name: "Globex", start: 5, end: 11, rank: 1, cues: [] },
    { entityId: acme, name: "Acme", start: 16, end: 20, rank: 2, cues: [] },
    { entityId: acme, name: "Acme", start: 43, end: 47, rank: 2, cues: [] },
  ],
  mentionsOmitted: 0,
  statements: [{ start: 0, end: 48, citations: [0] }],
  citations: [
    {
      url: "https://www.acme.com/?utm_source=x",
      ...owned,
      owners,
      counted: true,
      reason: null,
      title: "Acme",
      cited: true,
      spans,
    },
    {
      url: "https://acme.com/",
      ...owned,
      owners,
      counted: false,
      reason: "repeated",
      title: null,
      cited: true,
      spans: [],
    },
    {
      url: "https://globex.com/a",
      canonicalUrl: "https://globex.com/a",
      domain: "globex.com",
      entityIds: [globex],
      owners: [{ entityId: globex, rule: "globex.com" }],
      counted: false,
      reason: "not_cited",
      title: null,
      cited: false,
      spans: [],
    },
    {
      url: "mailto:a@example.org",
      canonicalUrl: null,
      domain: null,
      entityIds: [],
      owners: [],
      counted: false,
      reason: "not_a_web_url",
      title: null,
      cited: true,
      spans: [],
    },
  ],
  citationsOmitted: 0,
  outcome: "answered",
  sample: 3,
  metadata,
};

test("an answer with all that the record has of it", async (t) => {
  const { service, accountId, ask } = await startAsking(t);
  await service.import(accountId, [
    {
      id: id.toUpperCase(),
      promptId: storagePrompt,
      provider: "PERPLEXITY",
      region: "us",
      answeredAt: "2026-02-01T08:00:00.001+01:00",
      text: "👍 **Globex**, [acme](https://acme.com) or Acme.",
      citations: [
        { url: "https://www.acme.com/?utm_source=x", title: "Acme", spans },
        { url: "https://acme.com/" },
        { url: "https://globex.com/a", cited: false },
        { url: "mailto:a@example.org" },
      ],
      model: "sonar",
      surface: "web",
      sample: 3,
      metadata,
      searchQueries: ["anvils"],
      cost: { amount: 0.006, currency: "usd" },
      vendor: "perplexity",
      requestedRegion: "ca",
    },
  ]);
  assert.deepEqual(await ask(id), expected);
  assert.deepEqual(await ask(id.toUpperCase()), expected);
});

test("an answer that does not count is read too, and says of nothing that it counts", async (t) => {
  const { service, accountId, ask } = await startAsking(t);
  const absent = await ask(sampleAnswerId(accountId, 2));
  assert.deepEqual([absent.outcome, absent.text, absent.mentions], ["absent", "", []]);
  const outcomes = ["failed", "refused"].map((outcome, sample) => ({
    id: id.replace(/1$/, String(sample)),
    promptId: storagePrompt,
    provider: "GROK",
    answeredAt: "2026-02-01T00:00:00Z",
    sample,
    outcome,
    text: "Acme",
    citations: [{ url: "https://acme.com/a" }],
  }));
  await service.import(accountId, outcomes);
  for (const each of outcomes) {
    const { outcome, mentions, citations } = await ask(each.id);
    assert.deepEqual([outcome, mentions], [each.outcome, []]);
    assert.deepEqual(
      citations.map(({ counted, reason, entityIds }) => [counted, reason, entityIds]),
      [[false, "not_answered", [acme]]],
    );
  }
});

test("an answer is read by the names of today, also when its prompt is retired", async (t) => {
  const { service, accountId, ask } = await startAsking(t);
  const first = sampleAnswerId(accountId, 0);
  const names = async () => (await ask(first)).mentions.map(({ name }) => name);
  assert.deepEqual(await names(), ["Globex", "Acme", "Globex"]);
  const [, hosting] = sampleWorkspace.prompts;
  const competitors = [{ id: globex, name: "then" }];
  await service.apply({ ...sampleWorkspace, competitors, prompts: [hosting] });
  await service.settle(accountId);
  assert.deepEqual(await names(), ["then", "Acme", "then"]);
});

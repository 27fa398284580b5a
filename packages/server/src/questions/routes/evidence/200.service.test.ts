import assert from "node:assert/strict";
import { test } from "node:test";
import type { EvidenceRequest, EvidenceResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import {
  sampleAnswerId,
  sampleIds,
  sampleRange,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const path = "/v1/evidence";
const { acme, globex, initech, storagePrompt, hostingPrompt } = sampleIds;

/** Asks for evidence, and requires a reply as the served document has it. */
async function asking(service: TestService, token: string) {
  const schemas = await ServedSchemas.of(service);
  return async (more: Partial<EvidenceRequest>) => {
    const body = { filters: { timeRange: sampleRange }, role: "any", ...more };
    const reply = await service.post(path, { token, body });
    assert.equal(reply.status, 200, reply.body);
    assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
    schemas.assertValid("EvidenceResponseDto", reply.json());
    return reply.json<EvidenceResponse>();
  };
}

async function startAsking(t: Parameters<typeof startSample>[0]) {
  const { service, accountId, token } = await startSample(t);
  return { service, accountId, ask: await asking(service, token) };
}

test("a source leaves the answers that cite it, whatever the entity is in them", async (t) => {
  const { accountId, ask } = await startAsking(t);
  const [first, second, third] = [0, 1, 3].map((index) => sampleAnswerId(accountId, index));
  const listed = async (more: Partial<EvidenceRequest>) => {
    const { total, answers } = await ask(more);
    assert.equal(total, answers.length);
    return answers.map(({ id }) => id);
  };
  assert.deepEqual(await listed({ domain: "EXAMPLE.org" }), [third, second, first]);
  const url = "http://www.example.org/x/?utm_source=a#b";
  assert.deepEqual(await listed({ url }), [third, first]);
  assert.deepEqual(await listed({ url, role: "mentioned", entityId: acme }), [first]);
  assert.deepEqual(await listed({ url, role: "notVisible", entityId: acme }), [third]);
  assert.deepEqual(await listed({ url, role: "cited" }), [third, first]);
  assert.deepEqual(await listed({ url, domain: "example.org" }), [third, first]);
  assert.deepEqual(await listed({ url, domain: "acme.com" }), []);
  // Retrieved and not cited.
  assert.deepEqual(await listed({ url: "https://globex.com/retrieved" }), []);
  for (const none of ["no URL", "\0\ud800"]) assert.deepEqual(await listed({ url: none }), []);
  const { nextCursor } = await ask({ domain: "example.org", limit: 2 });
  const rest = await ask({ domain: "example.org", limit: 2, cursor: nextCursor ?? "" });
  assert.deepEqual([rest.total, rest.answers.map(({ id }) => id)], [3, [first]]);
});

test("an answer of a list: the text, where names stand in it, what became of URLs", async (t) => {
  const { accountId, ask } = await startAsking(t);
  const reply = await ask({ entityId: globex, role: "mentioned" });
  const repeated = { canonicalUrl: "https://example.org/x", domain: "example.org" };
  const nobodys = { ...repeated, entityIds: [], owners: [] };
  assert.deepEqual(reply, {
    total: 1,
    answers: [
      {
        id: sampleAnswerId(accountId, 0),
        promptId: storagePrompt,
        provider: "OPENAI",
        region: "US",
        answeredAt: "2026-01-05T08:00:00.000Z",
        model: null,
        surface: null,
        vendor: null,
        requestedRegion: null,
        searchQueries: [],
        cost: null,
        text: "Take Globex, then Acme, then Globex.",
        textRemoved: false,
        mentionedEntityIds: [globex, acme],
        mentions: [
          { entityId: globex, name: "Globex", start: 5, end: 11, rank: 1, cues: [] },
          { entityId: acme, name: "Acme", start: 18, end: 22, rank: 2, cues: [] },
          { entityId: globex, name: "Globex", start: 29, end: 35, rank: 1, cues: [] },
        ],
        mentionsOmitted: 0,
        statements: [],
        citations: [
          {
            url: "https://acme.com/a",
            canonicalUrl: "https://acme.com/a",
            domain: "acme.com",
            entityIds: [acme],
            owners: [{ entityId: acme, rule: "acme.com" }],
            counted: true,
            reason: null,
            spans: [],
          },
          {
            url: "https://www.example.org/x?utm_source=openai",
            ...nobodys,
            counted: true,
            reason: null,
            spans: [],
          },
          {
            url: "http://example.org/x#second",
            ...nobodys,
            counted: false,
            reason: "repeated",
            spans: [],
          },
        ],
        citationsOmitted: 0,
      },
    ],
    nextCursor: null,
  });
});

test("the roles, of one entity and of any: only answers that count, newest first", async (t) => {
  const { accountId, ask } = await startAsking(t);
  const place = new Map([0, 1, 2, 3].map((each) => [sampleAnswerId(accountId, each), each]));
  const listed = async (more: Partial<EvidenceRequest>) => {
    const { total, answers, nextCursor } = await ask(more);
    assert.deepEqual([total, nextCursor], [answers.length, null]);
    return answers.map(({ id }) => place.get(id));
  };
  const expected = {
    [acme]: { mentioned: [1, 0], cited: [0], visible: [1, 0], notVisible: [3], any: [3, 1, 0] },
    [globex]: { mentioned: [0], cited: [3], visible: [3, 0], notVisible: [1], any: [3, 1, 0] },
    [initech]: { mentioned: [], cited: [], visible: [], notVisible: [3, 1, 0], any: [3, 1, 0] },
    any: { mentioned: [1, 0], cited: [3, 0], visible: [3, 1, 0], notVisible: [], any: [3, 1, 0] },
    "ffffffff-0000-4000-8000-000000000000": {
      mentioned: [],
      cited: [],
      visible: [],
      notVisible: [],
      any: [],
    },
  };
  for (const [entity, roles] of Object.entries(expected)) {
    for (const [role, places] of Object.entries(roles)) {
      const entityId = entity === "any" ? {} : { entityId: entity.toUpperCase() };
      const found = await listed({ ...entityId, role: role as EvidenceRequest["role"] });
      assert.deepEqual(found, places, `${entity} ${role}`);
    }
  }
  const timeRange = { ...sampleRange, to: "2026-01-07T00:00:00Z" };
  assert.deepEqual(await listed({ filters: { timeRange } }), [1, 0]);
  const filters = { timeRange: sampleRange };
  assert.deepEqual(await listed({ filters: { ...filters, promptIds: [hostingPrompt] } }), [1]);
  assert.deepEqual(await listed({ filters: { ...filters, regions: [{ code: "de" }] } }), [3]);
  assert.deepEqual(await listed({ filters: { ...filters, providers: ["COPILOT"] } }), []);
});

test("pages follow each other by their cursors, also while answers are imported", async (t) => {
  const { service, accountId, ask } = await startAsking(t);
  const texts: string[] = [];
  let cursor: string | undefined;
  for (const total of [3, 4, 4]) {
    const page = await ask({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    assert.deepEqual([page.total, page.answers.length], [total, 1]);
    texts.push(page.answers[0]?.text ?? "");
    cursor = page.nextCursor ?? undefined;
    // Newer than what was listed: it is on a page before.
    const answeredAt = "2026-01-07T23:00:00Z";
    const newer = { promptId: storagePrompt, provider: "GEMINI", answeredAt, text: "Newer." };
    await service.import(accountId, [newer]);
  }
  assert.equal(cursor, undefined);
  assert.deepEqual(texts, ["It depends.", "Acme is good.", "Take Globex, then Acme, then Globex."]);
});

test("an account without answers has a list without any", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({ account: { name: "New" }, brand: { name: "Acme" } });
  const ask = await asking(service, await service.session(accountId));
  for (const role of ["any", "notVisible", "mentioned"] as const) {
    assert.deepEqual(await ask({ role }), { total: 0, answers: [], nextCursor: null });
  }
});

test("large texts: a page ends early, is never empty, and goes on where it ended", async (t) => {
  const { service, accountId, ask } = await startAsking(t);
  const answers = Array.from({ length: 5 }, (_, index) => ({
    promptId: storagePrompt,
    provider: "GROK",
    answeredAt: new Date(Date.UTC(2026, 1, 1, 0, 0, index)).toISOString(),
    text: `${index} Acme ${"é".repeat(999_980)}`,
  }));
  await service.import(accountId, answers);
  const timeRange = { from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };
  const sizes: number[] = [];
  const read: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: EvidenceResponse = await ask({
      filters: { timeRange },
      limit: 100,
      entityId: acme,
      role: "mentioned",
      ...(cursor === undefined ? {} : { cursor }),
    });
    assert.equal(page.total, 5);
    sizes.push(page.answers.length);
    read.push(...page.answers.map(({ text }) => text));
    cursor = page.nextCursor;
  }
  assert.deepEqual(sizes, [2, 2, 1]); // of 2 MB each, at most 4 MiB
  assert.deepEqual(read, answers.map(({ text }) => text).toReversed());
});

test("an answer shows 2,000 mentions and citations, and says how many more it has", async (t) => {
  const { service, accountId, ask } = await startAsking(t);
  const answer = {
    promptId: storagePrompt,
    provider: "GROK",
    answeredAt: "2026-02-01T00:00:00Z",
    text: "Acme ".repeat(100_000),
    citations: Array.from({ length: 1_500 }, (_, page) => ({ url: `https://acme.com/${page}` })),
  };
  await service.import(accountId, [answer]);
  const timeRange = { from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };
  const [shown] = (await ask({ filters: { timeRange } })).answers;
  assert.deepEqual([shown?.mentions.length, shown?.mentionsOmitted], [2_000, 98_000]);
  assert.deepEqual(shown?.mentions[1_999]?.start, 9_995);
  // Each has an owner, who counts as well.
  assert.deepEqual([shown?.citations.length, shown?.citationsOmitted], [1_000, 500]);
});

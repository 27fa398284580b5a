import { acme, globex, initech, insightsExamples } from "./insights-examples.ts";

// The examples of the OpenAPI document. A test asks the requests of an account with three answers,
// two competitors and two prompts, and compares the replies with these.

const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" } as const;

/** A line of NDJSON. */
export const answerLineExample = `${JSON.stringify({
  prompt: "best hosting for shops",
  provider: "OPENAI",
  region: "US",
  answeredAt: "2026-01-15T09:00:00Z",
  text: "For a shop, Acme is a good choice.",
  citations: [{ url: "https://acme.com/pricing" }],
})}\n`;

/** The same as CSV. */
export const answerRecordsExample =
  "prompt,provider,region,answeredAt,text,citations\r\n" +
  'best hosting for shops,OPENAI,US,2026-01-15T09:00:00Z,"For a shop, Acme is a good choice.",' +
  "https://acme.com/pricing\r\n";

/** Valid request bodies. Tools would put both `topics` and `promptIds` into theirs. */
export const requestExamples = {
  timeSeries: { interval: "monthly", filters: { timeRange } },
  sources: {
    limit: 10,
    offset: 0,
    groupBy: "domain",
    filters: { timeRange },
  },
  insightsSeries: {
    metric: "rank",
    interval: "monthly",
    filters: { timeRange },
  },
  evidence: {
    filters: { timeRange },
    entityId: "aaaaaaaa-0000-4000-8000-000000000002",
    role: "mentioned",
    limit: 20,
  },
  insightsSummary: { groupBy: "none", filters: { timeRange } },
  insightsSources: {
    limit: 10,
    offset: 0,
    groupBy: "domain",
    filters: { timeRange },
  },
  insightsPlan: {
    entityId: "aaaaaaaa-0000-4000-8000-000000000001",
    metric: "mentions",
    answersPerPrompt: 7,
    rate: 0.3,
    filters: { timeRange },
  },
  searchQueries: { limit: 20, filters: { timeRange } },
  untrackedNames: { limit: 20, filters: { timeRange } },
  makeReport: {
    report: "Monthly report",
    period: { startDate: "2026-01-01", endDate: "2026-01-31" },
  },
  citationLife: { by: "provider", filters: { timeRange } },
  labelSample: {
    entityId: "aaaaaaaa-0000-4000-8000-000000000001",
    metric: "mentions",
    limit: 2,
    seed: 1,
    filters: { timeRange },
  },
  insightsPresence: {
    entityId: "aaaaaaaa-0000-4000-8000-000000000001",
    filters: { timeRange },
  },
  insightsChanges: {
    filters: { timeRange: { from: "2026-01-06T00:00:00Z", to: "2026-01-08T00:00:00Z" } },
    compare: {
      filters: { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-01-06T00:00:00Z" } },
    },
    entityId: "aaaaaaaa-0000-4000-8000-000000000001",
    metric: "mentions",
    by: "provider",
    limit: 10,
  },
} as const;

const hosting = { id: "bbbbbbbb-0000-4000-8000-000000000002", name: "Hosting" };
const storage = { id: "bbbbbbbb-0000-4000-8000-000000000001", name: "Storage" };

/** The id of the answer that is the example of one. */
export const sampleAnswerId = "a8e2f588-009a-58c2-ac6a-1d6d9cffeaef";

const notOwned = { entityIds: [], owners: [] };

const evidence = {
  total: 1,
  answers: [
    {
      id: "09a3b11a-ea89-5011-bfe3-620628ee11e6",
      promptId: "11111111-0000-4000-8000-000000000001",
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
      mentionedEntityIds: [globex.id, acme.id],
      mentions: [
        { entityId: globex.id, name: "Globex", start: 5, end: 11, rank: 1, cues: [] },
        { entityId: acme.id, name: "Acme", start: 18, end: 22, rank: 2, cues: [] },
        { entityId: globex.id, name: "Globex", start: 29, end: 35, rank: 1, cues: [] },
      ],
      mentionsOmitted: 0,
      statements: [],
      citations: [
        {
          url: "https://acme.com/a",
          canonicalUrl: "https://acme.com/a",
          domain: "acme.com",
          entityIds: [acme.id],
          owners: [{ entityId: acme.id, rule: "acme.com" }],
          counted: true,
          reason: null,
          spans: [],
        },
        {
          url: "https://www.example.org/x?utm_source=openai",
          canonicalUrl: "https://example.org/x",
          domain: "example.org",
          ...notOwned,
          counted: true,
          reason: null,
          spans: [],
        },
        {
          url: "http://example.org/x#second",
          canonicalUrl: "https://example.org/x",
          domain: "example.org",
          ...notOwned,
          counted: false,
          reason: "repeated",
          spans: [],
        },
      ],
      citationsOmitted: 0,
    },
  ],
  nextCursor: null,
};

const answer = {
  id: sampleAnswerId,
  promptId: "11111111-0000-4000-8000-000000000002",
  provider: "GROK",
  region: null,
  answeredAt: "2026-01-05T23:59:59.999Z",
  model: null,
  surface: null,
  vendor: null,
  requestedRegion: null,
  searchQueries: [],
  cost: null,
  text: "Acme is good.",
  textRemoved: false,
  mentionedEntityIds: [acme.id],
  mentions: [
    {
      entityId: acme.id,
      name: "Acme",
      start: 0,
      end: 4,
      rank: 1,
      cues: [{ flag: "praised", start: 8, end: 12, sentence: [0, 13], citations: [] }],
    },
  ],
  mentionsOmitted: 0,
  statements: [],
  citations: [
    {
      url: "https://blog.example.org/y",
      canonicalUrl: "https://blog.example.org/y",
      domain: "example.org",
      ...notOwned,
      counted: true,
      reason: null,
      spans: [],
      title: null,
      cited: true,
    },
    {
      url: "https://globex.com/retrieved",
      canonicalUrl: "https://globex.com/retrieved",
      domain: "globex.com",
      entityIds: [globex.id],
      owners: [{ entityId: globex.id, rule: "globex.com" }],
      counted: false,
      reason: "not_cited",
      spans: [],
      title: null,
      cited: false,
    },
  ],
  citationsOmitted: 0,
  outcome: "answered",
  sample: 0,
  metadata: null,
};

/** A reply with the values of January; February has no answers. */
function seriesOf(...january: readonly (number | null)[]) {
  const series = [acme, globex, initech].map((entity, place) => ({
    ...entity,
    data: [
      { timestamp: "2026-01-01T00:00:00.000Z", value: january[place] ?? null },
      { timestamp: "2026-02-01T00:00:00.000Z", value: null },
    ],
  }));
  return { interval: "monthly", timeRange, series };
}

/** The ranks of January with their counts: the sum of ranks, and the answers that mention it. */
function countsOf(...january: readonly (readonly [ranks: number, mentions: number])[]) {
  const series = [acme, globex, initech].map((entity, place) => {
    const [numerator, denominator] = january[place] ?? [0, 0];
    const value = denominator === 0 ? null : numerator / denominator;
    const timestamp = "2026-01-01T00:00:00.000Z";
    const none = { value: null, numerator: 0, denominator: 0, interval: null, empty: true };
    const february = { ...none, covered: 0, days: 28 };
    const partial = { empty: false, covered: 7, days: 31 };
    return {
      ...entity,
      data: [
        { timestamp, value, numerator, denominator, interval: null, ...partial },
        { timestamp: "2026-02-01T00:00:00.000Z", ...february },
      ],
    };
  });
  return { interval: "monthly", timeRange, series };
}

function declaredOf({ id, name }: typeof acme, domain: string) {
  return { id, name, caseSensitive: false, aliases: [], domains: [domain] };
}

/** The replies to these requests. */
export const replyExamples = {
  labelSample: {
    answers: 3,
    prompts: 2,
    sample: [
      {
        answerId: "b5a1c753-61f2-5d74-8304-7547b59e5355",
        promptId: "11111111-0000-4000-8000-000000000001",
      },
      { answerId: sampleAnswerId, promptId: "11111111-0000-4000-8000-000000000002" },
    ],
  },
  mentions: seriesOf(2 / 3, 1 / 3, 0),
  "overall-visibility": seriesOf(2 / 3, 2 / 3, 0),
  citations: seriesOf(1 / 3, 1 / 3, 0),
  rank: seriesOf(1.5, 1, null),
  sources: {
    groupBy: "domain",
    sources: [
      { source: "example.org", share: 0.6, citations: 3 },
      { source: "acme.com", share: 0.2, citations: 1 },
      { source: "globex.com", share: 0.2, citations: 1 },
    ],
    pagination: { total: 3, limit: 10, offset: 0, hasMore: false },
  },
  workspace: {
    brand: acme,
    competitors: [globex, initech],
    topics: [hosting, storage],
    prompts: [
      {
        id: "11111111-0000-4000-8000-000000000002",
        text: "Is Acme good at hosting?",
        topicId: hosting.id,
        branded: true,
      },
      {
        id: "11111111-0000-4000-8000-000000000001",
        text: "Which storage?",
        topicId: storage.id,
        branded: false,
      },
    ],
    providers: ["OPENAI", "GROK"],
    regions: ["DE", "US"],
    answers: { count: 3, first: "2026-01-05T08:00:00.000Z", last: "2026-01-07T00:00:00.000Z" },
    lastImport: "2026-06-01T12:00:00.000Z",
  },
  workspaceFile: {
    account: { id: "9b1338cc-0c23-5ae5-b4b2-6c7b2c3074ba", name: "Acme" },
    brand: declaredOf(acme, "acme.com"),
    competitors: [declaredOf(globex, "globex.com"), declaredOf(initech, "initech.com")],
    topics: [hosting, storage],
    prompts: [
      {
        id: "11111111-0000-4000-8000-000000000002",
        text: "Is Acme good at hosting?",
        topic: hosting.name,
        paused: false,
      },
      {
        id: "11111111-0000-4000-8000-000000000001",
        text: "Which storage?",
        topic: storage.name,
        paused: false,
      },
    ],
  },
  evidence,
  answer,
  insightsSeries: countsOf([3, 2], [1, 1], [0, 0]),
  ...insightsExamples,
};

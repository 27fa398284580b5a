// The example replies of the OpenAPI document that have values with their counts: of the account
// that `openapi-examples.ts` describes.

/** The brand of the examples. */
export const acme = { id: "aaaaaaaa-0000-4000-8000-000000000001", name: "Acme" };
/** A competitor that is mentioned once. */
export const globex = { id: "aaaaaaaa-0000-4000-8000-000000000002", name: "Globex" };
/** A competitor that no answer mentions. */
export const initech = { id: "aaaaaaaa-0000-4000-8000-000000000003", name: "Initech" };

type Fraction = readonly [numerator: number, denominator: number];

/** A value of two prompts, which are too few for an interval. */
function estimated([numerator, denominator]: Fraction, effectivePrompts = 2) {
  const flags = ["insufficient", "exploratory"];
  return { ...sideOf([numerator, denominator]), effectivePrompts, interval: null, flags };
}

function sideOf([numerator, denominator]: Fraction) {
  const value = denominator === 0 ? null : numerator / denominator;
  return { value, numerator, denominator };
}

/** What a provider contributes to the change of a value. */
function contributionOf(
  key: string,
  { within, mix }: { readonly within: number; readonly mix: number },
  { before, after }: { readonly before: Fraction; readonly after: Fraction },
) {
  const sides = { before: sideOf(before), after: sideOf(after) };
  return { key, name: key, value: within + mix, within, mix, ...sides };
}

const changeParts = { likeForLike: -1, mix: 0, promptsAdded: 0, promptsRemoved: 0 };

/** An entity of three answers with three mentions: its own, visible, citing, and its ranks. */
function summaryOf(
  entity: typeof acme,
  [mentions, visible, cited, ranks]: readonly [number, number, number, number],
  portrayal: object = unread(mentions),
) {
  return {
    ...entity,
    mentions: estimated([mentions, 3]),
    visibility: estimated([visible, 3]),
    citations: estimated([cited, 3]),
    rank: estimated([ranks, mentions], mentions),
    shareOfVoice: estimated([mentions, 3]),
    portrayal,
  };
}

/** Texts of a few words are in no language for sure: they are not read for what they say. */
function unread(mentions: number) {
  return {
    reader: { name: "rules", version: 7, language: [], unread: mentions },
    recommended: estimated([0, 0], 0),
    praised: estimated([0, 0], 0),
    criticized: estimated([0, 0], 0),
    discouraged: estimated([0, 0], 0),
    notFound: estimated([0, 0], 0),
  };
}

/** One of two texts is long enough for its language, and praises. */
const readInEnglish = {
  reader: {
    ...unread(1).reader,
    language: [
      {
        language: "en",
        answers: 1,
        precision: {
          recommended: 1,
          praised: 0.957,
          criticized: 0.9,
          discouraged: 1,
          notFound: 0,
        },
        recall: {
          recommended: 0.944,
          praised: 0.957,
          criticized: 0.9,
          discouraged: 0.5,
          notFound: 0,
        },
        listOnly: ["discouraged", "notFound"],
      },
    ],
  },
  recommended: estimated([0, 1], 1),
  praised: estimated([1, 1], 1),
  criticized: estimated([0, 1], 1),
  discouraged: estimated([0, 1], 1),
  notFound: estimated([0, 1], 1),
};

/** Of pages that were seen on one day alone. */
function lifeOf(citations: number) {
  const survival28 = { value: null, interval: null };
  return { citations, won: 0, lost: 0, medianDays: null, medianInterval: null, survival28 };
}

/** The replies to requests for values with their counts. */
export const insightsExamples = {
  insightsSummary: {
    groupBy: "none",
    groups: [
      {
        key: null,
        name: "All answers",
        answers: 3,
        prompts: 2,
        lastAnsweredAt: "2026-01-07T00:00:00.000Z",
        informative: estimated([2, 3]),
        flags: ["insufficient", "exploratory"],
        entities: [
          summaryOf(acme, [2, 2, 1, 3], readInEnglish),
          summaryOf(globex, [1, 2, 1, 1]),
          summaryOf(initech, [0, 0, 0, 0]),
        ],
      },
    ],
    tests: 0,
    empty: null,
  },
  insightsPresence: {
    entityId: acme.id,
    answers: 3,
    prompts: 2,
    both: estimated([1, 3]),
    mentionedOnly: estimated([1, 3]),
    citedOnly: estimated([0, 3]),
    neither: estimated([1, 3]),
    tests: 0,
    empty: null,
  },
  searchQueries: {
    searched: [
      { provider: "OPENAI", answers: 2, searched: 0, tells: true },
      { provider: "GROK", answers: 1, searched: 0, tells: true },
    ],
    queries: [],
    total: 0,
    nextCursor: null,
    empty: null,
  },
  untrackedNames: {
    onlyUnknown: estimated([0, 3]),
    names: [],
    total: 0,
    nextCursor: null,
    empty: null,
  },
  citationLife: {
    by: "provider",
    all: lifeOf(5),
    groups: [
      { key: "OPENAI", ...lifeOf(4) },
      { key: "GROK", ...lifeOf(1) },
    ],
    total: 2,
    empty: null,
  },
  insightsPlan: {
    metric: "mentions",
    rate: 0.3,
    withinVariance: (1 - 0.9) * 0.3 * (1 - 0.3),
    correlation: 0.9,
    drift: 0,
    assumed: true,
    change: 0.05,
    power: 0.8,
    prompts: 2,
    now: { answersPerPrompt: 4 / 3, leastChange: null },
    windows: [
      { from: "2025-11-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" },
      { from: "2026-01-01T00:00:00.000Z", to: "2026-03-01T00:00:00.000Z" },
    ],
    prices: [
      { provider: "OPENAI", share: 2 / 3, cost: null },
      { provider: "GROK", share: 1 / 3, cost: null },
    ],
    options: [
      {
        answersPerPrompt: 7,
        prompts: 156,
        requests: 1_092,
        cost: null,
        leastChange: null,
        isCheapest: true,
      },
    ],
    empty: null,
  },
  insightsChanges: {
    metric: "mentions",
    by: "provider",
    value: -1,
    parts: changeParts,
    change: {
      value: -1,
      parts: changeParts,
      effectivePrompts: 1,
      interval: null,
      p: null,
      adjustedP: null,
      verdict: null,
      flags: [],
    },
    contributions: [
      contributionOf("OPENAI", { within: -0.75, mix: 0 }, { before: [1, 1], after: [0, 1] }),
      contributionOf("GROK", { within: 0, mix: -0.25 }, { before: [1, 1], after: [0, 0] }),
    ],
    rest: {
      contributions: 0,
      value: 0,
      within: 0,
      mix: 0,
      before: sideOf([0, 0]),
      after: sideOf([0, 0]),
    },
    empty: {
      reason: "uninformative",
      first: "2026-01-05T08:00:00.000Z",
      last: "2026-01-07T00:00:00.000Z",
    },
    compare: {
      timeRange: { from: "2026-01-01T00:00:00.000Z", to: "2026-01-06T00:00:00.000Z" },
      answers: 2,
      prompts: 2,
      empty: null,
      discontinuous: [],
    },
  },
  insightsSources: {
    groupBy: "domain",
    sources: [
      {
        source: "example.org",
        sourceClass: "other",
        form: null,
        firstCitedAt: "2026-01-05T08:00:00.000Z",
        lastCitedAt: "2026-01-07T00:00:00.000Z",
        share: 0.6,
        citations: 3,
        answers: 3,
        class: "thirdParty",
        entityId: null,
        withBrand: 2,
        withBrandOnly: 1,
        withCompetitorOnly: 1,
        opportunity: 0.380952380952381,
      },
      {
        source: "acme.com",
        sourceClass: "other",
        form: null,
        firstCitedAt: "2026-01-05T08:00:00.000Z",
        lastCitedAt: "2026-01-05T08:00:00.000Z",
        share: 0.2,
        citations: 1,
        answers: 1,
        class: "own",
        entityId: acme.id,
        withBrand: 1,
        withBrandOnly: 0,
        withCompetitorOnly: 0,
        opportunity: 0.11111111111111112,
      },
      {
        source: "globex.com",
        sourceClass: "other",
        form: null,
        firstCitedAt: "2026-01-07T00:00:00.000Z",
        lastCitedAt: "2026-01-07T00:00:00.000Z",
        share: 0.2,
        citations: 1,
        answers: 1,
        class: "competitor",
        entityId: globex.id,
        withBrand: 0,
        withBrandOnly: 0,
        withCompetitorOnly: 1,
        opportunity: 0.16666666666666666,
      },
    ],
    pagination: { total: 3, limit: 10, offset: 0, hasMore: false },
    tests: 0,
    empty: null,
  },
};

import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  CollectionFailedEvent,
  DigestEvent,
  MovedEvent,
  ThresholdCrossedEvent,
} from "@sightline/contract";
import { messageOf } from "./message.ts";

const accountId = "3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c";
const publicUrl = "https://sightline.example.com";
const context = { accountId, accountName: "Acme GmbH", publicUrl };
const head = { id: "msg_1", timestamp: "2026-06-08T06:00:00.000Z" };
const timeRange = { from: "2026-06-01T00:00:00.000Z", to: "2026-06-08T00:00:00.000Z" };
const compare = {
  timeRange: { from: "2026-05-25T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z" },
};

type Value = MovedEvent["data"]["metrics"][number];
type Verdict = NonNullable<Value["change"]>["verdict"];

function estimated(value: number | null, verdict: Verdict = null, likeForLike = 0) {
  const parts = { likeForLike, mix: 0, promptsAdded: 0, promptsRemoved: 0 };
  const tested = { interval: null, p: null, adjustedP: null };
  return {
    value,
    numerator: 322,
    denominator: 700,
    effectivePrompts: 100,
    interval: value === null ? null : { low: value * 0.9, high: value * 1.1 },
    flags: [],
    change: { value: likeForLike, parts, effectivePrompts: 96, ...tested, verdict, flags: [] },
  } satisfies Omit<Value, "metric">;
}

test("a digest says what each value of the brand came to, and who else moved", () => {
  const entity = (name: string, mentions: Omit<Value, "metric">) => ({
    id: accountId,
    name,
    mentions,
    visibility: estimated(0.5, "within-noise"),
    citations: estimated(0.1, "insufficient"),
    rank: estimated(2, "moved", 0.4),
    shareOfVoice: estimated(null, "discontinuous"),
  });
  const others = Array.from({ length: 7 }, (_, each) =>
    entity(`Rival ${each}`, estimated(0.2, each === 6 ? "within-noise" : "moved", -0.03)),
  );
  const group = {
    key: null,
    name: "All answers",
    answers: 1_400,
    prompts: 100,
    lastAnsweredAt: null,
    informative: estimated(0.9),
    flags: [],
    entities: [entity("Acme", estimated(0.46, "moved", 0.085)), ...others],
  };
  const summary = { groupBy: "none" as const, groups: [group], empty: null, tests: 35 };
  const data = { timeRange, compare, expectedFalse: 2.6, summary };
  const event: DigestEvent = { ...head, type: "digest", data };
  assert.deepEqual(messageOf(event, context), {
    title: "Acme: week of 1 June 2026 to 7 June 2026",
    lines: [
      "Mentions: 46 % (41.4 to 50.6 %), moved up by 8.5 points, like for like",
      "Visibility: 50 % (45 to 55 %), no change beyond noise",
      "Citations: 10 % (9 to 11 %), too few prompts to tell a change",
      "Rank: 2 (1.8 to 2.2), worsened by 0.4 places, like for like",
      "Share of voice: no value, other models or surfaces answered than before",
      ...[0, 1, 2, 3, 4].map(
        (each) => `Rival ${each}: mentions moved down by 3 points, like for like`,
      ),
      "1 more competitor moved.",
      "1,400 answers to 100 prompts, compared with the week before. Of 52 digests, at most 2.6 " +
        'say "moved" by chance alone.',
      "Account: Acme GmbH",
    ],
    link: {
      text: "Open the week",
      url: `${publicUrl}/?account=${accountId}&period=2026-06-01..2026-06-07`,
    },
  });
  const empty = { reason: "outsideRange" as const, first: null, last: null };
  const nothing = { ...event, data: { ...data, summary: { ...summary, groups: [], empty } } };
  assert.deepEqual(messageOf(nothing, { ...context, publicUrl: null }), {
    title: "The week of 1 June 2026 to 7 June 2026",
    lines: ["No answers of this week.", "Account: Acme GmbH"],
    link: null,
  });
});

test("what moved is said with its days", () => {
  const moved = (metrics: MovedEvent["data"]["metrics"]) =>
    messageOf(
      {
        ...head,
        type: "moved",
        data: { timeRange, compare, entity: { id: accountId, name: "Acme" }, metrics, tests: 35 },
      },
      context,
    );
  const one = moved([{ metric: "rank", ...estimated(2, "moved", -1) }]);
  assert.deepEqual(
    [one.title, one.lines],
    [
      "Acme: rank moved",
      [
        "Rank: 2 (1.8 to 2.2), improved by 1 place, like for like",
        "The 7 days to 7 June 2026, compared with the 7 before; seen on three days in succession.",
        "Account: Acme GmbH",
      ],
    ],
  );
  const two = moved([
    { metric: "mentions", ...estimated(0.2, "moved", -0.1) },
    { metric: "visibility", ...estimated(0.3, "moved", -0.1) },
  ]);
  assert.equal(two.title, "Acme: 2 values moved");
});

test("what crossed its threshold is said with its days and filters", () => {
  const { change, ...value } = estimated(0.2);
  const filters = {
    providers: ["OPENAI" as const],
    topics: [{ id: accountId }],
    regions: [{ code: "US" }],
    models: ["gpt, 50%"],
    tags: ["a"],
    surfaces: ["api" as const],
    branded: false,
  };
  const crossed: ThresholdCrossedEvent = {
    ...head,
    type: "threshold-crossed",
    data: {
      state: "crossed",
      threshold: { metric: "mentions", below: 0.295, days: 7, filters },
      timeRange,
      entity: { id: accountId, name: "Acme" },
      ...value,
    },
  };
  const { title, lines, link } = messageOf(crossed, context);
  assert.deepEqual(
    [title, lines],
    [
      "Acme: mentions are below 29.5 %",
      [
        "Mentions: 20 % (18 to 22 %)",
        "700 answers of the 7 days to 7 June 2026.",
        "Only answers of ChatGPT; 1 topic; prompts with the tag a; region US; model gpt, 50%; " +
          "surface api; prompts without the brand.",
        "Account: Acme GmbH",
      ],
    ],
  );
  assert.deepEqual(
    [...new URL(link?.url ?? "").searchParams],
    [
      ["account", accountId],
      ["period", "2026-06-01..2026-06-07"],
      ["providers", "OPENAI"],
      ["topics", accountId],
      ["regions", "US"],
      ["models", "gpt%2C 50%25"],
      ["surfaces", "api"],
      ["tags", "a"],
      ["branded", "false"],
    ],
  );
  const threshold = { metric: "rank", above: 2.5, days: 14 } as const;
  const recovered = { ...crossed.data, state: "recovered" as const, threshold };
  const back = messageOf({ ...crossed, data: recovered }, context);
  assert.deepEqual(
    [back.title, back.lines[1]],
    ["Acme: rank is no longer above 2.5", "100 effective prompts of the 14 days to 7 June 2026."],
  );
});

test("failing collection, a report and a test say what happened", () => {
  const failed: CollectionFailedEvent = {
    ...head,
    type: "collection-failed",
    data: {
      provider: "GOOGLE_AI_MODE",
      surface: "web",
      failedSweeps: 3,
      sweepId: accountId,
      slot: "2026-06-08T04:00:00.000Z",
      jobs: 40,
      reasons: [{ reason: "the credential was\nrefused", jobs: 40 }],
    },
  };
  assert.deepEqual(messageOf(failed, context), {
    title: "Google AI Mode (web page) gave no answer in 3 sweeps",
    lines: [
      "The latest sweep was due at 2026-06-08 04:00 UTC, with 40 answers of it.",
      "the credential was refused: 40 answers",
      "Account: Acme GmbH",
    ],
    link: {
      text: "Open collection",
      url: `${publicUrl}/?account=${accountId}&page=setup&_tab=collection`,
    },
  });
  const held = { ...failed, data: { ...failed.data, heldBack: true as const, failedSweeps: 1 } };
  const heldTitle = "Answers of Google AI Mode (web page) look wrong and do not count";
  assert.equal(messageOf(held, context).title, heldTitle);
  const report = { reportId: accountId, name: "Monthly", timeRange, address: null };
  const made = messageOf({ ...head, type: "report-made", data: report }, context);
  assert.deepEqual(made, {
    title: "Report: Monthly",
    lines: ["About 1 June 2026 to 7 June 2026.", "Account: Acme GmbH"],
    link: { text: "Open the console", url: `${publicUrl}/?account=${accountId}` },
  });
  const data = { message: "A test of this webhook." };
  assert.deepEqual(messageOf({ ...head, type: "test", data }, context), {
    title: "Test of a webhook",
    lines: ["A test of this webhook.", "Account: Acme GmbH"],
    link: null,
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { paidExchange } from "@sightline/test-kit/collection/provider-samples.ts";
import type { CollectedAnswer } from "../../src/collection/adapter.ts";
import { noUsage } from "../../src/collection/vendors/collected-answer.ts";
import { documentedReplies, documentedVendors } from "./documented-replies.ts";
import { lastStep } from "./last-step.ts";

const a = { url: "https://a.example/", title: "A", cited: false, spans: [] };
const b = { url: "https://b.example/", title: "B", cited: true };

const told = { ...noUsage, outputTokens: 80, isReported: true };

/** What the synthetic replies say, by hand. */
const answers: Readonly<Record<(typeof documentedVendors)[number], CollectedAnswer>> = {
  openai: {
    outcome: "answered",
    warnings: [],
    text: "📱 Acme. ([b.example](https://b.example/))",
    // Counted in code points, the emoji is one; JavaScript counts two.
    citations: [
      { ...b, spans: [{ start: 9, end: 42 }] },
      { ...a, title: null },
    ],
    searchQueries: ["best phone"],
    model: "gpt-6.2-sol",
    // It bills two searches, whatever its output shows.
    usage: {
      ...told,
      inputTokens: 900,
      cachedInputTokens: 200,
      cacheWriteTokens: 300,
      searches: 2,
    },
  },
  anthropic: {
    outcome: "answered",
    warnings: [],
    text: "Best is Acme",
    citations: [{ ...b, spans: [{ start: 8, end: 12 }] }, a],
    searchQueries: ["best phone"],
    model: "claude-sonnet-5-5",
    usage: {
      ...told,
      inputTokens: 900,
      cachedInputTokens: 150,
      cacheWriteTokens: 50,
      searches: 1,
    },
  },
  gemini: {
    outcome: "answered",
    warnings: [],
    text: "Größe: Acme.",
    citations: [
      { ...b, title: "b.example", spans: [{ start: 7, end: 11 }] },
      { ...a, title: "a.example" },
    ],
    searchQueries: ["best phone", "phone size"],
    model: "gemini-3.8-flash",
    usage: { ...told, inputTokens: 100, searches: 2 },
  },
  perplexity: {
    outcome: "answered",
    warnings: [],
    text: "Acme[3] of [2024], or Bolt [web:2, 3].",
    citations: [
      {
        url: "https://c.example/",
        title: "C",
        cited: true,
        spans: [
          { start: 4, end: 7 },
          { start: 27, end: 37 },
        ],
      },
      { ...b, spans: [{ start: 27, end: 37 }] },
      a,
    ],
    searchQueries: ["best phone", "best phone 2026"],
    model: "perplexity/sonar",
    usage: {
      ...told,
      inputTokens: 900,
      cachedInputTokens: 20,
      cacheWriteTokens: 30,
      searches: 2,
      cost: { amount: 0.008, currency: "USD" },
    },
  },
  xai: {
    outcome: "answered",
    warnings: [],
    text: "Acme.[[1]](https://b.example/)",
    citations: [
      { ...b, title: null, spans: [{ start: 5, end: 30 }] },
      { ...a, title: null },
      { ...a, url: "https://c.example/", title: null },
    ],
    searchQueries: ["best phone"],
    model: "grok-4.6",
    usage: {
      ...told,
      inputTokens: 900,
      searches: 1,
      cost: { amount: 0.008, currency: "USD" },
    },
  },
};

for (const vendor of documentedVendors) {
  test(`${vendor}: a reply of the documented shape, which is synthetic, is read in full`, () => {
    const body = JSON.stringify(documentedReplies[vendor]);
    const answer = answers[vendor];
    assert.deepEqual(lastStep(vendor, [paidExchange(vendor, body)]), { kind: "answered", answer });
  });
}

test("a reply without usage, or with it renamed, is an answer that does not say it", () => {
  for (const vendor of documentedVendors) {
    const { usage, usageMetadata, ...rest } = documentedReplies[vendor] as Record<string, unknown>;
    for (const renamed of [{}, { usage: { tokens: usage }, usageMetadata: { usageMetadata } }]) {
      const body = JSON.stringify({ ...rest, ...renamed });
      const step = lastStep(vendor, [paidExchange(vendor, body)]);
      assert.ok(step.kind === "answered", vendor);
      assert.deepEqual(
        [step.answer.text, step.answer.usage.isReported],
        [answers[vendor].text, false],
      );
    }
  }
});

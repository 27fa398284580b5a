import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ExpectedReply,
  expectedReplies,
  haveSamples,
  paidExchange,
  sampleBody,
  sampleText,
} from "@sightline/test-kit/collection/provider-samples.ts";
import type { CollectedAnswer } from "../../src/collection/adapter.ts";
import { lastStep } from "./last-step.ts";

/** The answer of recorded replies. */
function answerOf({ vendor, files }: ExpectedReply, leadsTo?: (path: string) => string | null) {
  const exchanges = files.map((file) => paidExchange(vendor, sampleBody(file)));
  const step = lastStep(vendor, exchanges, leadsTo);
  assert.equal(step.kind, "answered", files.join());
  return step.answer;
}

const urlsOf = ({ citations }: CollectedAnswer, wanted: boolean) =>
  citations.filter(({ cited }) => cited === wanted).map(({ url }) => url);

test("each recorded reply gives exactly what is written beside it", (t) => {
  if (!haveSamples(t)) return;
  for (const expected of expectedReplies) {
    const answer = answerOf(expected);
    const { vendor, files } = expected;
    const read: ExpectedReply = {
      vendor,
      files,
      model: answer.model ?? "",
      textCharacters: answer.text.length,
      cited: urlsOf(answer, true),
      retrieved: urlsOf(answer, false).length,
      searchQueries: answer.searchQueries,
    };
    assert.deepEqual(read, expected);
    assert.equal(answer.outcome, "answered");
    const urls = answer.citations.map(({ url }) => url);
    assert.equal(new Set(urls).size, urls.length, "once per URL");
    assert.ok(answer.usage.inputTokens > 0 && answer.usage.outputTokens > 0);
    assert.ok(answer.usage.isReported);
    assert.ok(answer.usage.searches > 0);
  }
  t.diagnostic(`${expectedReplies.length} recorded answers were compared`);
});

/** What OpenAI writes where it cites: ([host](url)), or in older replies [title](url). */
test("the spans of OpenAI's citations hold the cited URL", (t) => {
  if (!haveSamples(t)) return;
  for (const expected of expectedReplies.filter(({ vendor }) => vendor === "openai")) {
    const { text, citations } = answerOf(expected);
    for (const { url, spans, cited } of citations) {
      assert.equal(spans.length > 0, cited);
      for (const { start, end } of spans) assert.ok(text.slice(start, end).includes(url));
    }
  }
});

test("Gemini's spans are the segments that its reply quotes, beyond a degree sign too", (t) => {
  if (!haveSamples(t)) return;
  for (const expected of expectedReplies.filter(({ vendor }) => vendor === "gemini")) {
    const { text, citations } = answerOf(expected);
    const [file = ""] = expected.files;
    const [candidate] = JSON.parse(sampleBody(file)).candidates;
    const supports: readonly { segment: { text: string } }[] =
      candidate.groundingMetadata.groundingSupports;
    const quoted = new Set(supports.map(({ segment }) => segment.text));
    const spans = citations.flatMap((citation) => citation.spans);
    const read = spans.map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(new Set(read), quoted);
    assert.match(text, /°/u); // two bytes, one code unit
  }
});

test("Gemini's links become the pages that they lead to, once per page", (t) => {
  if (!haveSamples(t)) return;
  const expected = expectedReplies.findLast(({ vendor }) => vendor === "gemini");
  assert.ok(expected !== undefined);
  const asked: string[] = [];
  const answer = answerOf(expected, (path) => {
    asked.push(path);
    // The second and the third link lead to the same page.
    return asked.length === 1 ? "https://one.example/?a=ü" : "https://two.example/";
  });
  assert.deepEqual(urlsOf(answer, true), ["https://one.example/?a=ü", "https://two.example/"]);
  assert.equal(new Set(asked).size, 3);
  assert.deepEqual(
    answer.citations.map(({ spans }) => spans.length),
    [1, 2],
  );
});

test("Anthropic's spans are the blocks that cite", (t) => {
  if (!haveSamples(t)) return;
  for (const expected of expectedReplies.filter(({ vendor }) => vendor === "anthropic")) {
    const answer = answerOf(expected);
    const bodies = expected.files.map((file) => JSON.parse(sampleBody(file)));
    const blocks = bodies.flatMap((body) => body.content);
    for (const { url, spans } of answer.citations) {
      const citing: readonly { text: string }[] = blocks.filter((block) =>
        block.citations?.some((citation: { url: string }) => citation.url === url),
      );
      const read = spans.map(({ start, end }) => answer.text.slice(start, end));
      assert.deepEqual(
        read,
        citing.map(({ text }) => text),
      );
    }
  }
});

/** What the samples prove of replies that these adapters do not ask for. */
test("replies of other interfaces are failures, not answers", (t) => {
  if (!haveSamples(t)) return;
  const others = [
    // Sonar ended on 2026-09-27: the Agent API replies with a response object.
    ["perplexity", "PERPLEXITY/vercel-ai.sonar.citations.json"],
    ["perplexity", "PERPLEXITY/vercel-ai.sonar.text.json"],
    // Google's Interactions API; generateContent is what is asked.
    ["gemini", "GEMINI/vercel-ai.interactions.google-search.json"],
  ] as const;
  for (const [vendor, file] of others) {
    const step = lastStep(vendor, [paidExchange(vendor, sampleBody(file))]);
    assert.equal(step.kind, "failed");
    assert.equal(step.failure.class, "give-up");
  }
  t.diagnostic("PERPLEXITY: no reply of the Agent API is recorded; its documented shape is tested");
  t.diagnostic("GROK/…xai.yaml: recorded from gRPC, whose messages the HTTP API does not send");
  // Of seven listed pages, one is named by no marker: a list of pages says not who is cited.
  const sonar = JSON.parse(sampleBody("PERPLEXITY/vercel-ai.sonar.citations.json"));
  const markers: readonly string[] = sonar.choices[0].message.content.match(/\[\d+\]/g);
  assert.equal(sonar.citations.length, 7);
  assert.deepEqual([...new Set(markers)].sort(), ["[1]", "[2]", "[3]", "[5]", "[6]", "[7]"]);
});

test("the recording of Grok over gRPC cites nothing in its text and lists five pages", (t) => {
  if (!haveSamples(t)) return;
  const file = "GROK/pydantic-ai.test_xai_web_search_user_location_recorded.xai.yaml";
  const [, listed = ""] = sampleText(file).split("\n      citations:\n");
  const pages = listed.split("\n").filter((line) => line.startsWith("      - https://"));
  assert.equal(pages.length, 5);
  assert.match(sampleText(file), /cost_in_usd_ticks: '77397500'/); // 10^10 to a dollar: $0.0077
});

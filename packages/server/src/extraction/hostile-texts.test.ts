import assert from "node:assert/strict";
import { test } from "node:test";
import {
  domainExtractor,
  ends,
  hostileExtractor,
  hostileText,
  longUrls,
  pieces,
} from "@sightline/test-kit/requests/hostile-texts.ts";

// How the time grows with such texts is measured by tasks/soak.

test("hostile texts are read, and no name is found that does not stand in them", () => {
  for (const piece of pieces) {
    for (const end of ends) {
      const text = hostileText(piece, end, 10_000);
      const { mentions, citations } = hostileExtractor({ text, citations: [] });
      assert.deepEqual(mentions, [...new Set(mentions)]);
      assert.deepEqual(citations, []);
      if (!/[a三[]/.test(text)) assert.deepEqual(mentions, [], text.slice(0, 20));
    }
  }
});

test("URLs of the greatest length are read, each with its domain", () => {
  const citations = longUrls.map((url) => ({ url, cited: true }));
  const read = domainExtractor({ text: "", citations });
  assert.deepEqual(
    read.citations.map(({ domain }) => domain),
    ["google.com", "a.com", "a.com", "a.com", "a.com", "a.a", "google.com"],
  );
});

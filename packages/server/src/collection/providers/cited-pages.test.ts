import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { citationsOf } from "./cited-pages.ts";

const page = (url: string, title: string | null = null) => ({ url, title });
const at = (start: number, end: number) => ({ start, end });

test("pages come once, cited before retrieved, in order of first citing", () => {
  const citations = citationsOf(
    [
      { ...page("https://b.example/"), span: at(20, 30) },
      { ...page("https://a.example/", "A"), span: at(0, 10) },
      { ...page("https://b.example/", "B"), span: at(40, 50) },
      { ...page("https://b.example/"), span: at(40, 50) },
    ],
    [page("https://c.example/"), page("https://a.example/"), page("https://c.example/", "C")],
  );
  assert.deepEqual(citations, [
    { ...page("https://a.example/", "A"), cited: true, spans: [at(0, 10)] },
    { ...page("https://b.example/", "B"), cited: true, spans: [at(20, 30), at(40, 50)] },
    { ...page("https://c.example/", "C"), cited: false, spans: [] },
  ]);
});

test("the spans of a page are in the order of the text, and those that overlap are one", () => {
  const url = "https://a.example/";
  const citings = [at(30, 40), null, at(0, 10), at(5, 15), at(15, 20), at(32, 35), at(0, 10)];
  const [citation] = citationsOf(
    citings.map((span) => ({ ...page(url), span })),
    [],
  );
  assert.deepEqual(citation?.spans, [at(0, 15), at(15, 20), at(30, 40)]);
});

test("whatever citings overlap, spans are ordered and disjoint, and cover the same text", () => {
  const spans = fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 9 }), fc.nat(2));
  fc.assert(
    fc.property(fc.array(spans, { maxLength: 30 }), (citings) => {
      const cited = citings.map(([start, length, number]) => ({
        ...page(`https://${number}.example/`),
        span: at(start, start + length),
      }));
      for (const { url, spans: read } of citationsOf(cited, [])) {
        const ofPage = cited.filter((each) => each.url === url).map(({ span }) => span);
        const isWithin = (place: number, parts: typeof read) =>
          parts.some(({ start, end }) => place >= start && place < end);
        for (let place = 0; place < 60; place++) {
          assert.equal(isWithin(place, read), isWithin(place, ofPage));
        }
        assert.ok(read.every(({ start }, index) => start >= (read[index - 1]?.end ?? 0)));
        assert.ok(read.every(({ start, end }) => start < end));
      }
    }),
    { numRuns: 500 },
  );
});

test("a citing without a place keeps the vendor's order", () => {
  const citations = citationsOf(
    [
      { ...page("https://b.example/"), span: at(20, 30) },
      { ...page("https://a.example/"), span: null },
    ],
    [],
  );
  assert.deepEqual(
    citations.map(({ url, spans }) => [url, spans.length]),
    [
      ["https://b.example/", 1],
      ["https://a.example/", 0],
    ],
  );
});

test("halves of characters do not reach the record", () => {
  const [citation] = citationsOf([], [page("https://a.example/\ud800", "\udfff")]);
  assert.deepEqual(citation, {
    ...page("https://a.example/\ufffd", "\ufffd"),
    ...{ cited: false, spans: [] },
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
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

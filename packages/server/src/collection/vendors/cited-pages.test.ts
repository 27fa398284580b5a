import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSpans } from "@sightline/test-kit/collection/mutate-reply.ts";
import fc from "fast-check";
import type { VendorQuestion } from "../adapter.ts";
import { citationsOf } from "./cited-pages.ts";
import { adapters } from "./index.ts";

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
    cited: false,
    spans: [],
  });
});

/** A citation with a range in the vendor's unit, or with any range. */
interface Citing {
  readonly page: number;
  readonly from: number;
  readonly to: number;
}

const urlOf = ({ page: number }: Citing) => `https://${number}.example/`;

/** Replies with one text and these citings, by the vendors that give offsets. */
const replies = {
  gemini: (text: string, citings: readonly Citing[]) => ({
    candidates: [
      {
        content: { parts: [{ text }] },
        finishReason: "STOP",
        groundingMetadata: {
          groundingChunks: citings.map((citing) => ({ web: { uri: urlOf(citing) } })),
          groundingSupports: citings.map(({ from, to }, index) => ({
            segment: { startIndex: from, endIndex: to },
            groundingChunkIndices: [index],
          })),
        },
      },
    ],
  }),
  openai: responseOf,
  perplexity: responseOf,
  xai: responseOf,
};

function responseOf(text: string, citings: readonly Citing[]) {
  const annotations = citings.map((citing) => ({
    type: "url_citation",
    url: urlOf(citing),
    title: "T",
    start_index: citing.from,
    end_index: citing.to,
  }));
  const content = [{ type: "output_text", text, annotations }];
  const output = [{ type: "message", status: "completed", content }];
  return { object: "response", status: "completed", model: "m", output };
}

test("whatever offsets a vendor gives, spans lie in the text, in order and disjoint", () => {
  const signs = fc.constantFrom("a", "b", "c", "d", "é", "日", "👍", "[");
  const text = fc.array(signs, { maxLength: 30 }).map((some) => `x${some.join("")}`);
  const within = fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 10 }));
  const anywhere = fc.constantFrom(-1, 0, 1.5, 60, 2 ** 53);
  const places = fc.oneof(
    { weight: 9, arbitrary: within.map(([from, length]) => ({ from, to: from + length })) },
    { weight: 1, arbitrary: fc.record({ from: anywhere, to: anywhere }) },
  );
  const citing = fc.tuple(fc.nat(1), places).map(([page, place]) => ({ page, ...place }));
  const citings = fc.array(citing, { maxLength: 12 });
  const vendor = fc.constantFrom(...(Object.keys(replies) as (keyof typeof replies)[]));
  let found = 0;
  fc.assert(
    fc.property(vendor, text, citings, (name, said, cited) => {
      const adapter = adapters.find((each) => each.vendor === name);
      const [asks] = adapter?.asks ?? [];
      assert.ok(adapter !== undefined && asks !== undefined);
      const id = "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0";
      const question: VendorQuestion = { id, prompt: "?", ...asks, region: null, model: null };
      const request = { method: "POST", host: "", path: "/", isPaid: true } as const;
      const body = JSON.stringify(replies[name](said, cited));
      const reply = { status: 200, headers: {}, body };
      const step = adapter.step(question, [{ request, reply, at: 0 }]);
      assert.ok(step.kind === "answered", JSON.stringify(step));
      for (const { spans } of step.answer.citations) {
        checkSpans(spans, said);
        // No vendor cites half a character.
        for (const { start, end } of spans) assert.ok(said.slice(start, end).isWellFormed());
        found += spans.length;
      }
    }),
    { numRuns: 1_000 },
  );
  assert.ok(found > 200, `${found} spans`);
});

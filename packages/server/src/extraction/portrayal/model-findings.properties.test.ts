import assert from "node:assert/strict";
import { test } from "node:test";
import { ends, hostileText, pieces } from "@sightline/test-kit/requests/hostile-texts.ts";
import fc from "fast-check";
import { compileEvidenceLocator } from "../locate-evidence.ts";
import { findingKinds, verifiedReply } from "./model-findings.ts";

const brands = ["Acme", "Globex", "Tarnfell"];
const names = new Map(brands.map((name, index) => [name, index]));
const locate = compileEvidenceLocator(
  brands.map((text) => ({ names: [{ text, caseSensitive: false }], domains: [] })),
);

const word = fc.constantFrom(
  ...brands,
  ...["great", "battery", "slow", "costs more", "is", "but", "the best", "安い", "🦊", "e\u0301"],
  ...[". ", "\n\n", "- ", "| ", "**", "! ", "。", "“", "”"],
);
const text = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(" ")),
  fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...ends)).map(([piece, end]) => {
    return `Acme ${hostileText(piece, end, 300)} Globex`;
  }),
  fc.string({ unit: "binary", minLength: 1 }),
);

/** A text and findings whose quotes are cut out of it. */
const read = text.chain((value) =>
  fc.record({
    text: fc.constant(value),
    findings: fc.array(
      fc.record({
        entity: fc.constantFrom(...brands),
        kind: fc.constantFrom(...findingKinds),
        aspect: fc.constantFrom("price", "battery life"),
        quote: fc
          .tuple(fc.nat(value.length), fc.integer({ min: 1, max: 40 }))
          .map(([start, length]) => value.slice(start, start + length)),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
);

type Said = Readonly<Record<string, unknown>>;

function verified(value: string, reply: string) {
  const places = locate({ text: value, citations: [] }).mentions;
  return verifiedReply(reply, { text: value, places, names });
}

/** Each kept finding is one that the reply has, with a quote that is its words. */
function assertVerbatim(value: string, said: readonly Said[], reply: string): number {
  const result = verified(value, reply);
  for (const { entity, kind, aspect, start, end } of result?.findings ?? []) {
    assert.ok(0 <= start && start < end && end <= value.length);
    const quote = value.slice(start, end);
    assert.ok(
      said.some((each) => {
        return (
          each["entity"] === brands[entity] && each["kind"] === kind && each["quote"] === quote
        );
      }),
      `${kind} of ${brands[entity]}: ${quote}`,
    );
    assert.ok(aspect === null || aspect.length <= 40);
  }
  return result?.findings.length ?? 0;
}

test("a finding without a verbatim quote never counts, and each one is accounted for", () => {
  let kept = 0;
  fc.assert(
    fc.property(read, ({ text: value, findings }) => {
      const reply = JSON.stringify({ findings });
      kept += assertVerbatim(value, findings, reply);
      const result = verified(value, reply);
      const dropped = Object.values(result?.dropped ?? {}).reduce((sum, each) => sum + each, 0);
      assert.equal((result?.findings.length ?? 0) + dropped, findings.length);
    }),
  );
  assert.ok(kept > 0, "some findings count");
});

test("a quote that was changed anywhere gives no finding", () => {
  fc.assert(
    fc.property(read, fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), (each, at, insert) => {
      const findings = each.findings.map((finding) => {
        const place = at % (finding.quote.length + 1);
        const quote = `${finding.quote.slice(0, place)}${insert}${finding.quote.slice(place)}`;
        return { ...finding, quote };
      });
      const changed = findings.filter(({ quote }) => !each.text.includes(quote));
      assert.deepEqual(verified(each.text, JSON.stringify({ findings: changed }))?.findings, []);
    }),
  );
});

test("a field of another kind gives no finding", () => {
  const wrong = fc.constantFrom<unknown>(1, true, {}, [], ["praised"], "Initech", "praise", "");
  const field = fc.constantFrom("entity", "kind", "quote");
  fc.assert(
    fc.property(read, field, wrong, ({ text: value, findings }, name, other) => {
      const changed = findings.map((finding) => ({ ...finding, [name]: other }));
      const { findings: kept = [] } = verified(value, JSON.stringify({ findings: changed })) ?? {};
      const isQuote = name === "quote" && typeof other === "string" && value.includes(other);
      if (!isQuote) assert.deepEqual(kept, []);
    }),
  );
});

test("a reply that was cut gives no finding", () => {
  fc.assert(
    fc.property(read, fc.nat(), ({ text: value, findings }, at) => {
      const reply = JSON.stringify({ findings });
      assert.equal(verified(value, reply.slice(0, at % reply.length)), null);
    }),
  );
});

test("a reply mutated as text never throws, and gives no finding that it does not say", () => {
  fc.assert(
    fc.property(read, fc.nat(), fc.nat(3), fc.string({ maxLength: 4 }), (each, at, cut, insert) => {
      const reply = JSON.stringify({ findings: each.findings });
      const place = at % reply.length;
      const mutated = `${reply.slice(0, place)}${insert}${reply.slice(place + cut)}`;
      assertVerbatim(each.text, saidIn(mutated), mutated);
    }),
  );
  fc.assert(
    fc.property(text, fc.json(), (value, json) => {
      assertVerbatim(value, saidIn(json), json);
    }),
  );
});

/** The findings of a reply, by a reading of its own. */
function saidIn(reply: string): readonly Said[] {
  try {
    const said: unknown = JSON.parse(reply);
    const { findings } = Object(said) as { readonly findings?: unknown };
    return Array.isArray(findings) ? findings.filter((each) => Object(each) === each) : [];
  } catch {
    return [];
  }
}

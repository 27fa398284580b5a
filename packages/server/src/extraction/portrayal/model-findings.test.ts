import assert from "node:assert/strict";
import { test } from "node:test";
import { compileEvidenceLocator } from "../locate-evidence.ts";
import { findingsMax, verifiedReply } from "./model-findings.ts";

const brands = ["Acme", "Globex"];
const names = new Map(brands.map((name, index) => [name, index]));
const locate = compileEvidenceLocator(
  brands.map((text) => ({ names: [{ text, caseSensitive: false }], domains: [] })),
);

type Item = Readonly<Record<string, unknown>>;

const praise = (quote: string, more: Item = {}): Item => {
  return { entity: "Acme", kind: "praised", aspect: "battery", quote, ...more };
};

/** What becomes of a model's reply: kept findings with their words, and what was dropped. */
function verified(text: string, reply: unknown) {
  const places = locate({ text, citations: [] }).mentions;
  const json = typeof reply === "string" ? reply : JSON.stringify(reply);
  const result = verifiedReply(json, { text, places, names });
  return (
    result && {
      kept: result.findings.map(({ start, end }) => [start, text.slice(start, end)]),
      dropped: result.dropped,
    }
  );
}

const of = (text: string, ...findings: readonly unknown[]) => verified(text, { findings });

test("a finding counts with its quote, at offsets of ours", () => {
  const text = "Globex is slow. Acme has a great battery.";
  assert.deepEqual(of(text, praise("great battery", { start: 3, end: 9 })), {
    kept: [[27, "great battery"]],
    dropped: {},
  });
});

test("a quote that is not in the text character by character is dropped", () => {
  const text = "Acme has a great battery – it lasts “two days”.";
  const quotes = ["a greater battery", "Great battery", "great  battery", "battery - it", '"two'];
  for (const quote of [...quotes, 'great battery - it lasts "two days"', "great battery..."]) {
    assert.deepEqual(of(text, praise(quote)), { kept: [], dropped: { not_verbatim: 1 } }, quote);
  }
});

test("of several occurrences the first in a sentence with the entity counts", () => {
  const text = "Globex has a great battery. A great battery, says Acme. Acme: great battery";
  assert.deepEqual(of(text, praise("great battery"))?.kept, [[30, "great battery"]]);
});

test("below the entity's name it counts until another entity is named", () => {
  const text = "## Acme\n\n- Great battery\n\n## Globex\n\n- Great screen";
  const screen = praise("Great screen");
  assert.deepEqual(of(text, praise("Great battery"), screen, { ...screen, entity: "Globex" }), {
    kept: [
      [11, "Great battery"],
      [39, "Great screen"],
    ],
    dropped: { elsewhere: 1 },
  });
});

test("what is dropped is counted by reason", () => {
  const text = "Acme, Globex: Acme has a great battery.";
  const long = { aspect: "x".repeat(41) };
  assert.deepEqual(
    of(
      text,
      ...[null, "Acme", [], {}, praise("great", { kind: "liked" }), praise("great", long)],
      ...[praise("!"), praise("great", { aspect: "https://x.example" })],
      praise("great battery", { kind: "claim", aspect: null }),
      ...[praise("great", { entity: "Tarnfell" }), praise("great", { entity: 0 })],
      ...[praise("Acme, Globex: "), praise("great"), praise("great")],
    ),
    {
      kept: [[25, "great"]],
      dropped: { malformed: 9, unknown_entity: 2, repeated: 1, only_names: 1 },
    },
  );
});

test("names with a word between them say something", () => {
  assert.deepEqual(of("Acme beats Globex.", praise("Acme beats Globex"))?.kept, [
    [0, "Acme beats Globex"],
  ]);
});

test("findings after the most that count are dropped", () => {
  const text = `Acme: ${Array.from({ length: 120 }, (_, index) => `w${index}x`).join(" ")}`;
  const items = Array.from({ length: 120 }, (_, index) => praise(`w${index}x`));
  const result = of(text, ...items);
  assert.equal(result?.kept.length, findingsMax);
  assert.deepEqual(result?.dropped, { too_many: 20 });
});

test("aspects are folded", () => {
  const text = "Acme has a great battery.";
  const reply = JSON.stringify({ findings: [praise("great", { aspect: " Ｂattery\n Life " })] });
  const places = locate({ text, citations: [] }).mentions;
  assert.equal(verifiedReply(reply, { text, places, names })?.findings[0]?.aspect, "battery life");
});

test("a block of code is read; prose, cut JSON and other forms are not", () => {
  const text = "Acme has a great battery.";
  const json = JSON.stringify({ findings: [praise("great battery")] });
  assert.equal(verified(text, `\`\`\`json\n${json}\n\`\`\`\n`)?.kept.length, 1);
  for (const other of ["", "I cannot help with that.", `Here: ${json}`, json.slice(0, -1)]) {
    assert.equal(verified(text, other), null, other);
  }
  for (const other of [
    "[]",
    "null",
    '{"findings":{}}',
    `${json}${json}`,
    `${json}${" ".repeat(2e5)}`,
  ]) {
    assert.equal(verified(text, other), null, other);
  }
});

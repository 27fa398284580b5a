import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ClaimVerdict, judgedClaim } from "./judged-claim.ts";

const cases: readonly (readonly [fact: string, claims: Readonly<Record<string, ClaimVerdict>>])[] =
  [
    [
      "from $19 a month",
      {
        "starts at $19 a month": "agrees",
        "only 19 USD per month": "agrees",
        "costs US$19.00 monthly": "agrees",
        "ab 19 Dollar im Monat": "agrees",
        "costs $25/month": "differs",
        "no setup fee, $25 a month": "differs",
        "about $20 a month": "unclear",
        "about $19 a month": "agrees",
        "over $10 a month": "unclear",
        "$190 a year": "unclear",
        "does not cost $25": "unclear",
        "was $19, now $25": "unclear",
        "19 € a month": "unclear",
        "is cheap": "unclear",
        "": "unclear",
      },
    ],
    ["$19 per user per month", { "$25 per user per month": "differs", "$25 per seat": "unclear" }],
    ["$19 to $49", { "between $19 and $49": "agrees", $25: "unclear", $59: "differs" }],
    ["€1,234.50", { "1.234,50 €": "agrees", "1 234,50 EUR": "agrees", "1.234 €": "differs" }],
    ["$1.2m", { "$1.2 million": "agrees", "$1,200,000": "agrees", "$2 million": "differs" }],
    [
      "20 hours",
      {
        "1200 minutes of battery": "agrees",
        "20h": "agrees",
        "18 Stunden Akku": "differs",
        バッテリーは20時間です: "agrees",
        バッテリーは18時間です: "differs",
        "over 15 hours": "unclear",
        "10 to 12 hours": "differs",
      },
    ],
    ["up to 20 hours", { "lasts up to 18 hours": "differs", "20 hours": "agrees" }],
    ["10 to 12 hours", { "10-12 hours": "agrees", "11 hours": "unclear", "9 hours": "differs" }],
    ["30-day trial", { "14-day trial": "differs", "a trial of 30 days": "agrees" }],
    ["14 days", { "2 weeks": "agrees" }],
    ["2-year warranty", { "24 months of warranty": "agrees", "warranty: one year": "unclear" }],
    [
      "2015",
      { "founded in 2015": "agrees", "since 2014 in Berlin": "differs", "3 people": "unclear" },
    ],
    ["40 integrations", { "50 integrations": "differs", "40 integrations": "agrees" }],
    ["1.2.3", { "version 1.2.3": "agrees", "version 1.3.0": "unclear" }],
    ["7", { "7 colours": "unclear", "it has 7": "agrees", "it has 8": "unclear" }],
    [
      "free shipping",
      {
        "with Free  Shipping on all orders": "agrees",
        "no free shipping": "unclear",
        "no fees, but free shipping": "agrees",
        "carefree shipping": "unclear",
        "shipping costs extra": "unclear",
      },
    ],
    ["送料無料", { 全品送料無料です: "agrees", 送料無料ではない: "unclear" }],
    ["5 constructor", { "5 constructor": "agrees", "6 constructor": "differs" }],
  ];

for (const [fact, claims] of cases) {
  test(`claims against the fact "${fact}"`, () => {
    const verdicts = Object.keys(claims).map((claim) => [claim, judgedClaim(claim, fact)]);
    assert.deepEqual(Object.fromEntries(verdicts), claims);
  });
}

const currency = fc.constantFrom(
  (amount: string) => `$${amount}`,
  (amount: string) => `US$ ${amount}`,
  (amount: string) => `${amount} USD`,
  (amount: string) => `${amount} dollars`,
);
const period = fc.constantFrom("", " a month", " per month", "/month", "/mo", " monthly");
const around = fc.constantFrom("It costs % now.", "% and worth it", "Plans start at %, they say");
const cents = fc.integer({ min: 1, max: 99_999_999 });

/** As people write it, with or without marks between the thousands. */
function written(amount: number, hasMarks: boolean): string {
  const [whole = "", part = ""] = (amount / 100).toFixed(2).split(".");
  const marked = hasMarks ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  return part === "00" ? marked : `${marked}.${part}`;
}

test("amounts agree exactly when they are equal, however they are written", () => {
  const money = fc.record({ currency, period, hasMarks: fc.boolean() });
  fc.assert(
    fc.property(
      fc.tuple(cents, cents),
      fc.tuple(money, money),
      around,
      (amounts, forms, sentence) => {
        const [[fact, other], [one, two]] = [amounts, forms];
        for (const claim of [fact, other]) {
          const value = one.currency(written(fact, one.hasMarks)) + one.period;
          const said = two.currency(written(claim, two.hasMarks)) + two.period;
          const verdict = judgedClaim(
            sentence.replace("%", () => said),
            value,
          );
          assert.equal(verdict, claim === fact ? "agrees" : "differs", `${said} | ${value}`);
        }
      },
    ),
  );
});

test("any texts have a verdict, and a fact differs from none without numbers", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(
      fc.constantFrom("$", "19", "no", "up to", "-", "hours", "1.234", "円", "/", "per", " "),
    ),
  );
  const textOf = (parts: string | readonly string[]) =>
    typeof parts === "string" ? parts : parts.join("");
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const [claim, fact] = [textOf(one), textOf(other)];
      const verdict = judgedClaim(claim, fact);
      assert.ok(["agrees", "differs", "unclear"].includes(verdict));
      if (!/\d/.test(fact.normalize("NFKC"))) assert.notEqual(verdict, "differs");
    }),
  );
});

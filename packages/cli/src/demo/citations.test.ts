import assert from "node:assert/strict";
import { test } from "node:test";
import { demoAnswers } from "./demo-answers.ts";

const tracking = /^(utm_.*|srsltid|gclid|fbclid|msclkid)$/;

// Enough of the product's canonical form for the variants that the demo makes.
function canonical(address: string): string {
  const url = new URL(address.replace("http://", "https://"));
  const kept = [...url.searchParams].filter(([name]) => !tracking.test(name));
  const query = kept.length > 0 ? `?${new URLSearchParams(kept)}` : "";
  return `${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/$/, "")}${query}`;
}

const citations = new Map<string, number>();
const shown = new Set<string>();
let repeated = 0;
for (const answer of demoAnswers()) {
  const inAnswer = new Set<string>();
  for (const { url, cited } of answer.citations ?? []) {
    if (cited === false) continue;
    shown.add(url);
    const page = canonical(url);
    if (inAnswer.has(page)) repeated += 1;
    else citations.set(page, (citations.get(page) ?? 0) + 1);
    inAnswer.add(page);
  }
}

test("some 1,500 pages are cited, under many more addresses", () => {
  assert.equal(citations.size, 1_527);
  assert.ok(shown.size > 10 * citations.size);
});

test("they lie on some sixty domains", () => {
  const domains = new Set(
    [...citations.keys()].map((page) => page.split("/", 1)[0]?.split(".").slice(-2).join(".")),
  );
  assert.equal(domains.size, 59);
});

test("the most cited tenth of the pages has a third to a half of the citations", () => {
  const counts = [...citations.values()].sort((one, other) => other - one);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const top = counts.slice(0, counts.length / 10).reduce((sum, count) => sum + count, 0);
  assert.ok(top > total / 3 && top < total / 2, `${top} of ${total}`);
});

test("some answers cite one page under two addresses", () => {
  assert.ok(repeated > 300, `${repeated}`);
});

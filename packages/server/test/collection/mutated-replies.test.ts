import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vendor } from "@sightline/contract";
import { checkSpans, mutated, mutations } from "@sightline/test-kit/collection/mutate-reply.ts";
import {
  expectedReplies,
  haveSamples,
  paidExchange,
  sampleBody,
} from "@sightline/test-kit/collection/provider-samples.ts";
import { oracleRuns } from "@sightline/test-kit/oracle/runs.ts";
import fc from "fast-check";
import { type CollectedAnswer, failureClasses, type Step } from "../../src/collection/adapter.ts";
import { documentedReplies, documentedVendors } from "./documented-replies.ts";
import { lastStep } from "./last-step.ts";
import { plainReading } from "./plain-reading.ts";

/** Replies of one question, the last of which is mutated. */
interface Base {
  readonly vendor: Vendor;
  readonly bodies: readonly string[];
}

const documented: readonly Base[] = documentedVendors.map((vendor) => ({
  vendor,
  bodies: [JSON.stringify(documentedReplies[vendor])],
}));

function stepOf({ vendor, bodies }: Base, status = 200): Step {
  const last = bodies.length - 1;
  const exchanges = bodies.map((body, index) =>
    paidExchange(vendor, body, index === last ? { status } : {}),
  );
  return lastStep(vendor, exchanges);
}

/** What is compared: not the spans, which a wrong offset takes away, and not what it cost. */
const saidIn = ({ outcome, text, citations, searchQueries, model }: CollectedAnswer) => ({
  outcome,
  text,
  searchQueries,
  model,
  pages: citations.map(({ url, title, cited }) => ({ url, title, cited })),
});

/** That a step is a failure with a reason, or the right answer for what the reply says. */
function check(base: Base, step: Step, original: CollectedAnswer | null): Step["kind"] {
  if (step.kind === "failed") {
    assert.ok(failureClasses.includes(step.failure.class));
    assert.ok(step.failure.reason.length > 0 && step.failure.reason.length <= 300);
    return step.kind;
  }
  // A turn that a reply says is paused goes on; nothing else asks again.
  if (step.kind === "send") assert.equal(base.vendor, "anthropic");
  if (step.kind !== "answered") return step.kind;
  const { answer } = step;
  if (original !== null) {
    const [{ pages, ...said }, { pages: all, ...right }] = [saidIn(answer), saidIn(original)];
    assert.deepEqual(said, right, "a wrong type gives no other answer");
    if (answer.warnings.length === 0) assert.deepEqual(pages, all);
    const known = new Set(all.map(({ url }) => url));
    assert.ok(pages.every(({ url }) => known.has(url)));
  }
  const reading = plainReading(
    base.vendor,
    base.bodies.map((body) => JSON.parse(body)),
  );
  if (answer.outcome === "refused" && base.vendor === "gemini") return step.kind;
  assert.ok(reading.isWhole);
  const inOneLine = (text: string) => text.replaceAll("\n\n", "");
  assert.equal(inOneLine(answer.text), inOneLine(reading.text));
  assert.ok(answer.text.trim() !== "" || answer.outcome === "refused");
  const cited = answer.citations.filter((citation) => citation.cited).map(({ url }) => url);
  assert.deepEqual(new Set(cited), new Set(reading.cited));
  for (const { url, spans } of answer.citations) {
    assert.notEqual(url.trim(), "");
    checkSpans(spans, answer.text);
  }
  return step.kind;
}

function checkMutations(bases: readonly Base[], numRuns: number): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(fc.nat(), mutations, (which, mutation) => {
      const base = bases[which % bases.length];
      assert.ok(base !== undefined);
      const reply = mutated(base.bodies.at(-1) ?? "", mutation);
      fc.pre(reply !== null);
      const changed = { ...base, bodies: [...base.bodies.slice(0, -1), reply.body] };
      const step = stepOf(changed, reply.status);
      if (mutation.kind === "cut" || mutation.kind === "status") assert.equal(step.kind, "failed");
      const original = mutation.kind === "other type" ? stepOf(base) : null;
      if (original !== null) assert.equal(original.kind, "answered");
      const right = original?.kind === "answered" ? original.answer : null;
      const kind = check(changed, step, right);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }),
    { numRuns, seed: oracleRuns(1).seed, maxSkipsPerRun: 100 },
  );
  return seen;
}

test("500 mutations of documented replies give a failure or what the reply says", (t) => {
  const seen = checkMutations(documented, 500);
  t.diagnostic([...seen].map(([kind, count]) => `${kind}: ${count}`).join(", "));
  assert.ok((seen.get("failed") ?? 0) > 100 && (seen.get("answered") ?? 0) > 25);
});

test("2,000 mutations of recorded replies give a failure or what the reply says", (t) => {
  if (!haveSamples(t)) return;
  const recorded = expectedReplies.map(({ vendor, files }) => ({
    vendor,
    bodies: files.map(sampleBody),
  }));
  const seen = checkMutations(recorded, 2_000);
  t.diagnostic([...seen].map(([kind, count]) => `${kind}: ${count}`).join(", "));
  assert.ok((seen.get("failed") ?? 0) > 400 && (seen.get("answered") ?? 0) > 100);
});

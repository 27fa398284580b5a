import assert from "node:assert/strict";
import { test } from "node:test";
import { periodNames } from "@sightline/contract/period-names";
import fc from "fast-check";
import {
  type Dates,
  type EvidenceAddress,
  type EvidencePart,
  type PlanAddress,
  plainView,
  searchOf,
  type View,
  viewOf,
  type WhyAddress,
} from "./view.ts";

const id = fc.uuid();
const dates: fc.Arbitrary<Dates> = fc.constant({ first: "2026-01-05", last: "2026-02-01" });
const part: fc.Arbitrary<EvidencePart> = fc.record(
  {
    by: fc.constantFrom("topic", "provider", "region", "domain", "url", "model", "surface", "tag"),
    key: fc.constantFrom("GROK", "d.e.example", "https://a.example/~b/%7E?e.c=~d.1~p.2"),
  },
  { noNullPrototype: true },
);
const why: fc.Arbitrary<WhyAddress> = fc.record(
  {
    metric: fc.constantFrom("mentions", "overall-visibility", "citations", "rank"),
    entityId: fc.option(id),
    by: fc.constantFrom(
      "prompt",
      "topic",
      "provider",
      "region",
      "domain",
      "model",
      "surface",
      "tag",
    ),
  },
  { noNullPrototype: true },
);
const plan: fc.Arbitrary<PlanAddress> = fc.record(
  {
    metric: fc.constantFrom("mentions", "overall-visibility", "citations", "rank"),
    entityId: fc.option(id),
    change: fc.constantFrom(null, 0.05, 0.123, 1),
  },
  { noNullPrototype: true },
);
const evidence: fc.Arbitrary<EvidenceAddress> = fc.record(
  {
    role: fc.constantFrom("mentioned", "cited", "visible", "notVisible", "any"),
    entityId: fc.option(id),
    dates: fc.option(dates),
    promptId: fc.option(id),
    part: fc.option(part),
  },
  { noNullPrototype: true },
);

const views: fc.Arbitrary<View> = fc.record(
  {
    account: fc.option(id),
    page: fc.constantFrom("overview", "sources", "prompts", "setup"),
    period: fc.oneof(fc.constantFrom(...periodNames), dates),
    compare: fc.constantFrom("previous", "none", "2025-12-01"),
    providers: fc.subarray(["OPENAI", "GROK", "GEMINI"]),
    topics: fc.array(id, { maxLength: 2 }),
    prompts: fc.array(id, { maxLength: 2 }),
    regions: fc.subarray(["US", "DE"]),
    models: fc.subarray(["gpt-5.1", "a,b", "100%", "%2C"]),
    surfaces: fc.subarray(["api", "web"]),
    tags: fc.subarray(["buying", "a,b", "new home"]),
    branded: fc.constantFrom(true, false, null),
    excluded: fc.constant(plainView.excluded),
    metric: fc.constantFrom("mentions", "overall-visibility", "citations", "rank"),
    interval: fc.constantFrom("daily", "weekly", "monthly", null),
    only: fc.array(id, { maxLength: 2 }),
    evidence: fc.option(evidence),
    answer: fc.option(id),
    why: fc.option(why),
    plan: fc.option(plan),
    own: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string({ minLength: 1 }), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  },
  { noNullPrototype: true },
);

test("an address says the whole view", () => {
  fc.assert(fc.property(views, (view) => assert.deepEqual(viewOf(searchOf(view)), view)));
});

test("the plain view has an empty address", () => {
  assert.equal(searchOf(plainView), "");
  assert.deepEqual(viewOf(""), plainView);
});

test("what an address gets wrong is left out", () => {
  const wrong =
    "?page=x&period=2026-02-01..2026-01-01&compare=soon&branded=maybe&metric=votes&interval=hour" +
    "&evidence=seen~e.1&why=votes~by.prompt&plan=votes" +
    "&unknown=1&providers=FOO,constructor&regions=USA";
  assert.deepEqual(viewOf(wrong), plainView);
  const never = "?period=2026-02-01..2026-02-31&compare=2026-02-30&branded=constructor";
  assert.deepEqual(viewOf(never), plainView);
  // An empty name is nobody's: asked for, it would leave a page without a way on.
  assert.deepEqual(viewOf("?account=&answer="), plainView);
  const whole = { metric: "rank", entityId: null, by: "prompt" } as const;
  assert.deepEqual(viewOf("?why=rank~by.votes"), { ...plainView, why: whole });
  const points = { metric: "mentions", entityId: null, change: null } as const;
  for (const change of ["5", "0", "-1", "x", ""]) {
    assert.deepEqual(viewOf(`?plan=mentions~c.${change}`), { ...plainView, plan: points });
  }
  assert.deepEqual(viewOf("?regions=us"), { ...plainView, regions: ["US"] });
});

test("a list is let pass or left out, not both", () => {
  const excluded = {
    providers: ["GROK"],
    topics: ["t"],
    prompts: ["p", "q"],
    regions: ["DE"],
    models: ["a,b", "c"],
    surfaces: ["web"],
    tags: ["d,e", "f"],
  };
  const view = { ...plainView, excluded } as const;
  const search =
    "?not-providers=GROK&not-topics=t&not-prompts=p,q&not-regions=DE" +
    "&not-models=a%252Cb,c&not-surfaces=web&not-tags=d%252Ce,f";
  assert.equal(searchOf(view as View), search);
  assert.deepEqual(viewOf(search), view);
  assert.deepEqual(viewOf("?topics=a&not-topics=b&not-providers=X&not-regions=de"), {
    ...plainView,
    topics: ["a"],
    excluded: { ...plainView.excluded, regions: ["DE"] },
  });
});

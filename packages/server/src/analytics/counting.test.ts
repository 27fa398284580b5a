import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "./buckets.ts";
import { type CitationStatistics, chooseCounting } from "./counting.ts";
import type { Condition, PlanPart, SourcesPlan } from "./plan.ts";

/** Ten days of 100,000 citations of 20,000 domains and 100,000 URLs. */
const statistics: CitationStatistics = {
  byDay: new Map(Array.from({ length: 10 }, (_, day) => [20_000 + day, 100_000])),
  sources: { domain: 20_000, url: 100_000 },
  values: { provider: 8, topic: 40, prompt: 1_000, region: 0, branded: 2 },
};

function chosen(
  part: Omit<PlanPart, "table">,
  {
    groupBy,
    conditions = [],
  }: Partial<Pick<SourcesPlan, "groupBy">> & {
    readonly conditions?: readonly Condition[];
  },
  known = statistics,
) {
  return chooseCounting(
    {
      choice: { rollup: null, refused: [] },
      rows: { parts: [{ table: "citations", ...part }], conditions },
      groupBy: groupBy ?? "domain",
      limit: 10,
      offset: 0,
    },
    known,
  );
}

const days = (count: number) => ({ by: "day" as const, from: 20_000, to: 20_000 + count });
const provider: Condition = { column: "provider", values: [3] };

test("few citations are counted as rows, many by the engine", () => {
  assert.equal(chosen(days(1), {}), "rows");
  assert.equal(chosen(days(2), {}), "groups");
  assert.equal(chosen(days(2), { groupBy: "url" }), "rows");
  assert.equal(chosen(days(3), { groupBy: "url" }), "groups");
  assert.equal(chosen(days(0), {}), "rows");
});

test("a condition lets its share of the citations through", () => {
  assert.equal(chosen(days(10), { conditions: [provider] }), "rows");
  const all = { column: "provider" as const, values: [1, 2, 3, 4, 5, 6, 7, 8] };
  assert.equal(chosen(days(10), { conditions: [all] }), "groups");
  const region = { column: "region" as const, values: [1] };
  assert.equal(chosen(days(10), { conditions: [region] }), "groups", "of none, all may pass");
});

test("every day that an unaligned range meets counts", () => {
  const hour = 3_600_000;
  const from = 20_000 * dayMs + hour;
  const part = (to: number) => ({ by: "answered_at" as const, from, to });
  assert.equal(chosen(part(20_001 * dayMs), {}), "rows");
  assert.equal(chosen(part(20_001 * dayMs + 1), {}), "groups");
});

test("whatever is expected, what might come at the worst is bounded", () => {
  const many = { ...statistics, byDay: new Map([[20_000, 5_000_000]]) };
  const prompt: Condition = { column: "prompt", values: [7] };
  assert.equal(chosen(days(1), { conditions: [prompt] }, many), "groups");
});

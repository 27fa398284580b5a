import assert from "node:assert/strict";
import { test } from "node:test";
import { plainView } from "../data/view.ts";
import { kindsOf, linkViewOf, sharedView } from "./link-view.ts";

const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

test("a page is shared with its period, comparison and filters", () => {
  const view = { ...plainView, page: "prompts", compare: "year-ago", metric: "rank" } as const;
  const filters = {
    timeRange,
    topics: [{ id: "11111111-1111-4111-8111-111111111111" }],
    branded: false,
    exclude: { providers: ["GROK" as const] },
  };
  assert.deepEqual(linkViewOf({ view, filters }, "view"), {
    page: "prompts",
    period: "12w",
    compare: "year-ago",
    filters: { topics: filters.topics, branded: false },
    exclude: filters.exclude,
  });
});

test("a table and a picture have the metric, and dates stay dates", () => {
  const period = { first: "2026-01-01", last: "2026-01-31" };
  const view = { ...plainView, period, metric: "rank", interval: "daily" } as const;
  const shared = { page: "overview", period: "2026-01-01..2026-01-31" };
  assert.deepEqual(linkViewOf({ view, filters: { timeRange } }, "csv"), {
    ...shared,
    metric: "rank",
    interval: "daily",
  });
  assert.deepEqual(linkViewOf({ view, filters: { timeRange } }, "view"), {
    ...shared,
    compare: "previous",
  });
});

test("every page but Setup can be shared as a page", () => {
  for (const page of ["overview", "portrayal", "sources", "prompts"] as const) {
    assert.equal(kindsOf(page)[0], "view");
  }
  assert.deepEqual(kindsOf("setup"), []);
  const view = { ...plainView, page: "setup" } as const;
  assert.equal(sharedView({ view, filters: { timeRange } }, "Acme"), null);
});

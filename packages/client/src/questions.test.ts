import assert from "node:assert/strict";
import { test } from "node:test";
import type { Filters } from "@sightline/contract";
import { InvalidOptionError } from "./errors.ts";
import { type AnalyticsFilters, bodyOf } from "./questions.ts";

// Whatever the contract's filters may be, the client's take, and under the same names.
const taken = (filters: Filters): AnalyticsFilters => filters;
const sameNames: Record<keyof Filters, true> & Record<keyof AnalyticsFilters, true> = {
  timeRange: true,
  providers: true,
  topics: true,
  promptIds: true,
  regions: true,
  branded: true,
};

test("a Date is sent as its instant, a text as it is, and what is undefined is not", () => {
  const timeRange = { from: new Date(0), to: "2026-01-08t00:00:00+01:00" };
  const filters = { timeRange, branded: undefined, regions: [] };

  assert.deepEqual(JSON.parse(bodyOf({ interval: "daily", filters })), {
    interval: "daily",
    filters: {
      timeRange: { from: "1970-01-01T00:00:00.000Z", to: "2026-01-08t00:00:00+01:00" },
      regions: [],
    },
  });
});

test("a Date that holds no time is refused here, with its name", () => {
  const timeRange = { from: new Date("yesterday"), to: new Date(0) };

  assert.throws(
    () => bodyOf({ interval: "daily", filters: { timeRange } }),
    (error) =>
      error instanceof InvalidOptionError && /^from is an invalid Date/.test(error.message),
  );
  assert.equal(Object.keys(sameNames).length, 6);
  const sent = { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" } };
  assert.equal(taken(sent), sent);
});

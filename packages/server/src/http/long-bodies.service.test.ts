import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleRange } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

const path = "/v1/analytics/brands/mentions";

/** Not one of its ids is an id. */
function body(each: number): object {
  const id = (item: number) => `x1111111-0000-4000-8000-${String(item).padStart(12, "0")}`;
  const promptIds = Array.from({ length: 10_000 }, (_, item) => id(item * 31 + each));
  return { interval: "daily", filters: { timeRange: sampleRange, promptIds } };
}

test("bodies of 10,000 ids are read one in each round of the event loop", async () => {
  const { service, token } = await sharedSample();
  let round = 0;
  let isOver = false;
  const count = () => {
    round++;
    if (!isOver) setImmediate(count);
  };
  count();
  const rounds = await Promise.all(
    Array.from({ length: 12 }, async (_, each) => {
      const reply = await service.post(path, { token, body: body(each) });
      assert.equal(reply.status, 400);
      return round;
    }),
  );
  isOver = true;
  assert.equal(new Set(rounds).size, 12, `${rounds}`);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { bucketsMax, pointsMax } from "@sightline/contract";
import { timeSeriesQuestion } from "../facts/plan/question.ts";
import { ServiceError } from "../platform/service-error.ts";
import { timeSeriesBytesMax } from "../questions/series.ts";
import { PendingReplyBytes, pendingReplyLimits } from "./pending-reply-bytes.ts";

const isOverloaded = (error: unknown) =>
  error instanceof ServiceError &&
  error.code === "overloaded" &&
  error.headers["Retry-After"] === "1";

const reply = (length: number) => ({ length });

test("an account has at most its bytes under way, and leaves the rest to the others", () => {
  const underWay = new PendingReplyBytes({ bytes: 1_000_000, bytesPerAccount: 500_000 });
  const release = underWay.hold("a", reply(300_000));
  assert.throws(() => underWay.hold("a", reply(300_000)), isOverloaded);
  underWay.hold("b", reply(500_000));
  assert.throws(() => underWay.hold("c", reply(300_000)), isOverloaded);
  assert.equal(underWay.bytes, 800_000);
  release();
  release(); // does nothing more
  assert.equal(underWay.bytes, 500_000);
  underWay.hold("a", reply(500_000));
});

test("a reply that goes to several clients counts once, until the last of them has it", () => {
  const underWay = new PendingReplyBytes({ bytes: 500_000, bytesPerAccount: 500_000 });
  const same = reply(400_000);
  const [first, second] = [underWay.hold("a", same), underWay.hold("a", same)];
  assert.equal(underWay.bytes, 400_000);
  first();
  assert.throws(() => underWay.hold("a", reply(400_000)), isOverloaded);
  second();
  underWay.hold("a", reply(400_000));
});

test("small replies are not counted", () => {
  const underWay = new PendingReplyBytes({ bytes: 100_000, bytesPerAccount: 100_000 });
  for (let count = 0; count < 100; count++) underWay.hold("a", reply(60_000));
  assert.equal(underWay.bytes, 0);
});

test("an account can take the largest reply, a series with counts", () => {
  const timeRange = { from: "2020-01-01T00:00:00Z", to: "2030-12-14T00:00:00Z" };
  const request = { interval: "daily", filters: { timeRange } } as const;
  const question = timeSeriesQuestion("mentions", request);
  assert.equal(question.buckets.startsMs.length, bucketsMax);
  const most = timeSeriesBytesMax({ request, question, points: "counts" }, pointsMax / bucketsMax);
  assert.ok(most <= pendingReplyLimits.bytesPerAccount, `${most}`);
});

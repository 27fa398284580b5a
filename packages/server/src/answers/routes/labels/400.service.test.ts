import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

const faults = [
  ["answerId=x", /^The query parameter answerId must be a UUID/],
  ["entityId=Acme", /^The query parameter entityId must be a UUID/],
  ["metric=rank", /^The query parameter metric must be one of mentions, citations, .*got "rank"/],
  ["limit=0", /^The query parameter limit must be between 1 and 1000, got "0"/],
  ["limit=1001", /between 1 and 1000/],
  ["limit=1e2", /between 1 and 1000/],
  ["cursor=x", /^The query parameter cursor is not a cursor of this list/],
  ["cursor=WzEsMiwzLDRd", /is not a cursor/],
  [
    "labeler=ann",
    /^"labeler" is not a known query parameter. Known: answerId, labeller, entityId, metric/,
  ],
  ["labeller=ann&labeller=bea", /^The query parameter labeller must be there once/],
] as const;

test("a parameter that is none of the list's is refused, with what it must be", async () => {
  const { service, token } = await sharedSample();
  const headers = { authorization: `Bearer ${token}` };
  for (const [query, fault] of faults) {
    const reply = await service.request("GET", `/v1/labels?${query}`, { headers });
    assert.equal(reply.status, 400, query);
    assert.match(reply.json<{ detail: string }>().detail, fault);
  }
});

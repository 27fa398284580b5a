import assert from "node:assert/strict";
import { test } from "node:test";
import { startSample } from "@sightline/test-kit/sample-account.ts";

const faults = [
  ["limit=0", /^The query parameter limit must be between 1 and 100, got "0"/],
  ["limit=101", /between 1 and 100/],
  ["cursor=1", /^The query parameter cursor is not a cursor of this list/],
  ["page=2", /^"page" is not a known query parameter. Known: limit, cursor/],
] as const;

test("a parameter that is none of the list's is refused, with what it must be", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  for (const [query, fault] of faults) {
    const reply = await service.request("GET", `/v1/links?${query}`, { headers });
    assert.equal(reply.status, 400, query);
    assert.match(reply.json<{ detail: string }>().detail, fault);
  }
});

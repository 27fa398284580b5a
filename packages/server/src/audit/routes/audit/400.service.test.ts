import assert from "node:assert/strict";
import { test } from "node:test";
import { startSample } from "@sightline/test-kit/sample-account.ts";

const faults = [
  ["action=deleted", /^The query parameter action must be one of workspace.applied, key.created/],
  ["from=yesterday", /^The query parameter from must be an instant such as 2026-01-20T09:00:00Z/],
  ["to=2026-13-01T00:00:00Z", /^The query parameter to must be an instant/],
  ["limit=0", /^The query parameter limit must be between 1 and 100, got "0"/],
  ["limit=101", /between 1 and 100/],
  ["cursor=0", /^The query parameter cursor is not a cursor of this list/],
  ["cursor=1e3", /is not a cursor/],
  ["actor=ann", /^"actor" is not a known query parameter. Known: action, actorId, subject/],
  ["subject=a&subject=b", /^The query parameter subject must be there once/],
] as const;

test("a parameter that is none of the list's is refused, with what it must be", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  for (const [query, fault] of faults) {
    const reply = await service.request("GET", `/v1/audit?${query}`, { headers });
    assert.equal(reply.status, 400, query);
    assert.match(reply.json<{ detail: string }>().detail, fault);
  }
});

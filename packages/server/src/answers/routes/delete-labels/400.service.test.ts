import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("a removal says whose labels, or of which answer, and nothing else", async () => {
  const { service, accountId } = await sharedSample();
  const token = await service.session(accountId, ["import"]);
  const headers = { authorization: `Bearer ${token}` };
  for (const [query, fault] of [
    ["", /^Give answerId, labeller, or both/],
    ["?limit=3", /"limit" is not a known query parameter/],
    ["?answerId=all", /must be a UUID/],
  ] as const) {
    const reply = await service.request("DELETE", `/v1/labels${query}`, { headers });
    assert.equal(reply.status, 400, query);
    assert.match(reply.json<{ detail: string }>().detail, fault);
  }
});

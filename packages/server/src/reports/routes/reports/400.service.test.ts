import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const faults = [
  ["?limit=0", /^The query parameter limit must be between 1 and 100, got "0"/],
  ["?cursor=1", /^The query parameter cursor is not a cursor of this list/],
  ["?report=a", /^"report" is not a known query parameter. Known: name, limit, cursor/],
  [`/${randomUUID()}/html?asMade=1`, /^The query parameter asMade must be true or false, got "1"/],
] as const;

test("a parameter that is none of the list's is refused, with what it must be", async () => {
  const service = await sharedService();
  const accountId = await service.apply({ account: { name: "Reporting faults" }, brand: "Acme" });
  const headers = { authorization: `Bearer ${await service.session(accountId)}` };
  for (const [query, fault] of faults) {
    const reply = await service.request("GET", `/v1/reports${query}`, { headers });
    assert.equal(reply.status, 400, query);
    assert.match(reply.json<{ detail: string }>().detail, fault);
  }
});

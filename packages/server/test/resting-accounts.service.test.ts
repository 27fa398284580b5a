import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { openFilesBelow } from "@sightline/test-kit/engines/open-files.ts";
import { sampleAnswers, sampleRange, sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";

const path = "/v1/analytics/brands/mentions";
const body = { interval: "daily", filters: { timeRange: sampleRange } };
const accountIds = [1, 2, 3, 4].map((n) => `cccccccc-0000-4000-8000-00000000000${n}`);

/** DuckDB files that this process has open below a folder. */
function openFacts(folder: string): number {
  return openFilesBelow(folder).filter((file) => file.endsWith("facts.duckdb")).length;
}

test("accounts that were not asked for longest rest, and wake when they are", async (t) => {
  const service = await TestService.start({ settings: { openAccounts: "2" } });
  t.after(() => service.close());
  const tokens = new Map<string, string>();
  for (const id of accountIds) {
    await service.apply({ ...sampleWorkspace, account: { id, name: id } });
    await service.import(id, sampleAnswers);
    tokens.set(id, await service.session(id));
  }
  const replies = new Set<string>();
  for (const id of [...accountIds, ...accountIds.toReversed()]) {
    const reply = await service.post(path, { token: tokens.get(id) ?? "", body });
    assert.equal(reply.status, 200);
    replies.add(reply.body);
  }
  assert.equal(replies.size, 1);
  const both = accountIds.map((id) => service.post(path, { token: tokens.get(id) ?? "", body }));
  for (const reply of await Promise.all(both)) assert.equal(reply.status, 200);

  const [awake = ""] = accountIds;
  await service.import(awake, [{ ...sampleAnswers[0], sample: 1 }]);
  const { dataDir } = service.services.config;
  await until("only two are open", () => (openFacts(dataDir) <= 2 ? true : null));
  assert.ok(openFacts(dataDir) >= 1);
});

test("no more than may stay open are open after a start", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const settings = { openAccounts: "2" };
  const first = await TestService.start({ dataDir, settings });
  for (const id of accountIds) {
    await first.apply({ ...sampleWorkspace, account: { id, name: id } });
    await first.import(id, sampleAnswers);
  }
  await first.close();
  const second = await TestService.start({ dataDir, settings });
  t.after(() => second.close());
  await Promise.all(accountIds.map((id) => second.settle(id)));
  await until("only two are open", () => (openFacts(dataDir) <= 2 ? true : null));
});

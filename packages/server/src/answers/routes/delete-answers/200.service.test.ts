import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeleteAnswersRequest, DeleteAnswersResponse } from "@sightline/contract";
import { correctableAccount, everything } from "@sightline/test-kit/correctable-account.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const service = await sharedService();

test("answers are counted first, then removed, by filters and by id", async () => {
  const { accountId, remove } = await correctableAccount(service, "Removed", 30);
  const asked = async (request: DeleteAnswersRequest) => {
    const { factsCurrent, ...counts } = (await remove(request)).json<DeleteAnswersResponse>();
    assert.equal(factsCurrent, true);
    return counts;
  };
  const grok = { ...everything, providers: ["GROK" as const] };
  const { matched } = await asked({ filters: grok, dryRun: true });
  assert.ok(matched > 0 && matched < 30);
  assert.deepEqual(await asked({ filters: grok, dryRun: false }), { matched, deleted: matched });
  const left = await service.services.answers.read(accountId, { after: 0, limit: 99 });
  assert.equal(left.length, 30 - matched);
  const ids = left.slice(0, 2).map(({ id }) => id.toUpperCase());
  assert.deepEqual(await asked({ ids, dryRun: true }), { matched: 2, deleted: 0 });
  assert.deepEqual(await asked({ ids, dryRun: false }), { matched: 2, deleted: 2 });
  assert.deepEqual(await asked({ ids, dryRun: false }), { matched: 0, deleted: 0 });
});

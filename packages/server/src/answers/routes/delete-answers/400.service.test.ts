import assert from "node:assert/strict";
import { test } from "node:test";
import { correctableAccount, everything } from "@sightline/test-kit/correctable-account.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const service = await sharedService();

test("what is not said exactly removes nothing", async () => {
  const { accountId, remove, list } = await correctableAccount(service, "Careful", 3);
  const bodies: readonly unknown[] = [
    ...[{}, { dryRun: false }, { ids: [], dryRun: false }, { ids: ["x"], dryRun: false }],
    ...[{ filters: everything }, { filters: {}, dryRun: false }],
    { filters: everything, ids: [(await list())[0]?.id], dryRun: false },
    { filters: everything, dryRun: "no" },
  ];
  for (const body of bodies) assertProblem(await remove(body), "invalid_request");
  assert.equal((await service.services.answers.end(accountId)).sequence, 3);
});

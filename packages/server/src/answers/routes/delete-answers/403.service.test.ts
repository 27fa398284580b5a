import assert from "node:assert/strict";
import { test } from "node:test";
import { deleteAnswersPath, importsPath } from "@sightline/contract";
import { correctableAccount, everything } from "@sightline/test-kit/correctable-account.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const service = await sharedService();

test("a key that reads or imports removes nothing", async () => {
  const { accountId } = await correctableAccount(service, "Scoped", 3);
  for (const scope of ["read", "import"] as const) {
    const token = await service.session(accountId, [scope]);
    const headers = { authorization: `Bearer ${token}` };
    const body = { filters: everything, dryRun: true };
    assertProblem(await service.post(deleteAnswersPath, { token, body }), "scope_missing");
    const undoing = service.request("DELETE", `${importsPath}/x`, { headers });
    assertProblem(await undoing, "scope_missing");
    const list = await service.request("GET", importsPath, { headers });
    if (scope === "read") assertProblem(list, "scope_missing");
    else assert.equal(list.status, 200);
  }
});

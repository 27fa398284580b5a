import assert from "node:assert/strict";
import { test } from "node:test";
import { correctableAccount } from "@sightline/test-kit/correctable-account.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const service = await sharedService();

test("an unknown import, and that of another account, is not found", async () => {
  const { undo } = await correctableAccount(service, "Not undone", 3);
  const other = await correctableAccount(service, "Not theirs", 3);
  assertProblem(await undo("x"), "not_found");
  const [foreign] = await other.list();
  assertProblem(await undo(foreign?.id ?? ""), "not_found");
  assert.equal((await service.services.answers.end(other.accountId)).sequence, 3);
});

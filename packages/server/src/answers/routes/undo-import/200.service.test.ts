import assert from "node:assert/strict";
import { test } from "node:test";
import type { UndoneImportResponse } from "@sightline/contract";
import { correctableAccount } from "@sightline/test-kit/correctable-account.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const service = await sharedService();

test("an import is undone, and said to be undone", async () => {
  const { list, undo, count } = await correctableAccount(service, "Undone", 40);
  assert.ok((await count()) > 0);
  const { id = "" } = (await list())[0] ?? {};
  const undone = await undo(id.toUpperCase());
  assert.deepEqual(undone.json<UndoneImportResponse>(), { deleted: 40, factsCurrent: true });
  assert.equal(await count(), 0);
  assert.equal(typeof (await list())[0]?.undoneAt, "string");
  assert.equal((await undo(id)).json<UndoneImportResponse>().deleted, 0);
});

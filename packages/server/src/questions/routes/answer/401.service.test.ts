import { test } from "node:test";
import { sampleAnswerId } from "../../../../test/sample-account.ts";
import { assertSessionEnds, assertSessionWanted } from "../../../../test/session-refusals.ts";
import { sharedSample } from "../../../../test/shared-sample.ts";

async function request() {
  const { accountId } = await sharedSample();
  return { path: `/v1/answers/${sampleAnswerId(accountId, 0)}`, good: null };
}

test("an answer wants a session", async () => assertSessionWanted(await request()));
test("an answer takes a session until it ends or its key is revoked", async (t) =>
  assertSessionEnds(t, await request()));

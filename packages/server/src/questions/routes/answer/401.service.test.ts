import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";
import { sampleAnswerId } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

async function request() {
  const { accountId } = await sharedSample();
  return { path: `/v1/answers/${sampleAnswerId(accountId, 0)}`, good: null };
}

test("an answer wants a session", async () => assertSessionWanted(await request()));
test("an answer takes a session until it ends or its key is revoked", async (t) =>
  assertSessionEnds(t, await request()));

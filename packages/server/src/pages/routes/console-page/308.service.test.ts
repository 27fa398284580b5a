import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("addresses that people try lead to the console", async () => {
  const { service } = await sharedSample();
  for (const path of ["/console", "/console/"]) {
    const { status, headers } = await service.request("GET", path);
    assert.deepEqual([status, headers["location"]], [308, "/"]);
  }
});

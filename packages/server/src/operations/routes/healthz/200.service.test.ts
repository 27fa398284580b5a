import assert from "node:assert/strict";
import { test } from "node:test";
import { TestService } from "@sightline/test-kit/test-service.ts";

test("the process is alive, whatever its data are", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const reply = await service.request("GET", "/healthz");
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json(), { status: "alive" });
});

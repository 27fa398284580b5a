import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "../../../../test/problem-shape.ts";
import { TestService } from "../../../../test/test-service.ts";

test("a browser that opens the service's address gets to the API page", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const { status, headers } = await service.request("GET", "/", { headers: { accept } });
  assert.deepEqual([status, headers["location"], headers["vary"]], [303, "/docs", "Accept"]);
});

test("a program that asks there learns that nothing is", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const headers of [{}, { accept: "application/json" }, { accept: "*/*" }]) {
    assertProblem(await service.request("GET", "/", { headers }), "not_found");
  }
});

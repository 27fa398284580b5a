import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "../../../../test/problem-shape.ts";
import { TestService } from "../../../../test/test-service.ts";

const moved = {
  "/docs/": "/docs",
  "/docs/guide": "/docs/guide/README",
  "/docs/guide/": "/docs/guide/README",
  "/docs/errors": "/docs/errors/README",
  "/docs/errors/": "/docs/errors/README",
  "/docs/metrics": "/docs/guide/README",
  "/docs/metrics/": "/docs/guide/README",
  "/docs/guide/start/": "/docs/guide/start",
  "/docs/metrics/rank/": "/docs/metrics/rank",
  "/docs/errors/rate_limited/": "/docs/errors/rate_limited",
};

test("folders and trailing slashes lead to their pages", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const [path, page] of Object.entries(moved)) {
    const { status, headers } = await service.request("GET", path);
    assert.deepEqual([status, headers["location"]], [308, page], path);
    assert.equal((await service.request("GET", page)).status, 200, page);
  }
});

test("a trailing slash makes no page of what is none", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const path of ["/docs/guide/none/", "/docs/guide/%2f%2fa.example/", "/docs/other/"]) {
    assertProblem(await service.request("GET", path), "not_found");
  }
});

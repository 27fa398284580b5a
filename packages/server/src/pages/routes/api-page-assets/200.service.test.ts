import assert from "node:assert/strict";
import { test } from "node:test";
import { TestService } from "@sightline/test-kit/test-service.ts";

test("everything that a page names is there, with its type", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const { body } = await service.request("GET", "/docs/guide/start", {
    headers: { accept: "text/html" },
  });
  const names = [...body.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  const types = await Promise.all(
    names.map(async (path) => {
      const { status, headers } = await service.request("GET", path);
      return [status, headers["content-type"]];
    }),
  );
  assert.deepEqual(types, [
    [200, "image/svg+xml"],
    [200, "text/css; charset=utf-8"],
    [200, "text/javascript; charset=utf-8"],
    [200, "text/javascript; charset=utf-8"],
  ]);
});

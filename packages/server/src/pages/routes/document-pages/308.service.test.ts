import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

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
  ...Object.fromEntries(
    ["openai", "anthropic", "gemini", "perplexity", "grok"].map((name) => [
      `/docs/guide/collection-${name}`,
      `/docs/guide/collection-providers#${name}`,
    ]),
  ),
  "/docs/guide/collection-google-ai-mode": "/docs/guide/collection-page-vendors",
  "/docs/guide/collection-google-ai-overview": "/docs/guide/collection-page-vendors",
  "/docs/guide/collection-copilot": "/docs/guide/collection-page-vendors",
  "/docs/guide/notebook": "/docs/guide/other-tools#a-notebook",
  "/docs/guide/grafana": "/docs/guide/other-tools#grafana",
  "/docs/guide/postman": "/docs/guide/other-tools#postman",
  "/docs/guide/generated-clients": "/docs/guide/other-tools#generated-clients",
};

test("folders, trailing slashes and merged pages lead to their pages", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const [path, page] of Object.entries(moved)) {
    const { status, headers } = await service.request("GET", path);
    assert.deepEqual([status, headers["location"]], [308, page], path);
    const [address = "", anchor] = page.split("#");
    const reply = await service.request("GET", address, { headers: { accept: "text/html" } });
    assert.equal(reply.status, 200, page);
    assert.ok(anchor === undefined || reply.body.includes(` id="${anchor}"`), page);
  }
});

test("a trailing slash makes no page of what is none", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const path of ["/docs/guide/none/", "/docs/guide/%2f%2fa.example/", "/docs/other/"]) {
    assertProblem(await service.request("GET", path), "not_found");
  }
});

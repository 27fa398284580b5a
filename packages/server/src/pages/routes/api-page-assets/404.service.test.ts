import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const tricks = [
  "scalar.js",
  "scalar-0000000000000000.js",
  "standalone.js",
  "..%2f..%2fpackage.json",
  "%2e%2e",
  "__proto__",
  "",
];

test("there is no asset but those that the pages name", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const url = await service.listen();
  for (const trick of tricks) {
    const head = `GET /docs/assets/${trick} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const problem = assertProblem(await rawReply(url, head), "not_found");
    assert.ok(problem.detail.length <= 200, trick);
  }
});

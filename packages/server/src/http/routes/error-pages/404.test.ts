import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "../../../../test/problem-shape.ts";
import { rawReply } from "../../../../test/raw-request.ts";
import { TestService } from "../../../../test/test-service.ts";

const tricks = [
  "none",
  "__proto__",
  "constructor",
  "NOT_FOUND",
  "not_found.md",
  "..%2f..%2fpackage.json",
  "..%5c..%5cpackage.json",
  "%2e%2e",
  "not_found%00",
  "not_found%0a",
  "%",
  "%ff",
  "a".repeat(101),
  "a".repeat(5_000),
];

test("there is no page but those of the closed list", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const url = await service.listen();
  for (const trick of tricks) {
    const head = `GET /docs/errors/${trick} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const problem = assertProblem(await rawReply(url, head), "not_found");
    assert.ok(problem.detail.length <= 200, `${problem.detail.length} characters for ${trick}`);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";

test("no body is wrong, only HTTP itself can be", async (t) => {
  const { service, accountId } = await startSample(t);
  const url = await service.listen();
  const key = await service.key(accountId);
  const ask = (...lines: readonly string[]) => {
    const head = [
      "POST /v1/auth/accesskey/exchange HTTP/1.1",
      "Host: sightline",
      "Connection: close",
      `Authorization: Bearer ${key}`,
    ];
    return rawReply(url, [...head, ...lines].join("\r\n"));
  };
  assert.equal((await ask("", "")).status, 200);
  assert.equal((await ask("Content-Length: 1", "", "[")).status, 200);
  const malformed = {
    "a length below nothing": ["Content-Length: -1", "", ""],
    "two lengths": ["Content-Length: 1", "Content-Length: 2", "", "[]"],
    "a length and chunks": ["Content-Length: 1", "Transfer-Encoding: chunked", "", "0", "", ""],
    "a chunk without a size": ["Transfer-Encoding: chunked", "", "zz", ""],
    "a second host": ["Host: other", "", ""],
    "a line's end in a field": ["X-Field: a\rb", "", ""],
    "a NUL in a field": ["X-Field: \0", "", ""],
    "a space before the colon": ["X-Field : a", "", ""],
  };
  for (const [what, lines] of Object.entries(malformed)) {
    await t.test(what, async () => {
      assertProblem(await ask(...lines), "malformed_http");
    });
  }
});

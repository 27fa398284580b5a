import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const tricks = ["none", "start.md", "..%2f..%2fREADME", "%2e%2e%2fmetrics%2frank", "toString"];

const codeTricks = [
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

test("there is no page but those of the folders", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const url = await service.listen();
  const paths = [
    ...tricks.flatMap((name) => [`/docs/guide/${name}`, `/docs/metrics/${name}`]),
    ...codeTricks.map((name) => `/docs/errors/${name}`),
  ];
  for (const path of [...paths, "/docs/decisions/README", "/docs/other/start"]) {
    const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const { detail } = assertProblem(await rawReply(url, head), "not_found");
    assert.ok(detail.length <= 200, path);
  }
});

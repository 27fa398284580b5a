import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openApiDocument } from "@sightline/contract";
import { TestService } from "@sightline/test-kit/test-service.ts";

test("the document of the contract, to anybody, and the file in the repository", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const reply = await service.request("GET", "/openapi.json");
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  assert.deepEqual(reply.json(), JSON.parse(JSON.stringify(openApiDocument())));
  const written = `${JSON.stringify(reply.json(), null, 2)}\n`;
  const file = readFileSync(new URL("../../../../../../openapi.json", import.meta.url), "utf8");
  const isSame = file === written;
  assert.ok(isSame, "openapi.json is not what is served. `tasks/openapi` rewrites it.");
});

type Method = "GET" | "POST" | "PUT" | "DELETE";

test("every operation of the document is served", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const document = openApiDocument() as { readonly paths: Readonly<Record<string, object>> };
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      const { status } = await service.request(method.toUpperCase() as Method, path);
      assert.ok(status === 415 || status === 401, `${path} gives ${status}`);
    }
  }
});

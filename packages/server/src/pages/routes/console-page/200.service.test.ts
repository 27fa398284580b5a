import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { documentsWithConsole } from "@sightline/test-kit/console-page.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
  "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

test("the service's address is the console, once it is built", async (t) => {
  const folder = temporaryFolder();
  const documents = documentsWithConsole(join(folder, "dist"));
  const service = await TestService.start({ documents });
  t.after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });
  const plain = await service.request("GET", "/");
  assert.equal(plain.status, 200);
  assert.match(plain.body, /The console is not built here.*<code>\.\/tasks\/setup<\/code>/s);
  assert.equal(plain.headers["content-security-policy"], policy);

  mkdirSync(documents.console);
  const html = '<!doctype html><script type="module" src="/console/assets/main-a.js"></script>';
  writeFileSync(join(documents.console, "index.html"), html);
  for (const accept of ["text/html", "application/json", "*/*"]) {
    const { status, headers, body } = await service.request("GET", "/", { headers: { accept } });
    assert.deepEqual([status, body], [200, html]);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.equal(headers["content-security-policy"], policy);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["cache-control"], "no-cache");
    const known = { headers: { "if-none-match": String(headers["etag"]) } };
    assert.equal((await service.request("GET", "/", known)).status, 304);
  }
  const head = await service.request("HEAD", "/");
  assert.deepEqual([head.status, head.body], [200, ""]);
  const deep = await service.request("GET", "/?view=sources&from=2026-01-01");
  assert.equal(deep.body, html);
});

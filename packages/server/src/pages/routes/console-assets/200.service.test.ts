import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { documentsWithConsole } from "@sightline/test-kit/console-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";

const types = {
  "main-a1.js": "text/javascript; charset=utf-8",
  "main-b2.css": "text/css; charset=utf-8",
  "icon-c3.svg": "image/svg+xml",
  "dots-d4.png": "image/png",
  "text-e5.woff2": "font/woff2",
};

test("files of the build have their types, and nothing beside them is served", async (t) => {
  const folder = temporaryFolder();
  const assets = join(folder, "assets");
  mkdirSync(assets);
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "secret.js"), "secret");
  const long = "/* console */".repeat(1_000);
  for (const name of Object.keys(types)) writeFileSync(join(assets, name), `${name} ${long}`);
  for (const name of ["main-a1.js.map", "stamp", ".env"]) writeFileSync(join(assets, name), "x");
  symlinkSync(join(folder, "secret.js"), join(assets, "link"));
  const service = await TestService.start({ documents: documentsWithConsole(folder) });
  t.after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });
  for (const [name, type] of Object.entries(types)) {
    const url = `/console/assets/${name}`;
    const { status, headers, body } = await service.request("GET", url);
    assert.deepEqual([status, body], [200, `${name} ${long}`]);
    assert.equal(headers["content-type"], type);
    assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(headers["x-content-type-options"], "nosniff");
    const coded = { url, headers: { "accept-encoding": "gzip" } };
    const { rawPayload } = await service.app.inject(coded);
    assert.equal(gunzipSync(rawPayload).toString(), body);
  }
  const traversals = ["../secret.js", "..%2fsecret.js", "%2e%2e%2fsecret.js", "..%5csecret.js"];
  const others = ["none-f6.js", "main-a1.js.map", "stamp", ".env", "link", "", "__proto__"];
  for (const name of [...traversals, ...others]) {
    assertProblem(await service.request("GET", `/console/assets/${name}`), "not_found");
  }
});

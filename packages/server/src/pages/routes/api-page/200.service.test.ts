import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

/** Folders of documents with one guide and, when given, a library; the test's end removes them. */
function documentsWith(t: { after: (hook: () => void) => void }, library: string | null) {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const pages = join(folder, "pages");
  mkdirSync(join(pages, "guide"), { recursive: true });
  writeFileSync(join(pages, "guide/start.md"), "# Start & <go>\n");
  const apiPage = join(folder, "api-page");
  mkdirSync(apiPage);
  if (library !== null) writeFileSync(join(apiPage, "standalone.js"), library);
  return { pages, apiPage, console: join(folder, "console") };
}

test("the page loads scripts of this service alone, under a policy that says so", async (t) => {
  const service = await TestService.start({ documents: documentsWith(t, "// library") });
  t.after(() => service.close());
  const { status, headers, body } = await service.request("GET", "/docs");
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "text/html; charset=utf-8");
  assert.equal(headers["content-security-policy"], policy);
  assert.equal(headers["cache-control"], "no-cache");
  const scripts = [...body.matchAll(/<script ([^>]*)>([^<]*)</g)].map(([, how, text]) => {
    assert.equal(text, "", "no script stands in the page itself");
    return how?.replace(/-[0-9a-f]{16}/, "-HASH");
  });
  assert.deepEqual(scripts, [
    'src="/docs/assets/theme-HASH.js"',
    'src="/docs/assets/pages-HASH.js" defer',
    'src="/docs/assets/api-HASH.js" defer',
    'src="/docs/assets/scalar-HASH.js" defer',
  ]);
  assert.doesNotMatch(body, /https?:\/\/|style=|\son\w+=/);
});

test("what a caller has already is not sent again", async (t) => {
  const service = await TestService.start({ documents: documentsWith(t, "// library") });
  t.after(() => service.close());
  const { headers } = await service.request("GET", "/docs");
  const tag = String(headers["etag"]);
  for (const known of [tag, `"other", ${tag}`, tag.replace("W/", ""), "*"]) {
    const again = await service.request("GET", "/docs", { headers: { "if-none-match": known } });
    assert.deepEqual([again.status, again.body, again.headers["etag"]], [304, "", tag], known);
    // A cache would take it for the page's own (RFC 9110, 8.6).
    assert.equal(again.headers["content-length"], undefined, known);
  }
  const other = await service.request("GET", "/docs", { headers: { "if-none-match": '"other"' } });
  assert.equal(other.status, 200);
});

test("without its library the page says so, and leads to the guides", async (t) => {
  const service = await TestService.start({ documents: documentsWith(t, null) });
  t.after(() => service.close());
  const { status, headers, body } = await service.request("GET", "/docs");
  assert.equal(status, 200);
  assert.equal(headers["content-security-policy"], policy);
  assert.match(body, /The API page is not installed here/);
  assert.match(body, /<a href="\/openapi.json">/);
  assert.match(body, /<a href="\/docs\/guide\/README">/);
  const start = await service.request("GET", "/docs/guide/start", {
    headers: { accept: "text/html" },
  });
  assert.match(start.body, /<h1 id="start--go">Start &amp; &lt;go&gt;<\/h1>/);
  assert.doesNotMatch(body, /assets\/(scalar|api)/);
});

test("what it loads is compressed, tagged, and kept for ever by its name", async (t) => {
  const library = `// ${"library ".repeat(10_000)}`;
  const service = await TestService.start({ documents: documentsWith(t, library) });
  t.after(() => service.close());
  const url = await service.listen();
  const [path = ""] = /\/docs\/assets\/scalar-[0-9a-f]{16}\.js/.exec(
    await (await fetch(`${url}/docs`)).text(),
  ) ?? [""];
  const plain = await service.request("GET", path);
  assert.equal(plain.body, library);
  assert.equal(plain.headers["content-type"], "text/javascript; charset=utf-8");
  assert.equal(plain.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(plain.headers["x-content-type-options"], "nosniff");
  assert.equal(plain.headers["vary"], "Accept-Encoding");
  const packed = await service.app.inject({
    url: path,
    headers: { "accept-encoding": "gzip, br" },
  });
  assert.equal(packed.headers["content-encoding"], "gzip");
  assert.equal(packed.headers["etag"], plain.headers["etag"]);
  assert.equal(gunzipSync(packed.rawPayload).toString(), library);
  assert.ok(packed.rawPayload.length < library.length / 50);
});

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TestService } from "../../../../test/test-service.ts";
import type { IndexedPage } from "../../documents/search-index.ts";

const docs = join(import.meta.dirname, "../../../../../../docs");

/** Addresses of all pages that are served. */
const pages = ["guide", "metrics", "errors"].flatMap((section) =>
  readdirSync(join(docs, section))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `/docs/${section}/${file.slice(0, -3)}`),
);

test("a browser gets every page as HTML, whose links and anchors all lead to pages", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const texts = new Map<string, string>();
  for (const path of pages) {
    const { status, headers, body } = await service.request("GET", path, { headers: html });
    assert.equal(status, 200, path);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.equal(
      headers["content-security-policy"],
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; " +
        "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    assert.equal(headers["vary"], "Accept, Accept-Encoding");
    assert.match(body, /<main class="page" id="content">\n<h1 id="[^"]+">.+<\/h1>/, path);
    assert.match(body, /<title>[^<]+<\/title>/, path);
    texts.set(path, body);
  }
  let links = 0;
  for (const [path, body] of texts) {
    for (const [, href = ""] of body.matchAll(/<a href="([^"]*)"/g)) {
      if (/^https:/.test(href)) continue;
      const [page = "", anchor] = href.split("#");
      const aim = texts.get(page === "" ? path : page);
      if (aim === undefined) {
        assert.ok(["/", "/docs", "/openapi.json"].includes(page), `${path} leads to ${href}`);
      } else if (anchor !== undefined) {
        assert.ok(aim.includes(` id="${anchor}"`), `${path} leads to ${href}`);
      }
      links += 1;
    }
  }
  assert.ok(links > 200, `${links} links`);
});

test("pages follow each other in one order, which the side bar of each has", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const read = async (path: string) => {
    const { body } = await service.request("GET", path, { headers: { accept: "text/html" } });
    const side = body.slice(body.indexOf('<nav class="side"'), body.indexOf("<main"));
    const listed = [...side.matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => href);
    const [, next] = /rel="next" href="([^"]+)"/.exec(body) ?? [];
    const [, before] = /rel="prev" href="([^"]+)"/.exec(body) ?? [];
    const [, current] = /<li><a href="([^"]+)" aria-current="page"/.exec(side) ?? [];
    return { listed, next, before, current };
  };
  const order: string[] = [];
  for (let path: string | undefined = "/docs/guide/README"; path !== undefined; ) {
    const { listed, next, before, current } = await read(path);
    assert.deepEqual([current, before], [path, order.at(-1)]);
    order.push(path);
    assert.equal(listed[order.length], next);
    path = next;
  }
  assert.deepEqual(order.toSorted(), pages.toSorted());
  assert.deepEqual(order.slice(0, 3), [
    ...["/docs/guide/README", "/docs/guide/start", "/docs/guide/console"],
  ]);
});

test("the search's index leads to every section", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const { body } = await service.request("GET", pages[0] ?? "", {
    headers: { accept: "text/html" },
  });
  const [, path = ""] = /data-index="([^"]+)"/.exec(body) ?? [];
  const index = (await service.request("GET", path)).json<readonly IndexedPage[]>();
  assert.deepEqual(index.map((each) => each.path).toSorted(), pages.toSorted());
  const settings = index.find((each) => each.path === "/docs/guide/settings");
  assert.match(settings?.sections[0]?.[2] ?? "", /\bsightline_trusted_proxies\b/);
  const proxy = index.flatMap(({ sections }) => sections.map(([anchor]) => anchor));
  assert.ok(proxy.includes("behind-a-reverse-proxy"));
});

test("the pages that the OpenAPI document names are there", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const { body } = await service.request("GET", "/openapi.json");
  const named = [...body.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path = ""]) => path);
  assert.ok(named.length >= 7);
  for (const path of named) {
    assert.equal((await service.request("GET", path)).status, 200, path);
  }
});

test("others get Markdown, with links that lead to pages and not to files", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const path of pages) {
    const { status, headers, body } = await service.request("GET", path);
    assert.equal(status, 200, path);
    assert.equal(headers["content-type"], "text/markdown; charset=utf-8");
    const leads = [...body.replace(/`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)];
    for (const [, target = ""] of leads) assert.match(target, /^(\/docs\/|#|https:)/, path);
    assert.doesNotMatch(body, /\]\([^)\s]*\.md[)#]/, path);
  }
});

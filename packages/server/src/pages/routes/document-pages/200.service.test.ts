import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { errorCodes, problemSchema, problemType } from "@sightline/contract";
import { TestService } from "@sightline/test-kit/test-service.ts";

const docs = join(import.meta.dirname, "../../../../../../docs");

/** Addresses of all pages that are served. */
const pages = [
  ...["guide", "metrics"].flatMap((section) =>
    readdirSync(join(docs, section))
      .filter((file) => file.endsWith(".md"))
      .map((file) => `/docs/${section}/${file.slice(0, -3)}`),
  ),
  ...["README", ...Object.keys(errorCodes)].map((code) => `/docs/errors/${code}`),
];

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
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    assert.equal(headers["vary"], "Accept, Accept-Encoding");
    assert.match(body, /<main class="page" id="content">[\s\S]*?<h1 id="[^"]+">.+<\/h1>/, path);
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

test("the side bar lists the guides in reading order, and marks the open page", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const { body } = await service.request("GET", "/docs/guide/import", {
    headers: { accept: "text/html" },
  });
  const side = body.slice(body.indexOf('<nav class="side"'));
  const listed = [...side.matchAll(/<li><a href="([^"]+)"/g)].map(([, href = ""]) => href);
  const codes = Object.keys(errorCodes).map((code) => `/docs/errors/${code}`);
  assert.deepEqual(listed.toSorted(), pages.filter((path) => !codes.includes(path)).toSorted());
  assert.deepEqual(listed.slice(0, 3), [
    ...["/docs/guide/README", "/docs/guide/start", "/docs/guide/console"],
  ]);
  const current = [...side.matchAll(/<li><a href="([^"]+)" aria-current="page"/g)];
  assert.deepEqual(
    current.map(([, href]) => href),
    ["/docs/guide/import"],
  );
});

test("the page of a code says status, cause, example and remedy", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const [code, { status, title }] of Object.entries(errorCodes)) {
    const { body } = await service.request("GET", `/docs/errors/${code}`);
    const [head = "", cause, example, remedy] = body.split(/^## .+\n/m);
    assert.match(head, new RegExp(`^# ${code}\n\nStatus ${status}: ${title}\\.`, "i"));
    for (const part of [cause, remedy]) assert.match(part ?? "", /^\n.{20,}/, code);
    const [, first = "", json = ""] =
      /^```http\n(.+?)\nContent-Type: .+?\n\n(.+?)```/ms.exec(example ?? "") ?? [];
    assert.match(first, new RegExp(`^HTTP/1.1 ${status} [A-Z]\\w+`), code);
    const problem = problemSchema.parse(JSON.parse(json));
    const { type, ...rest } = { ...problem, detail: "", requestId: "", errors: undefined };
    assert.equal(type, problemType(code as keyof typeof errorCodes));
    assert.deepEqual(rest, { title, status, code, detail: "", requestId: "", errors: undefined });
  }
  const { body } = await service.request("GET", "/docs/errors/session_invalid");
  assert.match(body, /\[key_invalid\]\(\/docs\/errors\/key_invalid\)/);
  assert.match(body, /\[console\]\(\/docs\/guide\/console\)/);
  const guide = (await service.request("GET", "/docs/guide/keys-and-sessions")).body;
  assert.match(guide, /\[scope_missing\]\(\/docs\/errors\/scope_missing\)/);
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

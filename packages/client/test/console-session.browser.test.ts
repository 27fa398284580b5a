import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startBrowser, watchedPage } from "@sightline/test-kit/browser.ts";
import { documentsWithConsole } from "@sightline/test-kit/console-page.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { build } from "esbuild";

const entryPoint = fileURLToPath(new URL("browser/console-page.ts", import.meta.url));
const html =
  '<!doctype html><link rel="icon" href="data:,"><script src="/console/assets/page-a.js"></script>';
const accounts = {
  Acme: "cccccccc-0000-4000-8000-000000000001",
  Globex: "cccccccc-0000-4000-8000-000000000002",
};

/** A service whose console is a page that has the functions of browser/console-page.ts. */
async function serviceWithPage(t: TestContext): Promise<TestService> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), html);
  const outfile = join(folder, "assets/page-a.js");
  const bundled = {
    bundle: true,
    format: "iife",
    globalName: "page",
    platform: "browser",
  } as const;
  await build({ entryPoints: [entryPoint], outfile, ...bundled });
  const service = await TestService.start({ documents: documentsWithConsole(folder) });
  t.after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });
  for (const [name, id] of Object.entries(accounts)) {
    await service.apply({ account: { id, name }, brand: { name } });
  }
  return service;
}

/** The service's page at another port: the same site, and another origin. @returns its origin. */
async function serveElsewhere(t: TestContext, service: TestService): Promise<string> {
  const { body: script } = await service.request("GET", "/console/assets/page-a.js");
  const server = createServer((request, reply) => {
    const isScript = request.url === "/console/assets/page-a.js";
    reply.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    reply.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

test("a browser signs in to two accounts, and no script and no other page has them", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's session");
  if (browser === null) return;
  const service = await serviceWithPage(t);
  const origin = await service.listen();
  const { page, foreign, faults } = await watchedPage(browser, { origin, width: 1_280 });
  await page.goto(origin);
  const key = await service.key(accounts.Acme);
  const globex = await service.services.keyRing.create(accounts.Globex, {
    name: "link",
    expiresAt: null,
  });
  const code = service.services.consoleLinks.create(globex.keyId);
  const run = (call: string) => page.evaluate<string>(`page.${call}`);
  assert.equal(await run(`signIn({ key: "${key}" })`), accounts.Acme);
  assert.equal(await run(`signIn({ code: "${code}" })`), accounts.Globex);
  for (const [name, id] of Object.entries(accounts)) {
    assert.equal(await run(`accountName("${id}")`), name);
  }
  assert.equal(await page.evaluate("document.cookie"), "");
  const cookies = await page.context().cookies(`${origin}/console/accounts/${accounts.Acme}/v1`);
  assert.deepEqual(
    cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite })),
    [{ name: `sightline-${accounts.Acme}`, httpOnly: true, sameSite: "Strict" }],
  );
  assert.deepEqual(await page.context().cookies(`${origin}/v1/workspace`), []);

  assert.deepEqual([foreign, faults], [[], []]);

  await page.goto(await serveElsewhere(t, service));
  const url = `${origin}/console/accounts/${accounts.Acme}/v1/workspace`;
  for (const headers of ["{}", '{ "sightline-console": "1" }']) {
    assert.equal(await run(`askFromElsewhere("${url}", ${headers})`), "hidden");
  }
  assert.equal((await page.goto(url))?.status(), 403);

  await page.goto(origin);
  await page.evaluate(`page.signOut("${accounts.Acme}")`);
  assert.equal(await run(`accountName("${accounts.Acme}")`), "signed out");
  assert.equal(await run(`accountName("${accounts.Globex}")`), "Globex");
});

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { sampleRange, sampleSeries, startSample } from "@sightline/test-kit/sample-account.ts";
import { build } from "esbuild";
import type { Seen } from "./browser/page.ts";

const entryPoint = fileURLToPath(new URL("browser/page.ts", import.meta.url));

/** Serves a page that has the functions of browser/page.ts as `page`. @returns its port. */
async function servePage(t: TestContext): Promise<number> {
  const bundled = await build({
    entryPoints: [entryPoint],
    bundle: true,
    format: "iife",
    globalName: "page",
    platform: "browser",
    write: false,
  });
  const script = bundled.outputFiles[0]?.text ?? "";
  const html = '<!doctype html><link rel="icon" href="data:,"><script src="page.js"></script>';
  const server = createServer((request, reply) => {
    const isScript = request.url === "/page.js";
    reply.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    reply.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

test("a page of another origin asks and reads refusals; a foreign one cannot", async (t) => {
  const browser = await startBrowser(t, undefined, "the SDK");
  if (browser === null) return;
  const port = await servePage(t);
  const corsOrigins = `http://127.0.0.1:${port}`;
  const { service, accountId } = await startSample(t, { corsOrigins, rateLimit: "2/s" });
  const baseUrl = await service.listen();
  const options = { baseUrl, key: await service.key(accountId) };
  const page = await browser.newPage();
  /** Calls a function of the page there. */
  const inPage = <Result>(name: string, argument: object | string): Promise<Result> =>
    page.evaluate<Result>(`page.${name}(${JSON.stringify(argument)})`);

  await page.goto(corsOrigins);
  const { mentions, sources } = await inPage<Seen>("ask", options);
  assert.deepEqual(
    mentions,
    sampleSeries({ acme: [1, null, 0], globex: [0.5, null, 0], initech: [0, null, 0] }),
  );
  assert.deepEqual(mentions.timeRange, sampleRange);
  assert.equal(sources.pagination.total, 3);
  assert.match(await inPage("askUnknown", baseUrl), /^req_/);
  const fields = await inPage<string[]>(
    "readableFields",
    `${baseUrl}/v1/analytics/brands/mentions`,
  );
  assert.ok(fields.includes("x-request-id"), fields.join());
  assert.equal(await inPage("askTooOften", options), 1);
  assert.equal(await inPage("isShutOut", options), false);

  // The same page under another name of its host is of another origin.
  await page.goto(`http://localhost:${port}`);
  assert.equal(await inPage("isShutOut", options), true);
});

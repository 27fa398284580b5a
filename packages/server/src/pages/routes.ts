import { openApiDocument, openApiPath } from "@sightline/contract";
import { jsonReply, type OpenOperation, type Reply } from "../http/operation.ts";
import { entityReply } from "../http/static-files.ts";
import { ServiceError } from "../platform/service-error.ts";
import { documentRoutes } from "./document-routes.ts";
import type { PageServices } from "./page-services.ts";

/** What the console may load and run: files of this service, and pictures that it draws itself. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageFields = {
  "Cache-Control": "no-cache",
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY", // for browsers that do not know frame-ancestors
};

/** GET /: the console. */
const pageRoute: OpenOperation<PageServices> = {
  kind: "open",
  method: "GET",
  path: "/",
  reply: async ({ consoleFiles, documents }, _parameters, headers) => {
    const page = await consoleFiles.page();
    if (page !== null) return entityReply(page, headers, pageFields);
    const html = await documents.framed({ title: "Console", area: "none", body: notBuilt });
    const fields = { ...pageFields, "Cache-Control": "no-store" };
    return { contentType: "text/html; charset=utf-8", body: html, headers: fields };
  },
};

/** What stands in where the console was not built. */
const notBuilt = `<main class="page" id="content">
<h1>Sightline</h1>
<p>The console is not built here. In a checkout, run <code>./tasks/setup</code> and reload this
page.</p>
<p>The service itself is complete: see <a href="/docs">the API</a> and
<a href="/docs/guide/README">the guides</a>.</p>
</main>`;

/** Addresses that people try. */
function moved(path: string): OpenOperation<PageServices> {
  const reply: Reply = { status: 308, contentType: "text/plain", body: "" };
  const there = { ...reply, headers: { Location: "/" } };
  return { kind: "open", method: "GET", path, reply: async () => there };
}

/** The console's page, and the addresses that lead to it. */
const consolePageRoutes: readonly OpenOperation<PageServices>[] = [
  pageRoute,
  moved("/console"),
  moved("/console/"),
];

const document = jsonReply(openApiDocument());

/** GET /openapi.json: the OpenAPI 3.1 document. */
const openApiRoute: OpenOperation<PageServices> = {
  kind: "open",
  method: "GET",
  path: openApiPath,
  reply: async () => document,
};

/**
 * What the API page may load and run: files of this service. `style-src` has the one relaxation:
 * the library puts `<style>` elements and `style` attributes into the page, whose texts differ from
 * state to state, so that neither a hash nor a nonce can name them. Scripts have none.
 */
const apiPagePolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

/** GET /docs: the API page, over /openapi.json. */
const apiPageRoute: OpenOperation<PageServices> = {
  kind: "open",
  method: "GET",
  path: "/docs",
  reply: async ({ documents }, _, headers) =>
    entityReply(await documents.apiPage(), headers, {
      "Cache-Control": "no-cache",
      "Content-Security-Policy": apiPagePolicy,
      "Referrer-Policy": "no-referrer",
      "X-Frame-Options": "DENY", // for browsers that do not know frame-ancestors
    }),
};

/** GET /docs/assets/<name>: what the pages load. A name holds a hash, and so never goes stale. */
const apiPageAssetsRoute: OpenOperation<PageServices> = {
  kind: "open",
  method: "GET",
  path: "/docs/assets/:name",
  reply: async ({ documents }, { name = "" }, headers) => {
    const asset = await documents.asset(name);
    if (asset === null) {
      throw new ServiceError("not_found", "No page uses this file. Reload the page.");
    }
    const forever = "public, max-age=31536000, immutable";
    return entityReply(asset, headers, { "Cache-Control": forever });
  },
};

/** GET /console/assets/<name>: what the console loads. A name holds a hash: it never goes stale. */
const consoleAssetsRoute: OpenOperation<PageServices> = {
  kind: "open",
  method: "GET",
  path: "/console/assets/:name",
  reply: async ({ consoleFiles }, { name = "" }, headers) => {
    const asset = await consoleFiles.asset(name);
    if (asset === null) {
      throw new ServiceError("not_found", "The console has no such file. Reload the page.");
    }
    const forever = "public, max-age=31536000, immutable";
    return entityReply(asset, headers, { "Cache-Control": forever });
  },
};

/** The console's files. */
export const consolePageOperations: readonly OpenOperation<PageServices>[] = [
  ...consolePageRoutes,
  consoleAssetsRoute,
];

/** The documents, and the API's description. */
export const pageOperations: readonly OpenOperation<PageServices>[] = [
  openApiRoute,
  apiPageRoute,
  apiPageAssetsRoute,
  ...documentRoutes,
];

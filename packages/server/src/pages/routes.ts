import { openApiDocument, openApiPath } from "@sightline/contract";
import { jsonReply, type OpenOperation, type Reply } from "../http/operation.ts";
import { entityReply, pageFields, wantsPage } from "../http/static-files.ts";
import { ServiceError } from "../platform/service-error.ts";
import type { ConsoleFiles } from "./console-files.ts";
import type { DocumentPage, Documents } from "./documents.ts";

/** What pages are made of. */
export interface PageServices {
  readonly documents: Documents;
  readonly consoleFiles: ConsoleFiles;
}

const guides = "/docs/guide/README";

/** Addresses of folders, and of pages that became parts of others. */
const movedPages: Readonly<Record<string, string>> = {
  "/docs/": "/docs",
  "/docs/guide": guides,
  "/docs/guide/": guides,
  "/docs/metrics": guides,
  "/docs/metrics/": guides,
  "/docs/errors": "/docs/errors/README",
  "/docs/errors/": "/docs/errors/README",
  "/docs/guide/collection-openai": "/docs/guide/collection-providers#openai",
  "/docs/guide/collection-anthropic": "/docs/guide/collection-providers#anthropic",
  "/docs/guide/collection-gemini": "/docs/guide/collection-providers#gemini",
  "/docs/guide/collection-perplexity": "/docs/guide/collection-providers#perplexity",
  "/docs/guide/collection-grok": "/docs/guide/collection-providers#grok",
  "/docs/guide/collection-google-ai-mode": "/docs/guide/collection-page-vendors",
  "/docs/guide/collection-google-ai-overview": "/docs/guide/collection-page-vendors",
  "/docs/guide/collection-copilot": "/docs/guide/collection-page-vendors",
  "/docs/guide/grafana": "/docs/guide/other-tools#grafana",
  "/docs/guide/notebook": "/docs/guide/other-tools#a-notebook",
  "/docs/guide/postman": "/docs/guide/other-tools#postman",
  "/docs/guide/generated-clients": "/docs/guide/other-tools#generated-clients",
};

/** The pages of docs/, and addresses that lead to them. */
const documentRoutes: readonly OpenOperation<PageServices>[] = [
  ...Object.entries(movedPages).map(([path, location]) =>
    route(path, async () => redirect(location)),
  ),
  ...pageRoutes("guide", "page"),
  ...pageRoutes("metrics", "page"),
  ...pageRoutes("errors", "code"),
];

function route(
  path: string,
  reply: OpenOperation<PageServices>["reply"],
): OpenOperation<PageServices> {
  return { kind: "open", method: "GET", path, reply };
}

/** A section's pages: HTML for callers that accept that, as browsers do, else Markdown. */
function pageRoutes(section: string, parameter: string): readonly OpenOperation<PageServices>[] {
  const path = `/docs/${section}/:${parameter}`;
  const pathOf = (parameters: Readonly<Record<string, string>>) =>
    `/docs/${section}/${parameters[parameter]}`;
  return [
    route(path, async ({ documents }, parameters, headers) => {
      const page = await existing(documents, pathOf(parameters));
      const isHtml = wantsPage(headers);
      return entityReply(isHtml ? page.html : page.markdown, headers, {
        "Cache-Control": "no-cache",
        Vary: "Accept",
        ...(isHtml ? pageFields : {}),
      });
    }),
    route(`${path}/`, async ({ documents }, parameters) => {
      // Only a page that exists is named in Location, which a caller could otherwise choose.
      await existing(documents, pathOf(parameters));
      return redirect(pathOf(parameters));
    }),
  ];
}

async function existing(documents: Documents, path: string): Promise<DocumentPage> {
  const page = await documents.page(path);
  if (page !== null) return page;
  throw new ServiceError("not_found", `No such page. ${guides} lists all pages.`);
}

function redirect(location: string): Reply {
  return { status: 308, contentType: "text/plain", body: "", headers: { Location: location } };
}

/** What the console may load and run: files of this service, and pictures that it draws itself. */
const consolePolicy = [
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

const consoleFields = {
  "Cache-Control": "no-cache",
  "Content-Security-Policy": consolePolicy,
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
    if (page !== null) return entityReply(page, headers, consoleFields);
    const html = await documents.framed({ title: "Console", area: "none", body: notBuilt });
    const fields = { ...consoleFields, "Cache-Control": "no-store" };
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

/** The console's page, the addresses that people try for it, and its files. */
export const consolePageOperations: readonly OpenOperation<PageServices>[] = [
  pageRoute,
  ...["/console", "/console/"].map((path) => route(path, async () => redirect("/"))),
  consoleAssetsRoute,
];

/** The documents, and the API's description. */
export const pageOperations: readonly OpenOperation<PageServices>[] = [
  openApiRoute,
  apiPageRoute,
  apiPageAssetsRoute,
  ...documentRoutes,
];

import { entityReply } from "../../../http/entity-reply.ts";
import type { OpenRoute, Reply } from "../../../http/route.ts";

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
const pageRoute: OpenRoute = {
  access: "open",
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
function moved(path: string): OpenRoute {
  const reply: Reply = { status: 308, contentType: "text/plain", body: "" };
  const there = { ...reply, headers: { Location: "/" } };
  return { access: "open", method: "GET", path, reply: async () => there };
}

/** The console's page, and the addresses that lead to it. */
export const consolePageRoutes: readonly OpenRoute[] = [
  pageRoute,
  moved("/console"),
  moved("/console/"),
];

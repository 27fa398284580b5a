import { escaped } from "./markdown-to-html.ts";

/** The addresses of what a page is made of. */
export interface AssetPaths {
  readonly library: string;
  readonly settings: string;
  readonly style: string;
  readonly icon: string;
}

/**
 * What the API page may load and run: files of this service. `style-src` has the one relaxation:
 * the library puts `<style>` elements and `style` attributes into the page, whose texts differ from
 * state to state, so that neither a hash nor a nonce can name them. Scripts have none.
 */
export const apiPagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The script that sets the library up; it runs before the library, which is deferred. All that
 * would leave this service is off: fonts, measuring, the assistant, the proxy, links to accounts.
 */
export const apiPageSettings = `"use strict";
// The library's validation would try eval, which the page's policy forbids, and go on without.
globalThis.__zod_globalConfig = { jitless: true };
addEventListener("DOMContentLoaded", async () => {
  const content = await (await fetch("/openapi.json")).json();
  // Of a schema with "not" the library shows that instead of the fields. Which filters exclude each
  // other stands in their descriptions too.
  for (const schema of Object.values(content.components.schemas)) delete schema.not;
  Scalar.createApiReference("#reference", {
    content,
    // The document says "/", to which the library would append paths that begin with a slash.
    servers: [{ url: location.origin }],
    proxyUrl: "",
    externalUrls: { dashboardUrl: "", registryUrl: "", proxyUrl: "", apiBaseUrl: "" },
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
    documentDownloadType: "none",
    persistAuth: false,
    orderSchemaPropertiesBy: "preserve",
  });
});
`;

/** The API page, over the library. */
export function apiPage({ library, settings, style, icon }: AssetPaths): string {
  return htmlPage(
    { title: "Sightline API", style, icon },
    `<div id="reference"></div>
<script src="${settings}"></script>
<script src="${library}" defer></script>`,
  );
}

/** The page that stands in where the library is not installed. */
export function plainApiPage({ style, icon }: AssetPaths, guides: readonly PageLink[]): string {
  const items = guides.map(
    ({ path, title }) => `<li><a href="${escaped(path)}">${escaped(title)}</a></li>`,
  );
  return htmlPage(
    { title: "Sightline API", style, icon },
    `<main class="page">
<h1>Sightline API</h1>
<p>The API page is not installed here: the file <code>standalone.js</code> was not found. In a
checkout, delete the folder <code>.tools/api-page</code>, run <code>./tasks/setup</code> where npm
can fetch packages, and start the service again.</p>
<p>The interface itself is described in <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).
These are the guides:</p>
<ul>
${items.join("\n")}
</ul>
</main>`,
  );
}

/** A page's address and title. */
export interface PageLink {
  readonly path: string;
  readonly title: string;
}

/** What a page has in its head. */
interface PageHead extends Pick<AssetPaths, "style" | "icon"> {
  readonly title: string;
}

/** A whole page: a head, the links that all pages have, a body. */
export function htmlPage({ title, style, icon }: PageHead, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${style}">
</head>
<body>
<nav class="pages"><a href="/docs">API</a> <a href="/docs/guide/README">Guides</a>
<a href="/docs/errors/README">Errors</a> <a href="/openapi.json">openapi.json</a></nav>
${body}
</body>
</html>
`;
}

/**
 * The style of the pages. The API page's is the library's, save for the links above, whose height
 * it takes from the variable, and for its title on phones, which would make the page wider.
 */
export const pageStyle = `:root { color-scheme: light dark; --scalar-custom-header-height: 2.5rem; }
body { margin: 0; }
nav.pages { display: flex; gap: 1.25rem; align-items: center; height: 2.5rem; padding: 0 1.25rem;
  box-sizing: border-box; border-bottom: 1px solid #8884; position: sticky; top: 0; z-index: 9;
  font: 0.875rem system-ui, sans-serif; background: Canvas; white-space: nowrap; overflow-x: auto; }
nav.pages a { color: CanvasText; text-decoration: none; }
nav.pages a:hover { text-decoration: underline; }
.t-doc__header span { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.page { max-width: 64rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; overflow-wrap: break-word;
  font: 1rem/1.5 system-ui, sans-serif; }
.page :is(h1, h2, h3) { line-height: 1.25; }
.page :is(pre, table) { overflow-x: auto; }
.page pre { padding: 0.75rem 1rem; background: #8881; border-radius: 4px; }
.page code { font: 0.9em ui-monospace, monospace; }
.page table { display: block; border-collapse: collapse; }
.page :is(th, td) { text-align: left; vertical-align: top; padding: 0.35rem 0.9rem 0.35rem 0;
  border-bottom: 1px solid #8884; min-width: 4rem; }
.page th:empty { padding: 0; border: 0; }
.page > :not(table) { max-width: 46rem; }
@media (max-width: 64rem) { .page :is(th, td) { overflow-wrap: anywhere; } }
`;

/** The pages' icon: three bars. */
export const pageIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<path fill="#2b6cb0" d="M2 9h3v5H2zM6.5 5h3v9h-3zM11 2h3v12h-3z"/></svg>
`;

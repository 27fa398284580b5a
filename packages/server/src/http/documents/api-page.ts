import { escaped } from "./markdown-to-html.ts";
import type { PageLink } from "./page-frame.ts";

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

/** What the API page shows once the library has run. */
export const apiBody = '<div id="reference"></div>';

/** What stands in where the library is not installed. */
export function plainApiBody(guides: readonly PageLink[]): string {
  const items = guides.map(
    ({ path, title }) => `<li><a href="${escaped(path)}">${escaped(title)}</a></li>`,
  );
  return `<main class="page" id="content">
<h1>Sightline API</h1>
<p>The API page is not installed here: the file <code>standalone.js</code> was not found. In a
checkout, delete the folder <code>.tools/api-page</code>, run <code>./tasks/setup</code> where npm
can fetch packages, and start the service again.</p>
<p>The interface itself is described in <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).
These are the guides:</p>
<ul>
${items.join("\n")}
</ul>
</main>`;
}

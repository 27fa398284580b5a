import type { OpenOperation, Reply } from "../http/operation.ts";
import { entityReply, pageFields, wantsPage } from "../http/static-files.ts";
import { ServiceError } from "../platform/service-error.ts";
import type { DocumentPage, Documents } from "./documents.ts";
import type { PageServices } from "./page-services.ts";

const guides = "/docs/guide/README";

/** Addresses of folders, and of pages that became parts of others. */
const moved: Readonly<Record<string, string>> = {
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
export const documentRoutes: readonly OpenOperation<PageServices>[] = [
  ...Object.entries(moved).map(([path, location]) => route(path, async () => redirect(location))),
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

import { pageReply } from "../../documents/page-reply.ts";
import type { DocumentSection } from "../../documents/served-links.ts";
import type { OpenRoute } from "../../route.ts";

/** GET /docs/guide/<page>: the guides. */
export const guidePagesRoute: OpenRoute = pagesRoute("guide");

/** GET /docs/metrics/<page>: what each metric means. */
export const metricPagesRoute: OpenRoute = pagesRoute("metrics");

function pagesRoute(section: DocumentSection): OpenRoute {
  return {
    access: "open",
    method: "GET",
    path: `/docs/${section}/:page`,
    reply: (services, { page = "" }, headers) =>
      pageReply(services, { section, name: page, headers }),
  };
}

import { ServiceError } from "../../../platform/service-error.ts";
import { type DocumentSection, documentSections } from "../../documents/served-links.ts";
import { noSuchAddress } from "../../refusals.ts";
import type { OpenRoute, Reply } from "../../route.ts";

/** GET /: browsers get to the API page; nothing is here for programs. */
const rootRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/",
  reply: async (_services, _parameters, { accept = "" }) => {
    if (!/\btext\/html\b/i.test(accept)) throw noSuchAddress();
    return { ...redirect(303, "/docs"), headers: { Location: "/docs", Vary: "Accept" } };
  },
};

/** Where a section's folder leads. The guides' list has the metrics too. */
const contents: Readonly<Record<DocumentSection, string>> = {
  guide: "/docs/guide/README",
  metrics: "/docs/guide/README",
  errors: "/docs/errors/README",
};

/** Addresses that lead to pages: the root, folders, and pages with a trailing slash. */
export const documentRedirects: readonly OpenRoute[] = [
  rootRoute,
  moved("/docs/", "/docs"),
  ...documentSections.flatMap((section) => [
    moved(`/docs/${section}`, contents[section]),
    moved(`/docs/${section}/`, contents[section]),
    pageWithSlash(section),
  ]),
];

function moved(path: string, location: string): OpenRoute {
  return { access: "open", method: "GET", path, reply: async () => redirect(308, location) };
}

function pageWithSlash(section: DocumentSection): OpenRoute {
  return {
    access: "open",
    method: "GET",
    path: `/docs/${section}/:page/`,
    reply: async ({ documents }, { page = "" }) => {
      // Only a page that exists is named in Location, which a caller could otherwise choose.
      if ((await documents.page(section, page)) === null) {
        throw new ServiceError("not_found", "No such page. /docs/guide/README lists all pages.");
      }
      return redirect(308, `/docs/${section}/${page}`);
    },
  };
}

function redirect(status: 303 | 308, location: string): Reply {
  return { status, contentType: "text/plain", body: "", headers: { Location: location } };
}

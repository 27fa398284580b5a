import { ServiceError } from "../../../platform/service-error.ts";
import { type DocumentSection, documentSections } from "../../documents/served-links.ts";
import type { OpenRoute, Reply } from "../../route.ts";

/** Where a section's folder leads. The guides' list has the metrics too. */
const contents: Readonly<Record<DocumentSection, string>> = {
  guide: "/docs/guide/README",
  metrics: "/docs/guide/README",
  errors: "/docs/errors/README",
};

/** Addresses that lead to pages: folders, and pages with a trailing slash. */
export const documentRedirects: readonly OpenRoute[] = [
  moved("/docs/", "/docs"),
  ...documentSections.flatMap((section) => [
    moved(`/docs/${section}`, contents[section]),
    moved(`/docs/${section}/`, contents[section]),
    pageWithSlash(section),
  ]),
];

function moved(path: string, location: string): OpenRoute {
  return { access: "open", method: "GET", path, reply: async () => redirect(location) };
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
      return redirect(`/docs/${section}/${page}`);
    },
  };
}

function redirect(location: string): Reply {
  return { status: 308, contentType: "text/plain", body: "", headers: { Location: location } };
}

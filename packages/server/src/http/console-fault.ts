import { ServiceError } from "../platform/service-error.ts";
import { isForeignPage, type PageRequest } from "./foreign-page.ts";

const detail =
  "Only the console's own page may ask here: with the header field `Sightline-Console: 1`, and " +
  "from the same origin. Programs use /v1 with a session token.";

/**
 * Why a request to the console's addresses is refused; null: the console's page sent it. Cookies
 * are sent for whatever page asks, and a form needs no consent. A field of our own does: a browser
 * asks the service first (CORS), which consents to no origin here. Another port of the same host is
 * the same site to SameSite cookies, but another origin.
 */
export function consoleFault(request: PageRequest): ServiceError | null {
  const isMarked = request.headers["sightline-console"] === "1";
  if (isMarked && !isForeignPage(request, [])) return null;
  return new ServiceError("not_from_console", detail);
}

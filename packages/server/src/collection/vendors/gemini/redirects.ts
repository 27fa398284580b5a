import { urlCharactersMax } from "../../../answers/intake/answer-schema.ts";
import type { Exchange } from "../../adapter.ts";
import { redirectHost } from "./request.ts";

/** An answer cites some ten pages; what is beyond stays as Google gave it. */
const redirectsMax = 50;
const redirectPrefix = `https://${redirectHost}/grounding-api-redirect/`;

/** The path of one of Google's links, which end after some weeks; null: it is another URL. */
function redirectPathOf(url: string): string | null {
  if (!url.startsWith(redirectPrefix) || !URL.canParse(url)) return null;
  const { host, pathname, search } = new URL(url);
  return host === redirectHost && pathname.startsWith("/grounding-api-redirect/")
    ? `${pathname}${search}`
    : null;
}

/** The first link, in this order, that was not looked up yet; null: all were. */
export function nextRedirect(
  urls: readonly string[],
  exchanges: readonly Exchange[],
): string | null {
  const paths = new Set(urls.map(redirectPathOf).filter((path) => path !== null));
  const known = lookUpsOf(exchanges);
  return [...paths].slice(0, redirectsMax).find((path) => !known.has(path)) ?? null;
}

/**
 * The page that a link leads to. The URL itself when it is another link, or when Google did not
 * say: the link no longer works, or the look-up failed. Its title then still has the domain.
 */
export function pageOfRedirect(url: string, exchanges: readonly Exchange[]): string {
  const path = redirectPathOf(url);
  const location = path === null ? undefined : lookUpsOf(exchanges).get(path);
  return location ?? url;
}

/** By path: where it leads, or undefined when the reply does not say. */
function lookUpsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, string | undefined> {
  const lookUps = exchanges.filter(({ request }) => request.host === redirectHost);
  return new Map(
    lookUps.map(({ request, reply }) => {
      const location = reply.headers["location"] ?? "";
      const isRedirect = reply.status >= 300 && reply.status < 400 && isPage(location);
      return [request.path, isRedirect ? location : undefined];
    }),
  );
}

function isPage(location: string): boolean {
  if (location.length > urlCharactersMax) return false;
  return /^https?:\/\//i.test(location) && URL.canParse(location);
}

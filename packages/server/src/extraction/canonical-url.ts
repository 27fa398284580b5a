import { redirectTarget } from "./redirect-wrappers.ts";
import { isTrackingParameter } from "./tracking-parameters.ts";

/**
 * Longer URLs are rejected; browsers and servers give up at about this length. It bounds the work
 * on one URL.
 */
const urlCharactersMax = 8_192;

/** Deeper nesting of wrappers only occurs in hostile input; such a URL is not unwrapped. */
const wrapperDepthMax = 5;

const unreserved = /[A-Za-z0-9\-._~]/;
const unusual = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]/;
const escapeOrUnusual = /%([0-9A-Fa-f]{2})?|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/g;

/**
 * The form in which cited URLs are compared and shown: scheme https, lower-case host in punycode
 * without `www.`, user, default port or trailing dot, no fragment, no tracking parameters, the
 * other parameters sorted, no trailing slash except the root's, normalized escapes, known redirect
 * wrappers resolved. A canonical URL is its own canonical form.
 *
 * Null when `raw` is not an http(s) URL with a host, or when it or its canonical form is longer
 * than 8,192 characters: such a citation is stored in the record and never counted.
 */
export function canonicalUrl(raw: string): string | null {
  const outer = canonicalForm(raw);
  if (outer === null) return null;
  let inner = outer;
  for (let depth = 0; depth <= wrapperDepthMax; depth += 1) {
    const target = redirectTarget(inner);
    const next = target === null ? null : canonicalForm(target);
    if (next === null) return inner;
    inner = next;
  }
  return outer;
}

/** Like `canonicalUrl`, without resolving redirect wrappers. */
export function canonicalForm(raw: string): string | null {
  if (raw.length > urlCharactersMax) return null;
  const url = URL.parse(raw);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  const host = canonicalHost(url.hostname);
  if (host === null) return null;
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`;
  const pathAndQuery = canonicalPath(url.pathname) + canonicalQuery(url.search);
  const canonical = `https://${host}${port}${pathAndQuery}`;
  return canonical.length > urlCharactersMax ? null : canonical;
}

function canonicalHost(hostname: string): string | null {
  let end = hostname.length;
  while (hostname[end - 1] === ".") end -= 1;
  let host = hostname.slice(0, end);
  // Repeatedly, otherwise the result would not be its own canonical form; but www.com is a real
  // name.
  while (host.startsWith("www.") && host.includes(".", 4)) host = host.slice(4);
  return host === "" || host.startsWith(".") || host.includes("..") ? null : host;
}

function canonicalPath(pathname: string): string {
  const path = withCanonicalEscapes(pathname);
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function canonicalQuery(search: string): string {
  if (search === "") return "";
  const parameters = withCanonicalEscapes(search.slice(1))
    .split("&")
    .filter((parameter) => parameter !== "" && !isTrackingParameter(nameOf(parameter)));
  if (parameters.length > 1) parameters.sort(byNameThenValue);
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}

function nameOf(parameter: string): string {
  const equals = parameter.indexOf("=");
  return equals === -1 ? parameter : parameter.slice(0, equals);
}

function byNameThenValue(left: string, right: string): number {
  return byCodeUnit(nameOf(left), nameOf(right)) || byCodeUnit(left, right);
}

function byCodeUnit(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * Escapes of unreserved characters are resolved, others are upper-cased; characters that RFC 3986
 * does not allow, and a percent sign that begins no escape, are escaped. Escapes of reserved
 * characters stay: `%2F` is not `/`.
 */
function withCanonicalEscapes(part: string): string {
  if (!unusual.test(part)) return part;
  return part.replace(escapeOrUnusual, (found, hex?: string) => {
    if (hex === undefined) return encoded(found);
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return unreserved.test(character) ? character : `%${hex.toUpperCase()}`;
  });
}

/** The URL parser has already escaped everything beyond ASCII. */
function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

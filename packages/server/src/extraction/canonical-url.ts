import { heldAddress } from "./redirect-wrappers.ts";

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

/** An ampersand as HTML writes it, also twice over. In a URL `#38;` would begin the fragment. */
const escapedAmpersand = /&(?:amp;|#0*38;|#x0*26;)+/gi;
const leadingAmp = /^(?:amp;)+/i;

const beyondAscii = /[^\0-\x7f]/;
const escapedBeyondAscii = /(?:%[89A-F][0-9A-F])+/g;

/**
 * Characters without width, save the joiners between letters from Arabic to Sinhala: there they
 * are part of the spelling, and the link would lead elsewhere without them.
 */
const invisible =
  /(?![\u200c\u200d])\p{DI}|(?<![\u0600-\u0dff])[\u200c\u200d]|[\u200c\u200d](?![\u0600-\u0dff])/gu;

/** An IP address, or labels of letters, digits, `-` and `_`: no web page has another host. */
const possibleHost = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/;

/**
 * The form in which cited URLs are compared and shown: scheme https, lower-case host in punycode
 * without `www.`, user, default port or trailing dot, no fragment, no tracking parameters, the
 * other parameters sorted, no trailing slash except the root's, normalized escapes, `&amp;` read as
 * `&`, no characters without width, addresses that hold another opened, one address for a video. A
 * canonical URL is its own canonical form.
 *
 * Null when `raw` is not an http(s) URL with a host that a page can have, or when it or its
 * canonical form is longer than 8,192 characters: such a citation is stored in the record and never
 * counted.
 */
export function canonicalUrl(raw: string): string | null {
  const outer = canonicalForm(raw);
  if (outer === null) return null;
  let inner = outer;
  for (let depth = 0; depth <= wrapperDepthMax; depth += 1) {
    const target = heldAddress(inner);
    const next = target === null ? null : canonicalForm(target);
    if (next === null) return videoPage(inner) ?? inner;
    inner = next;
  }
  return outer;
}

/** Like `canonicalUrl`, without opening addresses that hold another, and with videos as written. */
export function canonicalForm(raw: string): string | null {
  if (raw.length > urlCharactersMax) return null;
  const url = URL.parse(readable(raw));
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  const host = canonicalHost(url.hostname);
  if (host === null) return null;
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`;
  const canonical = `https://${host}${port}${canonicalPath(url)}${canonicalQuery(url, host)}`;
  return canonical.length > urlCharactersMax ? null : canonical;
}

/** A URL as it was before a page's source or an editor was copied. */
function readable(raw: string): string {
  const visible = beyondAscii.test(raw) ? raw.replace(invisible, "").trim() : raw;
  return visible.includes("&") ? visible.replace(escapedAmpersand, "&") : visible;
}

/** The addresses of a video by its id; a player's parameters are dropped. */
const videoAddress =
  /^https:\/\/(?:youtu\.be|youtube\.com\/(?:shorts|live|v))\/([\w-]+)(?:\?(.*))?$/;
const videoPlayer =
  /^https:\/\/youtube(?:-nocookie)?\.com\/embed\/(?!videoseries|live_stream)([\w-]+)(?:\?|$)/;

/** The page of a video that is addressed in another way; null for every other address. */
function videoPage(canonical: string): string | null {
  const [, id, query = ""] = videoAddress.exec(canonical) ?? videoPlayer.exec(canonical) ?? [];
  return id === undefined ? null : canonicalForm(`https://youtube.com/watch?v=${id}&${query}`);
}

function canonicalHost(hostname: string): string | null {
  let end = hostname.length;
  while (hostname[end - 1] === ".") end -= 1;
  let host = hostname.slice(0, end);
  // Repeatedly, otherwise the result would not be its own canonical form; but www.com is a real
  // name.
  while (host.startsWith("www.") && host.includes(".", 4)) host = host.slice(4);
  if (host === "m.youtube.com") return "youtube.com";
  return possibleHost.test(host) ? host : null;
}

function canonicalPath(url: URL): string {
  const path = withCanonicalEscapes(url.pathname).replace(escapedAmpersand, "&");
  // `.` and `..` may only now be segments.
  if (path !== url.pathname) url.pathname = path;
  const { pathname } = url;
  let end = pathname.length;
  while (end > 1 && pathname[end - 1] === "/") end -= 1;
  return pathname.slice(0, end);
}

function canonicalQuery({ search }: URL, host: string): string {
  if (search === "") return "";
  const ofVideo = host === "youtube.com" || host === "youtu.be";
  const parameters = withCanonicalEscapes(search.slice(1))
    .split("&")
    .map((parameter) => parameter.replace(leadingAmp, ""))
    .filter((parameter) => parameter !== "" && !isMark(nameOf(parameter), ofVideo));
  if (parameters.length > 1) parameters.sort(byNameThenValue);
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}

function isMark(name: string, ofVideo: boolean): boolean {
  return isTrackingParameter(name) || (ofVideo && isVideoMark(name));
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
 * characters stay: `%2F` is not `/`. Escapes of characters without width are dropped.
 */
function withCanonicalEscapes(part: string): string {
  if (!unusual.test(part)) return part;
  const escaped = part.replace(escapeOrUnusual, (found, hex?: string) => {
    if (hex === undefined) return encoded(found);
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return unreserved.test(character) ? character : `%${hex.toUpperCase()}`;
  });
  return escaped.replace(escapedBeyondAscii, withoutInvisible);
}

/** A run of escapes: whole, since dropping a character must not make another of what is around. */
function withoutInvisible(escapes: string): string {
  try {
    const text = decodeURIComponent(escapes);
    const visible = text.replace(invisible, "");
    return visible === text ? escapes : encodeURIComponent(visible);
  } catch {
    return escapes; // not UTF-8
  }
}

/** The URL parser has already escaped everything beyond ASCII. */
function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/**
 * Query parameters that say where a visitor came from and never what a page shows; in lower case,
 * compared without case. The list is conservative: `ref`, `source`, `si` or `campaign_id` identify
 * content on some sites, so they stay. A change here raises `rules` (compile-extractor.ts) and is
 * described in docs/guide/mentions-and-citations.md.
 */
export const trackingParameters: ReadonlySet<string> = new Set([
  // Google: ads, Analytics, Merchant Center
  ...["gclid", "gclsrc", "gbraid", "wbraid", "dclid", "gad_source", "gad_campaignid", "srsltid"],
  ...["_ga", "_gl", "_gac"],
  // Other advertisers' click ids
  ...["fbclid", "msclkid", "yclid", "ymclid", "twclid", "ttclid", "li_fat_id", "rdt_cid", "epik"],
  ...["sccid", "irclickid", "rb_clickid", "_openstat"],
  // Social networks' share marks
  ...["igshid", "igsh", "ref_src", "__twitter_impression"],
  // Mail and marketing tools
  ...["mc_cid", "mc_eid", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsctatracking"],
  ...["mkt_tok", "vero_id", "vero_conv", "oly_anon_id", "oly_enc_id", "_kx", "wickedid", "_bhlid"],
  ...["ml_subscriber", "ml_subscriber_hash", "_branch_match_id"],
  // Matomo's older names
  ...["pk_campaign", "pk_kwd", "pk_keyword", "pk_source", "pk_medium", "pk_content"],
  // Yahoo's consent redirects
  ...["guccounter", "guce_referrer", "guce_referrer_sig"],
]);

/** The prefixes of further such parameters. */
export const trackingPrefixes: readonly string[] = ["utm_", "mtm_", "hsa_"];

/** Whether a query parameter only tracks, by its name in any case. */
function isTrackingParameter(name: string): boolean {
  const lower = name.toLowerCase();
  if (trackingParameters.has(lower)) return true;
  return trackingPrefixes.some((prefix) => lower.startsWith(prefix));
}

/**
 * Query parameters of a video's page that say where it begins, who shared it, or how it was found,
 * on YouTube alone: elsewhere some of these names identify content.
 */
export const videoMarks: ReadonlySet<string> = new Set([
  ...["t", "start", "time_continue", "si", "pp", "feature", "ab_channel"],
]);

/** Whether a query parameter on YouTube only says how a video was reached, by its name. */
function isVideoMark(name: string): boolean {
  return videoMarks.has(name.toLowerCase());
}

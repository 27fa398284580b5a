/** A page that forwards to, or shows, the page whose URL is in one of its parameters. */
export interface RedirectWrapper {
  /** The host without `www.`; one that begins with `.` means its subdomains. */
  readonly host: string;
  /** The path in canonical form. */
  readonly path: string;
  /** The parameters that may hold the URL; the first that does wins. */
  readonly parameters: readonly string[];
}

/**
 * The wrappers that hold the target in a parameter. Google's cover all its country domains.
 * Wrappers that hide the target (`t.co`, `vertexaisearch.cloud.google.com`) cannot be resolved
 * without a request and stay.
 * A change here raises `rules` (compile-extractor.ts) and is described in
 * docs/guide/mentions-and-citations.md.
 */
export const redirectWrappers: readonly RedirectWrapper[] = [
  { host: "google.com", path: "/url", parameters: ["q", "url"] },
  { host: "translate.google.com", path: "/translate", parameters: ["u"] },
  { host: "translate.google.com", path: "/website", parameters: ["u"] },
  { host: "bing.com", path: "/ck/a", parameters: ["u"] },
  { host: "duckduckgo.com", path: "/l", parameters: ["uddg"] },
  { host: "youtube.com", path: "/redirect", parameters: ["q"] },
  { host: "l.facebook.com", path: "/l.php", parameters: ["u"] },
  { host: "lm.facebook.com", path: "/l.php", parameters: ["u"] },
  { host: "l.messenger.com", path: "/l.php", parameters: ["u"] },
  { host: "l.instagram.com", path: "/", parameters: ["u"] },
  { host: "l.threads.com", path: "/", parameters: ["u"] },
  { host: "out.reddit.com", path: "*", parameters: ["url"] },
  { host: "linkedin.com", path: "/redir/redirect", parameters: ["url"] },
  { host: "linkedin.com", path: "/safety/go", parameters: ["url"] },
  { host: "slack-redir.net", path: "/link", parameters: ["url"] },
  { host: "t.umblr.com", path: "/redirect", parameters: ["z"] },
  { host: "steamcommunity.com", path: "/linkfilter", parameters: ["url", "u"] },
  { host: "vk.com", path: "/away.php", parameters: ["to"] },
  { host: ".safelinks.protection.outlook.com", path: "/", parameters: ["url"] },
];

const byHost = Map.groupBy(redirectWrappers, ({ host }) => host);

/** google.de, google.co.uk, translate.google.com.br */
const googleHost = /^((?:translate\.)?google)\.(?:com?\.)?[a-z]{2,3}$/;

/** Bing's prefix of a target in base64url. */
const encodedMark = "a1";

/** A canonical URL, taken apart. */
interface Address {
  readonly host: string;
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
}

/**
 * The address that a canonical URL holds, as it is written there: the target of a redirect, the
 * page of a translation, the original of an AMP copy. Null when it is the address of a page.
 */
export function heldAddress(canonical: string): string | null {
  const slash = canonical.indexOf("/", "https://".length);
  const end = canonical.indexOf("?");
  const address = {
    host: canonical.slice("https://".length, slash),
    path: canonical.slice(slash, end === -1 ? undefined : end),
    query: end === -1 ? "" : canonical.slice(end + 1),
  };
  return inParameter(address) ?? inHost(address) ?? inPath(address);
}

function inParameter({ host, path, query }: Address): string | null {
  if (query === "") return null;
  const wrapper = wrappersOf(host)?.find((each) => each.path === path || each.path === "*");
  if (wrapper === undefined) return null;
  const pieces = query.split("&");
  for (const parameter of wrapper.parameters) {
    for (const piece of pieces) {
      if (!piece.startsWith(`${parameter}=`)) continue;
      const target = decoded(piece.slice(parameter.length + 1));
      if (webAddress.test(target)) return target;
    }
  }
  return null;
}

const webAddress = /^https?:\/\//i;

function wrappersOf(host: string): readonly RedirectWrapper[] | undefined {
  const google = googleHost.exec(host)?.[1];
  if (google !== undefined) return byHost.get(`${google}.com`);
  return byHost.get(host) ?? byHost.get(host.slice(host.indexOf(".")));
}

function decoded(value: string): string {
  try {
    const text = decodeURIComponent(value);
    if (!text.startsWith(encodedMark)) return text;
    return Buffer.from(text.slice(encodedMark.length), "base64url").toString("utf8");
  } catch {
    return ""; // not UTF-8, and so not a usable URL
  }
}

const translated = /^([a-z0-9-]+)\.translate\.goog$/;

/**
 * A page that Google translated, in `www-acme--labs-com.translate.goog`: the steps that Google
 * gives in "Enabling your ad network to work with translation-related Google Search features".
 */
function inHost({ host, path, query }: Address): string | null {
  const label = translated.exec(host)?.[1];
  if (label === undefined) return null;
  const parameters = query === "" ? [] : query.split("&");
  const own = (name: string) =>
    parameters.find((each) => each.startsWith(`_x_tr_${name}=`))?.slice(name.length + 7) ?? "";
  const encodings = decoded(own("enc")).split(",");
  let prefix = own("hp") + label;
  if (encodings.includes("1") && prefix.startsWith("1-")) prefix = prefix.slice(2);
  const isInternational = encodings.includes("0") && prefix.startsWith("0-");
  if (isInternational) prefix = prefix.slice(2);
  const name = prefix.replace(/\b-\b/g, ".").replaceAll("--", "-");
  const page = parameters.filter((each) => !each.startsWith("_x_tr_"));
  return `https://${isInternational ? "xn--" : ""}${name}${path}${queryOf(page)}`;
}

/** An AMP copy (`/c/` and `/v/`: with and without Google's frame; `s/`: over https). */
const ampCopy = /^\/(?:c|v)\/(?:s\/)?([^/]+\.[^/]+(?:\/.*)?)$/;
const ampHost = /^(?:[a-z0-9-]+\.)?(?:cdn\.ampproject\.org|bing-amp\.com)$/;
const ampOfGoogle = /^\/amp\/(?:s\/)?([^/]+\.[^/]+(?:\/.*)?)$/;
/** What the caches add to the query of a copy. */
const ampParameter = /^(?:amp_\w+|usqp)(?:=|$)/;

const yahooHost = /^(?:[a-z0-9-]+\.)*r\.search\.(?:yahoo|aol)\.com$/;
const yahooTarget = /\/RU=([^/]+)/;

function inPath({ host, path, query }: Address): string | null {
  const copy = ampHost.test(host)
    ? ampCopy.exec(path)
    : googleHost.exec(host)?.[1] === "google" && ampOfGoogle.exec(path);
  if (copy) {
    const page = query.split("&").filter((each) => each !== "" && !ampParameter.test(each));
    return `https://${copy[1]}${queryOf(page)}`;
  }
  const target = yahooHost.test(host) ? yahooTarget.exec(path)?.[1] : undefined;
  const address = target === undefined ? "" : decoded(target);
  return webAddress.test(address) ? address : null;
}

function queryOf(parameters: readonly string[]): string {
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}

/** A page that only forwards to the URL in one of its parameters. */
export interface RedirectWrapper {
  /** The host without `www.`; one that begins with `.` means its subdomains. */
  readonly host: string;
  /** The path in canonical form. */
  readonly path: string;
  /** The parameters that may hold the URL; the first that does wins. */
  readonly parameters: readonly string[];
}

/**
 * The wrappers that are resolved. Google's covers all its country domains. Wrappers that hide the
 * target (`t.co`, `vertexaisearch.cloud.google.com`) cannot be resolved without a request and stay.
 * A change here raises `rules` (extraction-version.ts) and is described in
 * docs/guide/mentions-and-citations.md.
 */
export const redirectWrappers: readonly RedirectWrapper[] = [
  { host: "google.com", path: "/url", parameters: ["q", "url"] },
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

/** google.de, google.co.uk, google.com.br */
const googleHost = /^google\.(?:com?\.)?[a-z]{2,3}$/;

/** Bing's prefix of a target in base64url. */
const encodedMark = "a1";

/**
 * The URL that a canonical URL forwards to, as in its parameter; null when it is not a known
 * wrapper.
 */
export function redirectTarget(canonical: string): string | null {
  const query = canonical.indexOf("?");
  if (query === -1) return null;
  const slash = canonical.indexOf("/", "https://".length);
  const wrappers = wrappersOf(canonical.slice("https://".length, slash));
  const path = canonical.slice(slash, query);
  const wrapper = wrappers?.find((each) => each.path === path || each.path === "*");
  if (wrapper === undefined) return null;
  const pieces = canonical.slice(query + 1).split("&");
  for (const parameter of wrapper.parameters) {
    for (const piece of pieces) {
      if (!piece.startsWith(`${parameter}=`)) continue;
      const target = decoded(piece.slice(parameter.length + 1));
      if (/^https?:\/\//i.test(target)) return target;
    }
  }
  return null;
}

function wrappersOf(host: string): readonly RedirectWrapper[] | undefined {
  if (googleHost.test(host)) return byHost.get("google.com");
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

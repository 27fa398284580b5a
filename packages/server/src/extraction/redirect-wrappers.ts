/** A page that only forwards to the URL in one of its parameters. */
export interface RedirectWrapper {
  /** The host without `www.`; one that begins with `.` stands for its subdomains. */
  readonly host: string;
  /** The path in canonical form. */
  readonly path: string;
  /** The parameters that may hold the URL, the first that does wins. */
  readonly parameters: readonly string[];
}

/**
 * The wrappers that are opened. Google's stands for all its country domains. Those that keep the
 * target to themselves (`t.co`, `vertexaisearch.cloud.google.com`) cannot be opened without a
 * request and stay as they are. A change here raises `rules` (extraction-version.ts) and is
 * described in docs/guide/mentions-and-citations.md.
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

/** Bing's mark before a target in base64url. */
const encodedMark = "a1";

/**
 * The URL that a canonical URL forwards to, as it stands in its parameter; null when it is not a known
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
  if (value.startsWith(encodedMark)) {
    return Buffer.from(value.slice(encodedMark.length), "base64url").toString("utf8");
  }
  try {
    return decodeURIComponent(value);
  } catch {
    return ""; // not UTF-8, and so not a URL that anyone could follow
  }
}

import type { Page } from "./model.ts";

/** A host with its registrable domain, private suffixes included; known, not looked up. */
interface Site {
  readonly host: string;
  readonly domain: string;
  readonly port?: string;
}

const sites: readonly Site[] = [
  { host: "pagely.com", domain: "pagely.com" },
  { host: "shop.pagely.com", domain: "pagely.com" },
  { host: "pagely.com", domain: "pagely.com", port: ":8443" },
  { host: "notpagely.com", domain: "notpagely.com" },
  { host: "alice.github.io", domain: "alice.github.io" },
  { host: "docs.bob.github.io", domain: "bob.github.io" },
  { host: "dailynews.co.uk", domain: "dailynews.co.uk" },
  { host: "m.dailynews.co.uk", domain: "dailynews.co.uk" },
  { host: "192.0.2.7", domain: "192.0.2.7" },
  { host: "intranet", domain: "intranet" },
];

const paths = ["/", "/a", "/A", "/a/b", "/a-b", "/company/acme", "/company/acmeist/jobs"];
const queries = ["", "b=2&c=3"];

/** Own domains that an entity may declare; some cover none of the pages, some each other. */
export const ownDomains = [
  "pagely.com",
  "shop.pagely.com",
  "pagely.com/company",
  "pagely.com/company/acme",
  "shop.pagely.com/a",
  "alice.github.io",
  "bob.github.io/a/b",
  "dailynews.co.uk/company/acme",
  "m.dailynews.co.uk",
  "elsewhere.com",
] as const;

/** How many pages there are. */
export const pagesCount = sites.length * paths.length * queries.length;

/**
 * The page of an index.
 *
 * @param mark tells the pages of one account from another's: it is part of the URL; "" for none.
 */
export function pageAt(index: number, mark: string): SpelledPage {
  const site = sites[index % sites.length] ?? { host: "pagely.com", domain: "pagely.com" };
  const rest = Math.floor(index / sites.length);
  const path = paths[rest % paths.length] ?? "/";
  const query = queries[Math.floor(rest / paths.length) % queries.length] ?? "";
  const parameters = [...query.split("&"), mark === "" ? "" : `zz=${mark}`];
  return new SpelledPage(
    site,
    path,
    parameters.filter((each) => each !== ""),
  );
}

/** How a page's URL may be written. */
export const spellings = [
  "canonical",
  "http",
  "www",
  "upper host",
  "slash",
  "fragment",
  "text fragment",
  "tracking",
  "reversed",
  "default port",
  "wrapped",
  "translated",
  "translated host",
  "amp",
  "yahoo",
  "escaped ampersands",
  "invisible characters",
] as const;
/** One of the ways to write a page's URL. */
export type Spelling = (typeof spellings)[number];

/** A page and the ways to write it. */
export class SpelledPage implements Page {
  readonly url: string;
  readonly domain: string;
  readonly within: readonly string[];
  readonly #site: Site;
  readonly #path: string;
  readonly #parameters: readonly string[];

  constructor(site: Site, path: string, parameters: readonly string[]) {
    this.#site = site;
    this.#path = path;
    this.#parameters = parameters;
    this.domain = site.domain;
    this.url = this.#written({});
    this.within = hostsAbove(site.host).flatMap((host) =>
      pathsAbove(path).map((above) => host + above),
    );
  }

  spelled(spelling: Spelling): string {
    const { host, port = "" } = this.#site;
    switch (spelling) {
      case "canonical":
        return this.url;
      case "http":
        return this.#written({ scheme: "http" });
      case "www":
        return this.#written({ host: host.includes("com") ? `www.${host}` : host });
      case "upper host":
        return this.#written({ scheme: "HTTPS", host: host.toUpperCase() });
      case "slash":
        return this.#written({ path: this.#path.replace(/\/?$/, "/") });
      case "fragment":
        return `${this.url}#reviews`;
      case "text fragment":
        return `${this.url}#:~:text=the%20best`;
      case "tracking":
        return this.#written({ parameters: ["utm_source=x", ...this.#parameters, "gclid=1"] });
      case "reversed":
        return this.#written({ parameters: this.#parameters.toReversed() });
      case "default port":
        return this.#written({ port: port === "" ? ":443" : port });
      case "wrapped":
        return `https://www.google.com/url?q=${encodeURIComponent(this.url)}&sa=D`;
      case "translated":
        return `https://translate.google.co.uk/translate?hl=de&u=${encodeURIComponent(this.url)}`;
      case "translated host": // has no port
        return port === "" ? this.#translatedHost() : this.url;
      case "amp": // a host without a dot has no copy
        return this.url.replace(/^https:\/\/(?=[^/]*\.)/, "https://www.google.com/amp/s/");
      case "yahoo":
        return `https://r.search.yahoo.com/x/RU=${encodeURIComponent(this.url)}/RK=2/RS=y`;
      case "escaped ampersands":
        return this.url.replaceAll("&", "&amp;");
      case "invisible characters":
        return `\ufeff${this.#written({ host: host.replace(/^./, "$&\u200b") })}\u00ad`;
    }
  }

  #translatedHost(): string {
    const parameters = ["_x_tr_sl=en", ...this.#parameters, "_x_tr_tl=de"];
    const label = this.#site.host.replaceAll("-", "--").replaceAll(".", "-");
    return this.#written({ host: `${label}.translate.goog`, parameters });
  }

  #written(parts: Parts): string {
    const { scheme = "https", host = this.#site.host, path = this.#path } = parts;
    const { port = this.#site.port ?? "", parameters = this.#parameters } = parts;
    const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
    return `${scheme}://${host}${port}${path}${query}`;
  }
}

interface Parts {
  readonly scheme?: string;
  readonly host?: string;
  readonly port?: string;
  readonly path?: string;
  readonly parameters?: readonly string[];
}

/** shop.a.com: shop.a.com, a.com, com */
function hostsAbove(host: string): readonly string[] {
  const labels = host.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

/** /a/b: nothing, /a, /a/b */
function pathsAbove(path: string): readonly string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return ["", ...segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`)];
}

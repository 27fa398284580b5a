/** A domain as it was typed or pasted. */
export interface TypedDomain {
  /** A host without `www.`; with its path where many brands share the host. */
  readonly domain: string;
  /** What became of the text, where it is not what was typed; null: it is. */
  readonly note: string | null;
}

/** Hosts on which many have pages: there the path says whose. */
const sharedHosts: readonly string[] = [
  ...["amazon.com", "apps.apple.com", "facebook.com", "github.com", "instagram.com"],
  ...["linkedin.com", "medium.com", "pinterest.com", "play.google.com", "quora.com", "reddit.com"],
  ...["tiktok.com", "twitter.com", "wikipedia.org", "x.com", "youtube.com"],
];

const hostShape =
  /^([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]*[\p{L}\p{N}]$/u;

/**
 * The domain that a text means: of an address or an e-mail address its host. Null: it cannot be a
 * domain. Nothing is looked up.
 */
export function typedDomain(typed: string): TypedDomain | null {
  const text = typed.trim();
  const [, user, rest = ""] = /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:([^/@\s]+)@)?(.*)$/iu.exec(text) ?? [];
  const [place = ""] = rest.split(/[?#]/);
  const [authority = "", ...segments] = place.split("/");
  const host = authority.replace(/:\d+$/, "").replace(/\.$/, "").toLowerCase();
  const domain = host.replace(/^www\d?\./, "");
  if (!hostShape.test(domain) || user?.includes(":")) return null;
  const path = segments.filter((each) => each !== "").join("/");
  const isShared = sharedHosts.some((each) => domain === each || domain.endsWith(`.${each}`));
  if (isShared && path !== "") {
    const note = `${domain} has pages of many brands: those below /${path} count as yours.`;
    return { domain: `${domain}/${path}`, note };
  }
  if (isShared)
    return { domain, note: `${domain} has pages of many brands. Add the path of yours.` };
  if (path === "") return { domain, note: null };
  return { domain, note: `“/${path}” was left out: every page of ${domain} counts as yours.` };
}

/** The forms of companies that nobody says, at the end of a name. */
const companyForms = new RegExp(
  String.raw`[\s,]+(` +
    [
      String.raw`gmbh( & co\.? kg(aa)?)?|ag|se|kg|kgaa|ohg|gbr|ug|e\.? ?v\.?|e\.? ?k\.?`,
      String.raw`inc\.?|incorporated|llc|l\.l\.c\.|llp|ltd\.?|limited|plc|corp\.?|corporation`,
      String.raw`company|co\.?|pty|s\.?a\.?s?\.?|s\.?a\.?r\.?l\.?|b\.?v\.?|n\.?v\.?|oyj?|ab|as|a/s`,
      String.raw`aps|s\.?p\.?a\.?|s\.?r\.?l\.?|sp\.? z o\.? ?o\.?|k\.?k\.?|holdings?|group`,
    ].join("|") +
    ")$",
  "iu",
);

/** The name without its company form and marks: "Acme" of "Acme® Labs GmbH" is "Acme Labs". */
function spokenName(name: string): string {
  let spoken = name.replaceAll(/[®™©]/g, "").replaceAll(/\s+/g, " ").trim();
  for (let before = ""; before !== spoken; ) {
    before = spoken;
    spoken = spoken.replace(companyForms, "");
  }
  return spoken;
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Other names that a name and its domains suggest, which are not among its names. */
export function suggestedAliases(
  name: string,
  domains: readonly string[],
  aliases: readonly string[],
): readonly string[] {
  const spoken = spokenName(name);
  const labels = domains.filter((each) => !each.includes("/")).map(nameOfDomain);
  const taken = new Set([name, ...aliases].map((each) => each.trim().toLowerCase()));
  const suggested: string[] = [];
  // Nobody writes a domain that only joins the name's words.
  const written = new Set([letters(name), letters(spoken)]);
  for (const each of [spoken, ...labels.filter((label) => !written.has(letters(label)))]) {
    if (letters(each).length < 2 || taken.has(each.toLowerCase())) continue;
    taken.add(each.toLowerCase());
    suggested.push(each);
  }
  return suggested;
}

/** Ends of names of hosts that are one together, such as co.uk. */
const secondLevels = /^(co|com|net|org|ac|gov|edu|gv|or|ne)$/;

/** The name that a domain spells: "Globex" of shop.globex.co.uk; short ones in capitals. */
export function nameOfDomain(domain: string): string {
  const labels = (domain.split("/")[0] ?? "").split(".").slice(0, -1);
  if (labels.length > 1 && secondLevels.test(labels.at(-1) ?? "")) labels.pop();
  const label = labels.at(-1) ?? "";
  if (label.length <= 3) return label.toUpperCase();
  return label
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** A competitor as it was typed. */
export interface TypedCompetitor {
  readonly name: string;
  readonly domains: readonly string[];
}

/**
 * Competitors, one on each line or between commas: a name, a domain, or both: "Globex",
 * "globex.example", "Globex (globex.example)". Each once; the brand is none.
 */
export function typedCompetitors(text: string, brand: string): readonly TypedCompetitor[] {
  const seen = new Set([letters(brand), letters(spokenName(brand))]);
  const found: TypedCompetitor[] = [];
  for (const part of text.split(/[\n,;\t]/)) {
    const domains = part
      .split(/[\s()<>]+/)
      .filter((word) => word.includes("."))
      .flatMap((word) => typedDomain(word) ?? []);
    const words = part.split(/[\s()<>]+/).filter((word) => {
      return word !== "" && (!word.includes(".") || typedDomain(word) === null);
    });
    const [first] = domains;
    const name = words
      .join(" ")
      .replace(/^([-–•*]|\d+[.)])\s+/, "")
      .trim();
    const named = name !== "" ? name : first === undefined ? "" : nameOfDomain(first.domain);
    if (letters(named) === "" || seen.has(letters(named))) continue;
    seen.add(letters(named));
    found.push({ name: named, domains: domains.map(({ domain }) => domain) });
  }
  return found;
}

const word = String.raw`\p{Lu}[\p{L}\p{N}&.'’-]*`;
const brandName = `(${word}(?: ${word}){0,2})`;
const comparing: readonly RegExp[] = [
  new RegExp(`${brandName} (?:vs[.]?|versus) ${brandName}`, "gu"),
  new RegExp(
    `(?:[Aa]lternatives? (?:to|for)|[Ii]nstead of|[Aa]lternativen? zu) ${brandName}`,
    "gu",
  ),
  new RegExp(`(?:[Cc]ompared? (?:to|with)|[Ss]witch(?:ing)? from) ${brandName}`, "gu"),
];

/** Brands that prompts compare with others ("Acme vs Globex"), most frequent first. */
export function comparedBrands(
  prompts: readonly string[],
  known: readonly string[],
): readonly string[] {
  const taken = new Set(known.flatMap((name) => [letters(name), letters(spokenName(name))]));
  const counts = new Map<string, number>();
  for (const prompt of prompts) {
    const names = comparing.flatMap((each) =>
      [...prompt.matchAll(each)].flatMap((match) => match.slice(1)),
    );
    for (const given of names) {
      const name = given
        .replace(/^(Is|Are|Does|Compare|What|Which|Should|Ist|Was) /, "")
        .replace(/\.$/, "");
      if (!taken.has(letters(name))) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

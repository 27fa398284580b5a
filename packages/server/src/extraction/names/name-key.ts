/** A name as it is compared: lower case, without spaces and signs, without `.com`. */
export function nameKey(name: string): string {
  const bare = name.includes(".") ? name.replace(/\.(?:com|org|net|io|co|ai)$/i, "") : name;
  const plain = bare.toLowerCase();
  if (/^[a-z0-9]*$/.test(plain)) return plain;
  return plain.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "");
}

/** A number for a name as it is compared: equal names have equal ones, others hardly ever. */
export function nameNumber(key: string): number {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ (code + at), 0x85ebca6b);
    low ^= low >>> 13;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/**
 * Words that stand capitalised without being names: those of grammar, and those that headings and
 * cells of tables begin with. In lower case.
 */
const grammar = `a an and as at be both but by can do does each for from go had has have here how if
  in into is it its just let may might more most much must my no nor not now of on one only or our
  out over own per pick picks should since so some such than that the their then there these they
  this those though to top under until up use very want was way we were what when where whether
  which while who why will with would yes you your
  also additional another any best better check choose consider despite each either especially even
  every few first good great ideal key last least less like look make many model models next note
  notes other others overall price prices pro pros cons second several summary third tip tips
  type value verdict buy i'd i'll i've i'm i it's that's there's here's you're you'll don't doesn't
  isn't won't what's let's according however given things experts reviewers
  after before between during makes typical united
  der die das dem den des ein eine einer eines und oder aber mit ohne für von vom zu zum zur im in
  ist sind nicht auch auf aus bei bis durch nach über unter wenn wie wer was welche welcher welches
  diese dieser dieses sie er es wir ihr beste bester bestes fazit vorteile nachteile preis hinweis
  le la les l un une des du de et ou mais avec sans pour par sur dans est sont ce cette ces il elle
  nous vous notre votre si meilleur meilleure avantages prix
  el los las una unos unas y o pero con sin para por en es son este esta estos estas nosotros su sus
  mejor mejores ventajas desventajas precio
  il lo gli e ma con per che di da het een van voor met niet ook of maar`;

const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 1)));
const weekdays = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, day + 1)));
const localesRead = ["en", "de", "fr", "es", "it", "pt", "nl"];

/** Places other than countries and the cities of time zones. */
const regions = `Europe Asia Africa America North America South America Latin America Oceania
  Middle East UK USA US EU England Scotland Wales California Texas Florida Washington Massachusetts
  San Francisco Boston Seattle Munich München Köln Hamburg Frankfurt Zürich Genf Lyon Barcelona
  New York City Silicon Valley Europa Amerika Asien Afrika Europe Asie Afrique Amérique`;

/** Words of grammar, months, weekdays, countries, languages and large cities, as names compare. */
function everyday(keyOf: (name: string) => string): ReadonlySet<string> {
  const found = new Set(grammar.split(/\s+/).map(keyOf));
  for (const locale of localesRead) {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
    for (const style of ["long", "short"] as const) {
      for (const each of months) found.add(keyOf(format({ month: style }).format(each)));
      for (const each of weekdays) found.add(keyOf(format({ weekday: style }).format(each)));
    }
    for (const type of ["region", "language"] as const) {
      const names = new Intl.DisplayNames(locale, { type, fallback: "none" });
      for (const code of codesOf(type)) {
        const name = names.of(code);
        if (name !== undefined) found.add(keyOf(name));
      }
    }
  }
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const city = zone.split("/").at(-1);
    if (city !== undefined) found.add(keyOf(city));
  }
  const words = regions.split(/\s+/);
  for (const [place, word] of words.entries()) {
    found.add(keyOf(word));
    found.add(keyOf(`${word}${words[place + 1] ?? ""}`));
  }
  return found;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** All codes of two letters. */
function codesOf(type: "region" | "language"): readonly string[] {
  const codes = [...letters].flatMap((first) => [...letters].map((second) => first + second));
  return type === "region" ? codes : codes.map((code) => code.toLowerCase());
}

/** Made when it is first asked for, which takes a fifth of a second: most processes never ask. */
let everydayKeys: ReadonlySet<string> | null = null;

/** Whether what stands with a capital never is the name of a brand, by its `nameKey`. */
export function isEveryday(key: string): boolean {
  everydayKeys ??= everyday(nameKey);
  return everydayKeys.has(key);
}

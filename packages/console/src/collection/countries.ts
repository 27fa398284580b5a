import { regionName } from "../data/names.ts";

/** Codes with a name that ISO 3166-1 does not have: groups, parts, reserved and made-up ones. */
const notCountries = new Set(
  "AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ".split(" "),
) as ReadonlySet<string>;

let known: readonly string[] | null = null;

/** The codes of the countries, by their English names. */
export function countries(): readonly string[] {
  known ??= codes()
    .filter((code) => isCountry(code))
    .toSorted((one, other) => (regionName(one) < regionName(other) ? -1 : 1));
  return known;
}

function isCountry(code: string): boolean {
  if (notCountries.has(code) || regionName(code) === code) return false;
  // A code of the past, such as DD, means another one today.
  return new Intl.Locale(`und-${code}`).region === code;
}

function codes(): readonly string[] {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  return letters.flatMap((first) => letters.map((second) => `${first}${second}`));
}

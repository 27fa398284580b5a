import { nameKey, wordsOfName } from "../../extraction/index.ts";
import { domainsByClass } from "./source-class-table.ts";

/** What the answers of a selection say of a name, summed. */
export interface NameSums {
  /** As it is compared. */
  readonly key: string;
  /** As it is written. */
  readonly name: string;
  readonly answers: number;
  /** Answers in which it is what `NameBits` say. */
  /** Whether each of its words, or its first, is one that answers also write in lower case. */
  readonly isOrdinary: boolean;
  readonly beginsOrdinary: boolean;
  readonly marked: number;
  readonly leads: number;
  readonly owned: number;
  readonly cited: number;
  readonly kin: number;
  readonly besideKin: number;
  readonly onlyMarked: number;
  /** The number of the entity whose it seems to be; 0: nobody's. */
  readonly owner: number;
}

/** How widely the answers of a name are spread. */
export interface Spread {
  readonly prompts: number;
  readonly providers: number;
}

/** A name that may be a brand. */
export type Candidate<Name> = Name & {
  /** The number of the entity of which it looks like a spelling; null: of none. */
  readonly aliasOf: number | null;
};

/** An entity whose spellings are looked for. */
interface Tracked {
  readonly names: readonly { readonly text: string }[];
}

/** Shares of a name's answers that say whether it may be a brand. */
const bounds = {
  /** It follows a tracked name. */
  ownedMax: 0.25,
  /** A medium is cited, and no head of a line. */
  citedMin: 0.4,
  markedMin: 0.25,
  /** Capitals alone, such as USB, are a brand where more of a name follows. */
  leadsMin: 0.5,
  /** A label is hardly ever anything else. */
  elsewhereMax: 0.02,
} as const;

/** Of the answers that have a word, the share that has it in lower case, if it is ordinary. */
const lowerMin = 0.3;

/** Says of a name whether its words are ordinary, by how the account's answers write them. */
export function ordinaryWords(
  words: readonly { readonly word: number; readonly lower: number; readonly capital: number }[],
): (name: { readonly name: string }) => Pick<NameSums, "isOrdinary" | "beginsOrdinary"> {
  const ordinary = new Set(
    words
      .filter(({ lower, capital }) => lower > lowerMin * (lower + capital))
      .map(({ word }) => word),
  );
  return ({ name }) => {
    const own = wordsOfName(name);
    const isAny = own.length > 0;
    return {
      isOrdinary: isAny && own.every((word) => ordinary.has(word)),
      beginsOrdinary: isAny && ordinary.has(own[0] ?? 0),
    };
  };
}

/** A longer word in capitals is a name. */
const acronymMax = 5;

/** Nearly all answers that have a name's beginning have the whole name. */
const wholeMin = 0.9;

/** The names of media, shops and others whose pages answers cite. */
const sources: ReadonlySet<string> = new Set(
  Object.values(domainsByClass).flatMap((domains) =>
    Object.keys(domains).map((domain) => nameKey(domain.split(".", 1)[0] ?? "")),
  ),
);

/**
 * The names that may be brands or their products: words, media that are only cited and products of
 * tracked entities go, and beginnings of names that nothing else begins with.
 *
 * @param entities in the order of their numbers, from 1.
 */
export function candidateNames<Name extends NameSums>(
  names: readonly Name[],
  entities: readonly Tracked[],
): readonly Candidate<Name>[] {
  const beginnings = beginningsOf(names);
  const tracked = entities.map((each) => each.names.map(({ text }) => nameKey(text)));
  return names
    .filter((each) => {
      const { isOrdinary, beginsOrdinary, marked, answers } = each;
      if (isOrdinary || (beginsOrdinary && marked < bounds.markedMin * answers)) return false;
      return isName(each) && !beginnings.has(each.key);
    })
    .map((each) => ({ ...each, aliasOf: aliasOf(each, tracked) }));
}

/**
 * Names by their answers, by their spread over prompts and providers, and by how many of the
 * answers mark them as names.
 */
export function inOrder<Name extends NameSums & Spread>(names: readonly Name[]): readonly Name[] {
  return names
    .map((each) => ({ each, weight: weightOf(each) }))
    .sort((a, b) => b.weight - a.weight || (a.each.key < b.each.key ? -1 : 1))
    .map(({ each }) => each);
}

/** Of which entity a name looks like a spelling. */
function aliasOf(sums: NameSums, tracked: readonly (readonly string[])[]): number | null {
  const { key, kin, besideKin, owner } = sums;
  const place = tracked.findIndex((keys) => keys.some((each) => isSpelling(key, each)));
  if (place !== -1) return place + 1;
  // Called like a domain of the entity, and never beside it.
  return kin > 0 && besideKin === 0 ? owner : null;
}

/** A shorter name is in many words. */
const containedMin = 4;
/** More letters are another name. */
const addedMax = 8;

function isSpelling(key: string, name: string): boolean {
  if (key.length >= name.length && key.length - name.length <= addedMax) {
    if (name.length >= containedMin && key.startsWith(name)) return true;
    if (name.length > containedMin && key.includes(name)) return true;
  }
  const length = Math.min(key.length, name.length);
  const allowed = length >= 9 ? 2 : length >= 5 ? 1 : 0;
  return allowed > 0 && isWithin(key, name, allowed);
}

/** Whether so few letters differ (Levenshtein's distance). */
function isWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let left = 1; left <= a.length; left += 1) {
    const next = [left];
    for (let right = 1; right <= b.length; right += 1) {
      const changed = (row[right - 1] ?? 0) + (a[left - 1] === b[right - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[right] ?? 0) + 1, (next[right - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return false;
    row = next;
  }
  return (row[b.length] ?? 0) <= most;
}

function isName(sums: NameSums): boolean {
  const { key, name, answers, owned, cited, marked, leads } = sums;
  if (owned > bounds.ownedMax * answers) return false;
  if (isLabel(sums)) return false;
  const isMarked = marked >= bounds.markedMin * answers;
  if (isMarked) return true;
  if (cited >= bounds.citedMin * answers) return false;
  if (sources.has(key) || sources.has(`the${key}`)) return false;
  const isAcronym = name.length <= acronymMax && name === name.toUpperCase();
  return !isAcronym || leads >= bounds.leadsMin * answers;
}

/** Fewer answers may have a brand at heads of lines alone. */
const labelAnswersMin = 5;

/** Whether it is the head of lines and nothing else, as `Weight` of a list of properties is. */
function isLabel({ answers, marked, leads, cited, onlyMarked }: NameSums): boolean {
  if (answers < labelAnswersMin || onlyMarked > answers / 2) return false;
  const elsewhere = answers - marked + leads + cited;
  return elsewhere <= bounds.elsewhereMax * answers;
}

/** Beginnings that stand for no more than a whole name does: `Home` of `Home Depot`. */
function beginningsOf(names: readonly NameSums[]): ReadonlySet<string> {
  const longer = Map.groupBy(names, ({ name }) => {
    const end = name.lastIndexOf(" ");
    return end === -1 ? "" : nameKey(name.slice(0, end).replace(/ &$/, ""));
  });
  const found = new Set<string>();
  // The longest first: what they begin with may be a beginning itself.
  const words = ({ name }: NameSums) => name.split(" ").length;
  for (const { key, answers, marked } of names.toSorted((a, b) => words(b) - words(a))) {
    const own = longer.get(key) ?? [];
    const whole = own.find((each) => each.answers >= wholeMin * answers);
    // Where it goes on in different ways, the beginning is the brand.
    if (whole === undefined || own.some((each) => each !== whole && each.answers > 1)) continue;
    if (whole.marked < wholeMin * marked) continue;
    const isWhole = whole.leads < (1 - wholeMin) * whole.answers;
    if (isWhole || (marked === 0 && found.has(whole.key))) found.add(key);
  }
  return found;
}

/** Answers × spread; a name that no place marks counts for less. */
function weightOf({ answers, prompts, providers, marked, leads }: NameSums & Spread): number {
  return answers * Math.sqrt(prompts * providers) * (0.1 + marked / answers + leads / answers / 2);
}

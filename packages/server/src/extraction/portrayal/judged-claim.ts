/** Whether a claim agrees with a fact; `unclear`: the rules do not tell. */
export type ClaimVerdict = "agrees" | "differs" | "unclear";

/** A number of a text, with what it counts. */
interface Quantity {
  readonly start: number;
  readonly end: number;
  /** One; two where `1.234` may be read in two ways. In the smallest unit of its kind. */
  readonly amounts: readonly number[];
  /** A currency, a kind of unit, or the word that follows; "": nothing says what it counts. */
  readonly kind: string;
  /** How many of the smallest unit the unit is. */
  readonly size: number;
  /** For what it is due, such as `month` and `user`. */
  readonly per: ReadonlySet<string>;
  /** What the words before it make of it; null: the number itself. */
  readonly bound: Bound | null;
}

type Bound = "above" | "below" | "about";

/**
 * Compares what an answer says with what is true, by rules (docs/guide/reading-by-a-model.md).
 * With numbers in the fact, those of the claim that count the same are compared. Without, the claim
 * agrees when it has the words of the fact. It never differs for its words alone.
 *
 * Pure; never throws.
 */
export function judgedClaim(claim: string, fact: string): ClaimVerdict {
  const [said, stated] = [folded(claim), folded(fact)];
  const truths = quantitiesOf(stated);
  if (truths.length === 0) return hasWords(said, stated) ? "agrees" : "unclear";
  const compared = quantitiesOf(said).flatMap((quantity) => {
    const of = truths.filter((truth) => countsTheSame(quantity, truth));
    return of.length === 0 ? [] : [isNegated(said, quantity) ? "unclear" : against(quantity, of)];
  });
  const [first = "unclear"] = compared;
  return compared.every((each) => each === first) ? first : "unclear";
}

function against(quantity: Quantity, truths: readonly Quantity[]): ClaimVerdict {
  const { amounts, bound, kind } = quantity;
  const same = truths.filter((truth) => {
    return truth.amounts.some((one) => amounts.some((other) => isEqual(one, other)));
  });
  if (same.some((truth) => bound === null || bound === "about" || bound === truth.bound)) {
    return "agrees";
  }
  const isLoose = bound !== null && truths.every((truth) => truth.bound !== bound);
  const all = truths.flatMap((truth) => truth.amounts);
  const isWithin = amounts.some((each) => each > Math.min(...all) && each < Math.max(...all));
  // A number that nothing explains may count anything.
  return same.length > 0 || isLoose || isWithin || kind === "" ? "unclear" : "differs";
}

/** 0.1 of a kilogram is 100 grams, whatever binary fractions make of it. */
function isEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

function countsTheSame(a: Quantity, b: Quantity): boolean {
  if (a.kind !== b.kind) return false;
  const isTime = (word: string) => timeNames.has(word);
  return [isTime, (word: string) => !isTime(word)].every((isOfPart) => {
    const [one, other] = [a, b].map(({ per }) => [...per].filter(isOfPart).toSorted().join(" "));
    return one === "" || other === "" || one === other;
  });
}

function folded(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase();
  return plain
    .replace(/[‐-―−]/gu, "-")
    .replace(/[’‘]/gu, "'")
    .replace(/\s+/gu, " ")
    .trim();
}

/** Scripts without spaces have no ends of words. */
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const ofWord = /[\p{L}\p{N}]/u;

/** Whether a text has words as they stand, in a clause that does not negate them. */
function hasWords(text: string, words: string): boolean {
  const isInside = (a: string, b: string) =>
    ofWord.test(a) && ofWord.test(b) && !spaceless.test(a) && !spaceless.test(b);
  for (let start = text.indexOf(words); start >= 0; start = text.indexOf(words, start + 1)) {
    const end = start + words.length;
    const isCut =
      isInside(text.slice(0, start).slice(-1), words.slice(0, 1)) ||
      isInside(words.slice(-1), text.slice(end, end + 1));
    if (!isCut && !isNegated(text.slice(0, start) + text.slice(end), { start, end: start })) {
      return true;
    }
  }
  return false;
}

const clauseEnd = /[,.;:!?](?=\s|$)|[。、！？()]|\b(?:but|aber|mais|pero)\b/gu;
const negation = new RegExp(
  "(?<![\\p{L}\\p{N}])(?:no|not|never|without|cannot|neither|nor|none|\\p{L}+n't|" +
    "kein\\p{L}*|nicht|nie|ohne|" +
    "pas|sans|jamais|aucune?|sin|nunca|ning[uú]n\\p{L}*)(?![\\p{L}\\p{N}])|ない|ません|なし",
  "u",
);

/** Whether the clause of a place has a word that negates. */
function isNegated(text: string, { start, end }: Pick<Quantity, "start" | "end">): boolean {
  const ends = [...text.matchAll(clauseEnd)];
  const from = ends.findLast(({ index }) => index < start)?.index ?? 0;
  const to = ends.find(({ index }) => index >= end)?.index ?? text.length;
  return negation.test(text.slice(from, to));
}

/** Values by the words that mean them, which are separated by spaces. */
function byWord<Value>(rows: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> {
  return new Map(
    rows.flatMap(([value, words]) => words.split(" ").map((word) => [word, value] as const)),
  );
}

interface Unit {
  readonly kind: string;
  readonly size: number;
}

const unit = (kind: string, size = 1): Unit => ({ kind, size });
const currencies = byWord([
  [unit("usd"), "$ us$ usd dollar dólar dólare ドル"],
  [unit("eur"), "€ eur euro ユーロ"],
  [unit("gbp"), "£ gbp pound"],
  [unit("jpy"), "¥ jpy yen 円"],
  [unit("chf"), "chf"],
  [unit("inr"), "₹ inr rupee"],
]);
const [minuteSeconds, hourSeconds, daySeconds] = [60, 3_600, 86_400];
const units = byWord([
  ...[...currencies].map(([word, of]) => [of, word] as const),
  [unit("percent"), "% percent prozent パーセント"],
  [unit("time"), "s sec second sekunde seconde segundo 秒"],
  [unit("time", minuteSeconds), "min minute minuto 分"],
  [unit("time", hourSeconds), "h hr hour stunde std heure hora 時間"],
  [unit("time", daySeconds), "day tag jour día dia 日間"],
  [unit("time", 7 * daySeconds), "week woche semaine semana 週間"],
  [unit("month"), "month monat mois mes か月 ヶ月"],
  [unit("month", 12), "year yr jahr an année año 年間"],
  [unit("mass"), "g gram gramm gramme gramo グラム"],
  [unit("mass", 1_000), "kg kilo kilogram キロ"],
  [unit("length"), "mm millimeter"],
  [unit("length", 10), "cm centimeter zentimeter"],
  [unit("length", 1_000), "m meter metre mètre metro"],
  [unit("length", 1_000_000), "km kilometer kilometre kilómetro"],
  [unit("data"), "kb"],
  [unit("data", 1_000), "mb"],
  [unit("data", 1_000_000), "gb"],
  [unit("data", 1_000_000_000), "tb"],
  [unit("charge"), "mah"],
  [unit("power"), "w watt"],
]);
/** The time after which something is due again. */
const times = byWord([
  ["day", "day daily tag täglich jour día"],
  ["week", "week weekly woche wöchentlich semaine semana"],
  ["month", "month mo monthly monat monatlich mois mensuel mes mensual 月"],
  ["year", "year yr yearly annual annually jahr jährlich an année año anual 年"],
]);
const timeNames: ReadonlySet<string> = new Set(times.values());
const multiples = byWord([
  [1e3, "k thousand tausend mille mil"],
  [1e6, "million millionen mio millones"],
  [1e9, "billion milliarde mrd milliard"],
]);
/** Behind an amount of money alone: 5 m are metres. */
const multiplesOfMoney = byWord([
  [1e6, "m mn"],
  [1e9, "b bn"],
]);
/** Words behind a number that do not say what it counts. */
const idle: ReadonlySet<string> = new Set(
  (
    "and or of to in with for on at is are but und oder von mit für bis in et ou de à avec pour " +
    "y o con para the"
  ).split(" "),
);
const before = "(?<![\\p{L}\\p{N}])";
const bounds: readonly (readonly [Bound, RegExp])[] = [
  [
    "above",
    new RegExp(
      `${before}(?:over|above|at least|more than|mehr als|mindestens|über|plus de|más de) $|> ?$`,
      "u",
    ),
  ],
  [
    "below",
    new RegExp(
      `${before}(?:under|below|up to|at most|less than|weniger als|bis zu|höchstens|unter|` +
        "moins de|jusqu'à|menos de|hasta) $|< ?$",
      "u",
    ),
  ],
  [
    "about",
    new RegExp(
      `${before}(?:about|around|roughly|approximately|approx\\.?|nearly|almost|etwa|rund|ca\\.|` +
        "circa|environ|unos) $|[≈~約] ?$",
      "u",
    ),
  ],
];
/** The longest words before a number that are looked at. */
const lookBack = 24;

/** Not inside words such as `b2b`; scripts without spaces write numbers inside their words. */
const numbers = new RegExp(
  "(?<![[\\p{L}\\p{N}.,]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]])" +
    "\\d{1,15}(?:[.,']\\d+| \\d{3}(?!\\d))*(?!\\d)",
  "gv",
);
/** What joins the two numbers of a range: one of them says what both count. */
const rangeWord = /^ ?(?:-|to|and|bis|und|à|et|a|y|~) ?[$€£¥₹]?$/u;

/** The numbers of a folded text, with what they count. */
function quantitiesOf(text: string): readonly Quantity[] {
  const found = [...text.matchAll(numbers)].flatMap(({ 0: digits, index }) => {
    const values = valuesOf(digits);
    return values.length === 0 ? [] : [quantityAt(text, { digits, index, values })];
  });
  return found.map((quantity, place) => {
    if (quantity.kind !== "") return quantity;
    const [previous, next] = [found[place - 1], found[place + 1]];
    const joins = (one?: Quantity, other?: Quantity) =>
      one !== undefined &&
      other !== undefined &&
      rangeWord.test(text.slice(one.end, other.start).trimEnd());
    const like = joins(quantity, next) ? next : joins(previous, quantity) ? previous : undefined;
    if (like === undefined) return quantity;
    const { kind, size, per } = like;
    return { ...quantity, kind, size, per, amounts: quantity.amounts.map((each) => each * size) };
  });
}

/** A number as it may be meant: `1.234` is about one, or a thousand. */
function valuesOf(digits: string): readonly number[] {
  const plain = digits.replace(/[' ]/gu, "");
  const marks = plain.replace(/\d/gu, "");
  const parts = plain.split(/[.,]/u);
  const [first = "", ...others] = parts;
  const last = parts.at(-1) ?? "";
  const decimal = Number(`${parts.slice(0, -1).join("")}.${last}`);
  if (marks.length === 0) return [Number(first)];
  if (marks.length === 1) return last.length === 3 ? [Number(first + last), decimal] : [decimal];
  const inner = others.slice(0, -1).every((part) => part.length === 3);
  if (new Set(marks).size === 1) {
    // 1.234.567, but no version such as 1.2.3.
    return inner && last.length === 3 ? [Number(parts.join(""))] : [];
  }
  return inner && new Set(marks.slice(0, -1)).size === 1 ? [decimal] : [];
}

interface NumberPlace {
  readonly digits: string;
  readonly index: number;
  readonly values: readonly number[];
}

function quantityAt(text: string, { digits, index, values }: NumberPlace): Quantity {
  const ahead = text.slice(Math.max(0, index - lookBack), index);
  const sign =
    /(?:us\$|[$€£¥₹]|(?<![\p{L}])(?:usd|eur|gbp|jpy|chf|inr)) ?$/u.exec(ahead)?.[0] ?? "";
  const money = currencies.get(sign.trim());
  let end = index + digits.length;
  const take = (pattern: RegExp) => pattern.exec(text.slice(end, end + lookBack));
  const multiple = take(/^ ?(\p{L}+)/u);
  const word = multiple?.[1] ?? "";
  const times = known(multiples, word) ?? (money && known(multiplesOfMoney, word)) ?? 1;
  if (times !== 1) end += multiple?.[0].length ?? 0;
  const counted = money === undefined ? take(/^[ -]?(%|us\$|[$€£¥₹]|\p{L}+)/u) : null;
  const name = counted?.[1] ?? "";
  const named = money ?? known(units, name);
  const { kind, size } = named ?? unit(kindOf(name, digits));
  if (named !== undefined && counted !== null) end += spokenLength(counted[0], name);
  else if (kind !== "" && kind !== calendarYear) end += counted?.[0].length ?? 0;
  return {
    start: index - sign.length,
    end,
    amounts: values.map((value) => value * times * size),
    kind,
    size,
    per: duePer(text.slice(end, end + 3 * lookBack)),
    bound:
      bounds.find(([, words]) => words.test(ahead.slice(0, ahead.length - sign.length)))?.[0] ??
      null,
  };
}

const calendarYear = "calendar year";

/** What a number counts by a word that is not a unit. */
function kindOf(word: string, digits: string): string {
  if (/^(?:1[89]|2[01])\d\d$/u.test(digits)) return calendarYear;
  return idle.has(word) ? "" : word.replace(/(?<=\p{L}{3})s$/u, "");
}

/** The value of a word, also in the plural; of scripts without spaces, of its beginning. */
function known<Value>(values: ReadonlyMap<string, Value>, word: string): Value | undefined {
  const forms = spaceless.test(word)
    ? [3, 2, 1].map((letters) => word.slice(0, letters))
    : [word, word.replace(/[sne]$/u, ""), word.replace(/(?:es|en)$/u, "")];
  for (const form of forms) {
    const value = values.get(form);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** How far a unit goes: scripts without spaces go on behind it. */
function spokenLength(taken: string, word: string): number {
  if (!spaceless.test(word)) return taken.length;
  const length = [3, 2, 1].find((letters) => units.has(word.slice(0, letters))) ?? word.length;
  return taken.length - word.length + length;
}

/** "a month", "/user/month", "monthly". */
function duePer(text: string): ReadonlySet<string> {
  const per = new Set<string>();
  for (let rest = text; per.size < 3; ) {
    const joined = /^(?: ?\/ ?| (?:per|a|an|each|pro|im|par|al|por|je|の) )(\p{L}+)/u.exec(rest);
    const adverb = joined ?? /^ (\p{L}+)/u.exec(rest);
    const word = adverb?.[1] ?? "";
    const time = known(times, word);
    if (
      adverb === null ||
      (joined === null && (time === undefined || !/l[yi]|lich$/u.test(word)))
    ) {
      return per;
    }
    per.add(time ?? word);
    rest = rest.slice(adverb[0].length);
  }
  return per;
}

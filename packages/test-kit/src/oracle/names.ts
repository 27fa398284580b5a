import type { Name } from "./model.ts";

const plain = (text: string): Name => ({ text, caseSensitive: false });
const cased = (text: string): Name => ({ text, caseSensitive: true });

/**
 * Names for up to nine entities, the first three of each. None is part of another or a word of the
 * texts. In series order, letters decide that code units, code points and locales sort apart, and
 * two that differ in case alone.
 */
export const namesOfEntities: readonly (readonly Name[])[] = [
  [plain("Zorvex"), plain("Mellow Quarn"), plain("Brimox")],
  [plain("quandle"), plain("Övrelia"), plain("Q9 Tandem")],
  [cased("Keldon"), plain("C+++"), plain("Tri-Vantor")],
  [cased("KELDON"), plain("Jörmunth"), plain("AB&TV")],
  [plain("Élvorne"), plain("Wexlam"), plain("晴空電機")],
  [plain("Ｐuolexa"), plain("Пельвокс"), plain("Yumbrel 3000")],
  [plain("𐐀𐐁𐐂𐐃𐐄"), plain("Halvique.com"), plain(".Ostrelo")],
  [plain("aardvane"), plain("Ångrost"), cased("Pim")],
  [plain("Zzyzyxo"), plain("Ruvello"), plain("Ünkol")],
];

/** How a name stands in a text. */
export const nameShapes = [
  "plain",
  "bold",
  "italic",
  "possessive",
  "brackets",
  "quotes",
  "label",
  "upper",
  "comma",
] as const;
/** One of the ways in which a name stands in a text. */
export type NameShape = (typeof nameShapes)[number];

/** A name in one of its shapes: each counts as a mention. */
export function shapedName({ text, caseSensitive }: Name, shape: NameShape): string {
  switch (shape) {
    case "plain":
      return text;
    case "bold":
      return `**${text}**`;
    case "italic":
      return `_${text}_`;
    case "possessive":
      return `${text}’s`;
    case "brackets":
      return `(${text})`;
    case "quotes":
      return `“${text}”`;
    case "label":
      return `[${text}](https://neutral.example/page)`;
    case "upper":
      return caseSensitive ? text : text.toUpperCase();
    case "comma":
      return `${text},`;
  }
}

/** A phrase that an entity may declare not to be a mention of the name in it. */
export function phraseOf({ text }: Name): string {
  return `${text} tundra`;
}

/** What looks like a name in a text and is none. */
export const decoyShapes = [
  ...(["target", "bare", "image", "prefixed", "suffixed"] as const),
  ...(["mark", "marks", "file mark", "host alone"] as const),
] as const;
/** One of the ways in which a name stands in a text without being mentioned. */
export type DecoyShape = (typeof decoyShapes)[number];

/** A name where it does not count: in a link's target, an image, a source mark, a longer word. */
export function decoy({ text }: Name, shape: DecoyShape): string {
  const target = `https://neutral.example/${encodeURIComponent(text)}`;
  const isWord = /^[A-Za-z]+$/.test(text);
  switch (shape) {
    case "target":
      return `[here](${target})`;
    case "bare":
      return target;
    case "image":
      return `![${text}](${target})`;
    case "prefixed":
      return isWord || text.startsWith(".") ? `super${text}` : "other";
    case "suffixed":
      return isWord ? `${text}ish` : "other";
    case "mark":
      return `([${text}](https://neutral.example/page))`;
    case "marks":
      return `[[other](${target}) · **[${text}](https://neutral.example/page)**]`;
    case "file mark":
      return `【3†${text}】`;
    case "host alone":
      return text.endsWith(".com") ? `(${text.toLowerCase()})` : "other";
  }
}

/** Sentences that say something of whom they name. */
export const sayings: readonly ((name: string) => string)[] = [
  (name) => `\n\nI would recommend ${name} to most of the teams that ask for it.\n\n`,
  (name) => `\n\nOverall, ${name} is excellent and easy to use for the teams that have it.\n\n`,
  (name) => `\n\nThe main drawback is that ${name} is expensive and slow for the small teams.\n\n`,
  (name) => `\n\nAvoid ${name} if you are in a hurry, as it is not worth the money.\n\n`,
  (name) => `\n\nI could not find any reliable information about ${name} in the sources.\n\n`,
  (name) => `\n\nThe list of the year has ${name} in it, as does the list of the year before.\n\n`,
];

/** Words and breaks that name nobody. */
export const neutralWords = ["the", "best", "and", "für", "…", "\n\n", "\n-", "又", "1."] as const;

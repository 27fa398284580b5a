import { createHash } from "node:crypto";

/** A brand that answers name. */
export interface StandInBrand {
  readonly name: string;
  /** Of its pages, such as `acme.com`. */
  readonly domain: string;
}

/** A page that an answer cites, or that was retrieved for it. */
export interface StandInPage {
  readonly url: string;
  readonly title: string;
  readonly domain: string;
  readonly snippet: string;
}

/** A sentence of an answer, and the pages that it cites. */
export interface StandInSentence {
  readonly text: string;
  readonly pages: readonly StandInPage[];
}

/** What was answered, before a vendor's own form. */
export interface StandInAnswer {
  /** In order; each is a line of the text. */
  readonly sentences: readonly StandInSentence[];
  /** Those that sentences cite, once each, in order of first citation. */
  readonly cited: readonly StandInPage[];
  /** All that were found: the cited ones and others. */
  readonly retrieved: readonly StandInPage[];
  /** What was searched for. */
  readonly queries: readonly string[];
}

/** The brands that answers name unless others are given: no company's. */
export const standInBrands: readonly StandInBrand[] = [
  { name: "Acme", domain: "acme.example" },
  { name: "Globex", domain: "globex.example" },
  { name: "Initech", domain: "initech.example" },
  { name: "Umbra", domain: "umbra.example" },
  { name: "Vandelay", domain: "vandelay.example" },
  { name: "Café Nördlich", domain: "nordlich.example" },
];

// All are of the basic plane: where a vendor counts offsets in code points, and not in UTF-16 code
// units, these are the same, while UTF-8 bytes differ.
const openings = [
  "There is no single answer – it depends on what matters to you.",
  "Reviewers agree on a short list this year (naïvely: “buy the first”).",
  "Here is what current tests and buyers’ reports say.",
];
const praises = [
  "is the usual first choice: reliable, and easy to set up",
  "costs less than most – around €40 – and does nearly as much",
  "is what professionals choose, 日本 included",
  "leads in support, though its naïve defaults need a change",
  "is strong where privacy matters",
];
const closings = [
  "Compare prices before you buy.",
  "Prices change weekly; check the makers’ own pages.",
  "If in doubt, begin with the cheapest and see.",
];
const reviewers = [
  ["The Comparison", "comparison.example"],
  ["Tested Weekly", "tested-weekly.example"],
  ["Buyers’ Forum", "buyers-forum.example"],
  ["The Daily Review", "daily-review.example"],
  ["Encyclopædia", "encyclopaedia.example"],
] as const;
const citedMin = 2;
const brandsNamedMax = 5;

/** What an answer depends on. */
interface AnswerSubject {
  readonly prompt: string;
  readonly region: string | null;
  readonly brands: readonly StandInBrand[];
  readonly seed: number;
}

/**
 * A plausible answer: a prompt has favourites in a region, which come first in most of its answers,
 * as with assistants; `draws`, of one request, change the rest from answer to answer.
 */
export function plausibleAnswer(subject: AnswerSubject, draws: Draws): StandInAnswer {
  const named = brandsNamed(subject, draws);
  const slug = slugOf(subject.prompt);
  const reviews = draws.shuffled("reviewers", reviewers).map(([title, domain], index) => ({
    url: `https://www.${domain}/${slug}-${draws.whole(`page ${index}`, [1, 9])}`,
    title: `${title}: ${subject.prompt.slice(0, 60)}`,
    domain,
    snippet: `What ${title} found, ${draws.whole(`tests ${index}`, [3, 40])} tests in all.`,
  }));
  const own = named.map(({ name, domain }) => ({
    url: `https://${domain}/products/${slug}`,
    title: `${name} – the official page`,
    domain,
    snippet: `${name} presents what it offers.`,
  }));
  const list = named.map((brand, index): StandInSentence => {
    const about = draws.pick(`praise ${index}`, praises);
    const review = reviews[index % reviews.length];
    const page = draws.of(`own page ${index}`) < 0.4 ? own[index] : review;
    const isCited = index < citedMin || draws.of(`cites ${index}`) < 0.6;
    const pages = isCited && page !== undefined ? [page] : [];
    return { text: `${index + 1}. **${brand.name}** ${about}.`, pages };
  });
  const opening = { text: draws.pick("opening", openings), pages: reviews.slice(0, 1) };
  const sentences = [opening, ...list, { text: draws.pick("closing", closings), pages: [] }];
  const cited = [...new Set(sentences.flatMap(({ pages }) => pages))];
  const found = new Set([...cited, ...reviews, ...own.slice(0, 2)]);
  const short = subject.prompt.replace(/[?!.]+$/, "");
  const queries = [short, `best ${slug.replaceAll("-", " ")} compared`, `${short} review`];
  return {
    sentences,
    cited,
    retrieved: draws.shuffled("retrieved", [...found]),
    queries: queries.slice(0, draws.whole("queries", [1, 3])),
  };
}

function brandsNamed(subject: AnswerSubject, draws: Draws): readonly StandInBrand[] {
  const habits = drawsOf(subject.seed, "habits", subject.prompt, subject.region);
  const scored = subject.brands.map((brand) => ({
    brand,
    score: habits.of(brand.name) + 0.5 * draws.of(`brand ${brand.name}`),
  }));
  const count = draws.whole("brands", [2, brandsNamedMax]);
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, count)
    .map(({ brand }) => brand);
}

function slugOf(prompt: string): string {
  const words = prompt.toLowerCase().match(/[a-z0-9]+/g) ?? ["answers"];
  return words.slice(0, 6).join("-").slice(0, 60);
}

/** The sentences as a text, a line each. */
export function textOf(sentences: readonly StandInSentence[]): string {
  return sentences.map(({ text }) => text).join("\n");
}

/** Chance that is the same whenever the same key is asked: a sweep can be repeated exactly. */
export interface Draws {
  /** A number from 0 up to, not including, 1. */
  readonly of: (name: string) => number;
  /** A whole number of the range, both ends included. */
  readonly whole: (name: string, range: readonly [least: number, most: number]) => number;
  /** One of the items; throws when there are none. */
  readonly pick: <Item>(name: string, items: readonly Item[]) => Item;
  /** All the items, in an order of chance. */
  readonly shuffled: <Item>(name: string, items: readonly Item[]) => readonly Item[];
  /** Hexadecimal digits, such as of an id. */
  readonly hex: (name: string, digits: number) => string;
  /** A UUID of version 4. */
  readonly uuid: (name: string) => string;
}

/** The draws of a key, such as of one request. Names tell the draws of a key apart. */
export function drawsOf(...key: readonly (string | number | null)[]): Draws {
  const prefix = JSON.stringify(key);
  const digest = (name: string) => createHash("sha256").update(`${prefix} ${name}`).digest();
  const of = (name: string): number => digest(name).readUInt32BE() / 2 ** 32;
  const hex = (name: string, digits: number): string =>
    Array.from({ length: Math.ceil(digits / 64) }, (_, part) =>
      digest(part === 0 ? name : `${name} ${part}`).toString("hex"),
    )
      .join("")
      .slice(0, digits);
  return {
    of,
    hex,
    whole: (name, [least, most]) => least + Math.floor(of(name) * (most - least + 1)),
    pick: (name, items) => {
      const item = items[Math.floor(of(name) * items.length)];
      if (item === undefined) throw new RangeError(`nothing to pick from: ${name}`);
      return item;
    },
    shuffled: (name, items) =>
      items
        .map((item, index) => ({ item, at: of(`${name} ${index}`) }))
        .sort((one, other) => one.at - other.at)
        .map(({ item }) => item),
    uuid: (name) => {
      const digits = hex(name, 32);
      const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
      return [...parts, `a${digits.slice(17, 20)}`, digits.slice(20)].join("-");
    },
  };
}

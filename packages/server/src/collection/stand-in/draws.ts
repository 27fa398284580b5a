import { createHash } from "node:crypto";

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

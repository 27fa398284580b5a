/** What a JSON text may hold before it is worth parsing. */
export interface JsonBounds {
  /** The most brackets inside each other. */
  readonly depthMax: number;
  /** The most names of one object. */
  readonly namesMax: number;
  /** The most values, all arrays and objects together; left out: as many as its bytes can hold. */
  readonly valuesMax?: number;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Why a JSON text of any content is not worth parsing, as the end of a sentence: its brackets are
 * too deep, an object has too many names, or there are too many values. Null: it is within bounds,
 * or is not JSON. Reading 1 MiB so takes 2 ms; parsing a million brackets, or listing a hundred
 * thousand unknown fields, would take 50.
 */
export function outOfBounds(json: Uint8Array, bounds: JsonBounds): string | null {
  const { depthMax, namesMax, valuesMax = json.length } = bounds;
  const names: number[] = []; // of each object (or array) that is open
  let values = 0; // the first of an array or object comes after a bracket, the others after a comma
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case openArray:
      case openObject:
        values++;
        if (names.push(0) > depthMax) return `must be nested at most ${depthMax} levels deep`;
        break;
      case closeArray:
      case closeObject:
        names.pop();
        break;
      case comma:
        values++;
        break;
      case colon: {
        const count = (names.pop() ?? 0) + 1;
        if (count > namesMax) return `must have at most ${namesMax} names in an object`;
        names.push(count);
        break;
      }
      case quote:
        at = endOfText(json, at);
    }
    if (values > valuesMax) return `must have at most ${valuesMax} values`;
  }
  return null;
}

/** Where the closing quote stands of the text that opens at `start`. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === quote) return at;
    if (json[at] === backslash) at++;
  }
  return json.length;
}

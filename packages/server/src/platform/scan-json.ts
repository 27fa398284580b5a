/** What a JSON text may hold before it is worth parsing. */
export interface JsonBounds {
  /** The most brackets inside each other. */
  readonly depthMax: number;
  /** The most names of one object. */
  readonly namesMax: number;
  /** The most values, all arrays and objects together; left out: as many as its text can hold. */
  readonly valuesMax?: number;
}

/** What one pass over a JSON text found. */
export interface JsonScan {
  /**
   * Why the text is not worth parsing, as the end of a sentence: its brackets are too deep, an
   * object has too many names, or there are too many values. Null: it is within bounds.
   */
  readonly beyond: string | null;
  /**
   * The first name that stands twice in one object; null: none does. JSON.parse keeps the last of
   * the two in silence, and a filter that was sent would not hold. Means nothing when `beyond` is
   * not null or the text is not JSON.
   */
  readonly repeatedName: string | null;
}

/** The names of an object that is open. */
interface OpenObject {
  readonly names: Set<string>;
  /** Repeated ones are counted too. */
  count: number;
}

const quote = 0x22;
const comma = 0x2c;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Reads a text of any content once, without recursion: it may be a million brackets deep. Reading
 * 1 MiB so takes a few milliseconds; parsing a million brackets, or listing a hundred thousand
 * unknown fields, would take 50.
 */
export function scanJson(json: string, bounds: JsonBounds): JsonScan {
  const { depthMax, namesMax, valuesMax = json.length } = bounds;
  const open: (OpenObject | null)[] = []; // null: an array
  let values = 0; // the first of an array or object comes after a bracket, the others after a comma
  let nameComes = false;
  let repeatedName: string | null = null;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === openArray || unit === openObject) {
      values++;
      nameComes = unit === openObject;
      if (open.push(nameComes ? { names: new Set(), count: 0 } : null) > depthMax) {
        return tooMuch(`must be nested at most ${depthMax} levels deep`);
      }
    } else if (unit === closeArray || unit === closeObject) {
      open.pop();
      nameComes = false;
    } else if (unit === comma) {
      values++;
      nameComes = open.at(-1) !== null;
    } else if (unit === quote) {
      const end = endOfText(json, at);
      const object = nameComes ? open.at(-1) : null;
      if (object) {
        const name = nameIn(json.slice(at + 1, end));
        if (object.names.has(name)) repeatedName ??= name;
        object.names.add(name);
        if (++object.count > namesMax) {
          return tooMuch(`must have at most ${namesMax} names in an object`);
        }
      }
      nameComes = false;
      at = end;
    }
    if (values > valuesMax) return tooMuch(`must have at most ${valuesMax} values`);
  }
  return { beyond: null, repeatedName };
}

function tooMuch(beyond: string): JsonScan {
  return { beyond, repeatedName: null };
}

/** Where the closing quote stands of the text that opens at `start`. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === quote) return at;
    if (unit === backslash) at++;
  }
  return json.length;
}

/** The same name may be written in other letters: `"a"` and `"\u0061"`. */
function nameIn(written: string): string {
  if (!written.includes("\\")) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written; // no JSON
  }
}

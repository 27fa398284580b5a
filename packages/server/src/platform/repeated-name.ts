const quote = 0x22;
const comma = 0x2c;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** An open bracket: an array, an object without names so far, or an object's names. */
type Open = "array" | "object" | Set<string>;

/**
 * The first name that stands twice in one object of a valid JSON text; null when there is none.
 * JSON.parse keeps the last of the two in silence, and a filter that was sent would not hold.
 */
export function repeatedName(json: string): string | null {
  const open: Open[] = []; // no recursion: a text may be a million brackets deep
  let nameComes = false;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case openObject:
        open.push("object");
        nameComes = true;
        break;
      case openArray:
        open.push("array");
        nameComes = false;
        break;
      case closeObject:
      case closeArray:
        open.pop();
        nameComes = false;
        break;
      case comma:
        nameComes = open.at(-1) !== "array";
        break;
      case quote: {
        const end = endOfText(json, at);
        const name = nameComes ? nameIn(json, at, end) : null;
        if (name !== null && !addName(open, name)) return name;
        nameComes = false;
        at = end;
      }
    }
  }
  return null;
}

/** Adds a name to the innermost object; false when it has it. A set is made when it is needed. */
function addName(open: Open[], name: string): boolean {
  const innermost = open.at(-1);
  if (!(innermost instanceof Set)) {
    open[open.length - 1] = new Set([name]);
    return true;
  }
  if (innermost.has(name)) return false;
  innermost.add(name);
  return true;
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
function nameIn(json: string, start: number, end: number): string {
  const written = json.slice(start + 1, end);
  return written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
}

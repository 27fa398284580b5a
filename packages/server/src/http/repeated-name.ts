/**
 * The first name that stands twice in one object of a valid JSON text; null when there is none.
 * JSON.parse keeps the last of the two in silence, and a filter that was sent would not hold.
 */
export function repeatedName(json: string): string | null {
  // An entry for each open bracket: the names of an object so far, null for an array.
  const open: (Set<string> | null)[] = [];
  let nameComes = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case "{":
        open.push(new Set());
        nameComes = true;
        break;
      case "[":
        open.push(null);
        nameComes = false;
        break;
      case "}":
      case "]":
        open.pop();
        nameComes = false;
        break;
      case ",":
        nameComes = open.at(-1) instanceof Set;
        break;
      case '"': {
        const end = endOfText(json, at);
        if (nameComes) {
          const name = nameIn(json, at, end);
          const names = open.at(-1);
          if (names?.has(name)) return name;
          names?.add(name);
          nameComes = false;
        }
        at = end;
      }
    }
  }
  return null;
}

/** Where the closing quote stands of the text that opens at `start`. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === '"') return at;
    if (json[at] === "\\") at++;
  }
  return json.length;
}

/** The same name may be written in other letters: `"a"` and `"\u0061"`. */
function nameIn(json: string, start: number, end: number): string {
  const written = json.slice(start + 1, end);
  return written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
}

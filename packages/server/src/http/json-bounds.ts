/** No request of ours is deeper than four brackets. */
const depthMax = 32;
/** No object of ours has ten names. */
const namesMax = 1_000;

const quote = 0x22;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Why a JSON text of any content is not worth parsing: its brackets are too deep, or an object has
 * too many names. Null: it is within bounds, or is not JSON. Reading 1 MiB so takes 2 ms; parsing
 * a million brackets, or listing a hundred thousand unknown fields, would take 50.
 */
export function outOfBounds(json: Uint8Array): string | null {
  const names: number[] = []; // of each object (or array) that is open
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case openArray:
      case openObject:
        if (names.push(0) > depthMax) return `got brackets deeper than the ${depthMax} allowed`;
        break;
      case closeArray:
      case closeObject:
        names.pop();
        break;
      case colon: {
        const count = (names.pop() ?? 0) + 1;
        if (count > namesMax) return `got an object of more than the ${namesMax} names allowed`;
        names.push(count);
        break;
      }
      case quote:
        at = endOfText(json, at);
    }
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

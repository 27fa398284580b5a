/** How many of each unit that a vendor counts offsets in a character takes. */
const sizes = {
  "UTF-8 bytes": bytesOf,
  "code points": () => 1,
  /** As JavaScript counts. */
  "UTF-16 code units": (codePoint: number) => (codePoint < 0x10000 ? 1 : 2),
} as const;

/** What a vendor counts offsets in. */
export type OffsetUnit = keyof typeof sizes;

const surrogate = /[\ud800-\udfff]/;
const beyondAscii = /[\u0080-\uffff]/;

/**
 * Turns offsets into a text from a vendor's unit into UTF-16 code units. Null: the offset lies
 * outside the text or within a character, so that it means nothing.
 */
export function offsetsIn(text: string, unit: OffsetUnit): (offset: number) => number | null {
  const within = (offset: number, last: number): boolean =>
    Number.isInteger(offset) && offset >= 0 && offset <= last;
  if (!(unit === "UTF-8 bytes" ? beyondAscii : surrogate).test(text)) {
    return (offset) => (within(offset, text.length) ? offset : null);
  }
  const places = placesOf(text, sizes[unit]);
  return (offset) => {
    const place = within(offset, places.length - 1) ? places[offset] : undefined;
    return place === undefined || place < 0 ? null : place;
  };
}

/** By offset in the unit: the UTF-16 offset, or -1 within a character. */
function placesOf(text: string, sizeOf: (codePoint: number) => number): Int32Array {
  const places = new Int32Array(text.length * 3 + 1).fill(-1); // no code unit takes more bytes
  let [offset, place] = [0, 0];
  for (const character of text) {
    places[offset] = place;
    offset += sizeOf(character.codePointAt(0) ?? 0);
    place += character.length;
  }
  places[offset] = place;
  return places.subarray(0, offset + 1);
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

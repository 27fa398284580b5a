/**
 * Orders two texts as their UTF-8 bytes are ordered, which is how the engine orders names. `<`
 * compares UTF-16 units, where a sign beyond U+FFFF begins with a unit below U+E000.
 */
export function byCodePoint(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (left !== right) return inOrder(left) - inOrder(right);
  }
  return one.length - other.length;
}

/** Lifts the units of signs beyond U+FFFF above all others. */
function inOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}

/** Of the ids that are made of cells: Sightline's namespace, with another last digit. */
const namespace = [0x5a0ba38e, 0x6d1f5f0c, 0x9d4e2f4f, 0x3a3f7c12].flatMap((word) => [
  word >>> 24,
  (word >>> 16) & 0xff,
  (word >>> 8) & 0xff,
  word & 0xff,
]);

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The id of an answer by the cells that tell it from all others: a UUID that stands alone is kept;
 * anything else becomes a UUIDv5 (RFC 9562) of the columns' names and cells, so that the same
 * export gives the same ids wherever it is read. Null: every cell is empty.
 */
export function stableId(
  cells: readonly { readonly name: string; readonly cell: string }[],
): string | null {
  if (cells.every(({ cell }) => cell === "")) return null;
  const [only, ...others] = cells;
  if (only !== undefined && others.length === 0 && uuid.test(only.cell)) {
    return only.cell.toLowerCase();
  }
  const named = cells.map(({ name, cell }) => `${name}=${cell}`).join("\n");
  const bytes = new TextEncoder().encode(named);
  const all = new Uint8Array(namespace.length + bytes.length);
  all.set(namespace);
  all.set(bytes, namespace.length);
  const hex = sha1(all);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const [low, mid] = [hex.slice(0, 8), hex.slice(8, 12)];
  return `${low}-${mid}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * SHA-1 (FIPS 180-4) in hexadecimal. The platform's own is asynchronous in a browser, and missing
 * where a page is not served over TLS.
 */
function sha1(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(length - 4, (bytes.length * 8) >>> 0);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words = new Uint32Array(80);
  for (let at = 0; at < length; at += 64) {
    for (let i = 0; i < 80; i++) {
      const mixed = word(words, i - 3) ^ word(words, i - 8) ^ word(words, i - 14);
      words[i] = i < 16 ? view.getUint32(at + i * 4) : rotated(mixed ^ word(words, i - 16), 1);
    }
    addBlock(state, words);
  }
  return state.map((part) => part.toString(16).padStart(8, "0")).join("");
}

function addBlock(state: number[], words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let i = 0; i < 80; i++) {
    const choice = (b & c) | (~b & d);
    const majority = (b & c) | (b & d) | (c & d);
    const [mixed, constant] =
      i < 20
        ? [choice, 0x5a827999]
        : i < 40
          ? [b ^ c ^ d, 0x6ed9eba1]
          : i < 60
            ? [majority, 0x8f1bbcdc]
            : [b ^ c ^ d, 0xca62c1d6];
    const next = (rotated(a, 5) + mixed + e + constant + word(words, i)) >>> 0;
    [a, b, c, d, e] = [next, a, rotated(b, 30), c, d];
  }
  for (const [i, part] of [a, b, c, d, e].entries()) state[i] = ((state[i] ?? 0) + part) >>> 0;
}

function word(words: Uint32Array, i: number): number {
  return words[i] ?? 0;
}

function rotated(value: number, bits: number): number {
  return ((value << bits) | (value >>> (32 - bits))) >>> 0;
}

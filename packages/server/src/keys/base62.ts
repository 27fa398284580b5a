const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Text of `length` characters, drawn uniformly from letters and digits with `random` bytes. */
export function randomBase62(length: number, random: (bytes: number) => Uint8Array): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random(length * 2)) {
      // 248 = 4 x 62: larger bytes would make the first letters more likely.
      if (byte < 248 && text.length < length) text += digits[byte % 62];
    }
  }
  return text;
}

/** A 32-bit number as six characters. */
export function base62Of(number: number): string {
  let text = "";
  for (let rest = number, place = 0; place < 6; place++) {
    text = (digits[rest % 62] ?? "") + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

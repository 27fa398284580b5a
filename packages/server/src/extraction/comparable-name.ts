import { CharacterBits } from "./character-table.ts";
import { comparableText } from "./comparable-text.ts";

/**
 * A name in the form that is compared with texts, in any case: two names with the same form cannot
 * be distinguished in a text. Do not display it: it may end in half a character.
 */
export function comparableName(name: string): string {
  const { units, length } = comparableText(name);
  const letters = Array.from(units.subarray(0, length), (bits) =>
    String.fromCharCode(bits & CharacterBits.unit),
  );
  return letters.join("").trim();
}

import { plainName } from "./provider-names.ts";

/** What people and other tools write, and no language of the platform has. */
const written: Readonly<Record<string, readonly string[]>> = {
  US: ["usa", "unitedstatesofamerica", "america"],
  GB: ["uk", "greatbritain", "england"],
  AE: ["uae"],
  CZ: ["czechrepublic"],
  HK: ["hongkong"],
  KR: ["korea", "southkorea"],
  MO: ["macau"],
  NL: ["holland", "thenetherlands"],
  TR: ["turkey"],
};

let known: ReadonlyMap<string, string> | null = null;

/**
 * The ISO 3166-1 code of a country as people write it: a code in either case, or a name in English
 * or German, such as `United States`. Null: it is none that is known.
 */
export function regionOf(name: string): string | null {
  const text = name.trim();
  if (/^[a-z]{2}$/i.test(text) && text.toUpperCase() !== "UK") return text.toUpperCase();
  known ??= names();
  return known.get(plainName(text)) ?? null;
}

function names(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((a) => letters.map((b) => `${a}${b}`));
  for (const language of ["en", "de"]) {
    const display = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) {
      const name = display.of(code);
      // A withdrawn code has the name of the one that replaced it.
      const current = new Intl.Locale(`und-${code}`).region;
      if (name !== undefined && current === code && !found.has(plainName(name))) {
        found.set(plainName(name), code);
      }
    }
  }
  for (const [code, others] of Object.entries(written)) {
    for (const name of others) found.set(name, code);
  }
  return found;
}

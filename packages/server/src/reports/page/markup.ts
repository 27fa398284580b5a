/** HTML that is safe to show: made by `html` alone. */
export class Markup {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** @param text HTML of ours, whose values are escaped. */
  static of(text: string): Markup {
    return new Markup(text);
  }
}

/** What may stand in HTML: texts are escaped; null and false stand for nothing. */
export type Shown = string | number | Markup | readonly Markup[] | null | false;

/**
 * HTML with values. Every text of a value is escaped, whatever is in it: names, answers and URLs
 * come from outside. Values may stand between tags and in quoted attributes, nowhere else.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Shown[]): Markup {
  const rest = values.map((value, at) => `${shown(value)}${parts[at + 1] ?? ""}`);
  return Markup.of(`${parts[0] ?? ""}${rest.join("")}`);
}

function shown(value: Shown): string {
  if (value === null || value === false) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return escapedText(String(value));
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters that HTML forbids, and marks that turn the direction of what follows. */
const unprintable = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu;

function escapedText(text: string): string {
  return text
    .toWellFormed()
    .replace(unprintable, "\ufffd")
    .replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}

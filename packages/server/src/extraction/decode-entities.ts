import { decodeHTMLStrict } from "entities/decode";
import { edited, type TextEdit } from "./text-edits.ts";

/** One entity. No name of HTML is longer, and no number that stands for a character. */
const entity = /&(?:#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,30});/g;
const entityHere = new RegExp(entity, "y");
/** With its `&` and semicolon. */
const entityCharactersMax = 33;

/**
 * Decodes HTML's entities once, numbers as browsers read them. Names that are none stay as they
 * are, as do entities without a semicolon.
 */
export function decodeEntities(text: string): string {
  return edited(text, entityEdits(text));
}

/** The edits by which `decodeEntities` decodes a text. */
export function entityEdits(text: string): readonly TextEdit[] {
  if (!text.includes("&")) return [];
  return Array.from(text.matchAll(entity), ({ 0: whole, index }) => entityEdit(whole, index));
}

/** The edit that decodes the entity which begins at `start`; null: none does. */
export function entityAt(text: string, start: number): TextEdit | null {
  entityHere.lastIndex = start;
  const whole = entityHere.exec(text)?.[0];
  return whole === undefined ? null : entityEdit(whole, start);
}

/** The edit that decodes the entity whose semicolon is at `last`; null: it ends none. */
export function entityEndingAt(text: string, last: number): TextEdit | null {
  const from = Math.max(0, last + 1 - entityCharactersMax);
  const start = text.slice(from, last + 1).lastIndexOf("&");
  const found = start === -1 ? null : entityAt(text, from + start);
  return found?.end === last + 1 ? found : null;
}

function entityEdit(whole: string, start: number): TextEdit {
  return { start, end: start + whole.length, replacement: decodeHTMLStrict(whole) };
}

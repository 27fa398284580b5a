import { decodeHTMLStrict } from "entities/decode";
import { edited, type TextEdit } from "./text-edits.ts";

/** One entity. No name of HTML is longer, and no number that stands for a character. */
const entity = /&(?:#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,30});/g;

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
  return Array.from(text.matchAll(entity), ({ 0: whole, index: start }) => {
    return { start, end: start + whole.length, replacement: decodeHTMLStrict(whole) };
  });
}

import { quoted } from "@sightline/contract";
import type { YAMLException } from "js-yaml";
import { aliasesMax, depthMax } from "./yaml-bounds.ts";

/** The parser's reasons where a YAML text probably needs quotes. */
const quotesMayBeMissing = new Set([
  "bad indentation of a mapping entry",
  "bad indentation of a sequence entry",
  "missed comma between flow collection entries",
]);

/** The parser's message where it helps, ours where it is for programmers. */
export function yamlFaultMessage({ reason, mark }: YAMLException, text: string): string {
  const rest = text.slice(mark?.position ?? 0);
  const before = text.slice(0, mark?.position ?? 0);
  const line = before.slice(before.lastIndexOf("\n") + 1) + firstLine(rest);
  if (quotesMayBeMissing.has(reason)) return quoteAdvice(line);
  if (reason === "duplicated mapping key") {
    const name = /^["']?([^"'\n:,{}]{1,60})/.exec(rest)?.[1] ?? "";
    return `The field ${quoted(name)} is given twice. Give each field once.`;
  }
  if (reason.startsWith("unidentified alias")) {
    const name = /"(.*)"/.exec(reason)?.[1] ?? "";
    return `The alias *${name} has no anchor &${name} before it. Quote a text that begins with *.`;
  }
  if (reason.startsWith("tab characters")) return "YAML must not be indented by tabs. Use spaces.";
  if (reason.startsWith("nesting exceeded")) {
    return `Lists and objects must not be nested more than ${depthMax} deep.`;
  }
  if (reason.startsWith("aliases exceeded")) {
    return `A file may use YAML aliases (*name) ${aliasesMax} times. This is one more.`;
  }
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

function quoteAdvice(line: string): string {
  // A field in block style: the text after its colon is the intended one.
  const [, field, meant] = /^[\s-]*(\w+):\s+(\S.*?)\s*$/.exec(line) ?? [];
  if (field === undefined || meant === undefined || /^[{[]/.test(meant)) {
    return (
      "The indentation is wrong, or a comma is missing, or a text needs quotes: one that has " +
      "`: ` or ` #` in it, or begins with one of the characters that YAML keeps for itself."
    );
  }
  const shown = meant.length > 80 ? "…" : meant;
  return `The text needs quotes. Write ${field}: ${JSON.stringify(shown)}`;
}

function firstLine(text: string): string {
  return text.slice(0, 500).split("\n", 1)[0] ?? "";
}

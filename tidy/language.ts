import { readMarkdown } from "./markdown.ts";
import type { Finding, Rule } from "./rule.ts";
import { isTypeScript } from "./sources.ts";
import { lineAt } from "./syntax.ts";

const isMarkdown = (path: string): boolean => path.endsWith(".md");

const columnsMax = 120;
/** A line that is one link, image or address cannot be broken; its target may be long. */
const oneLink = /^\s*(?:[-*+]\s+|\d+\.\s+)?(?:!?\[[^\]]*\]\([^)]*\)|<?https?:\S+)[.,;:]?$/;
const tableRow = /^\s*\|/;

const markdownWidth: Rule = {
  name: "markdown-width",
  remedy: "break the line; a sentence too long for that is two sentences.",
  check: (tree) =>
    tree.sources.flatMap(({ path, text }) => {
      if (!isMarkdown(path)) return [];
      const fenced = new Set(readMarkdown(text).fenced.map(({ line }) => line));
      return text.split("\n").flatMap((content, index): readonly Finding[] => {
        const size = [...content].length;
        if (size <= columnsMax || fenced.has(index + 1)) return [];
        if (tableRow.test(content) || oneLink.test(content)) return [];
        return [{ path, line: index + 1, message: `has ${size} columns`, size }];
      });
    }),
  refuses: {
    prose: { "a.md": `${"word ".repeat(24)}word` },
    "a list": { "docs/a.md": `- ${"word ".repeat(24)}` },
    "a link among other words": { "a.md": `See [a](${"a".repeat(110)}) and b.` },
  },
  accepts: {
    "120 columns, of whatever characters": { "a.md": `${"wörter ".repeat(17)}a` },
    "tables and fences": { "a.md": `| ${"a".repeat(120)} |\n\`\`\`\n${"a".repeat(121)}\n\`\`\`` },
    "one long link": { "a.md": `- [a](${"a".repeat(120)}).\n![${"a ".repeat(60)}](a.svg)` },
    "other files": { "a.txt": "a".repeat(121) },
  },
};

/** Between two words: spaces, or the end of a line and what begins the next line of a comment. */
const gap = "(?:[ \\t]+|[ \\t]*\\n[ \\t]*(?:\\*(?!/)|//|>)?[ \\t]*)";

// Put together, so that this file does not hold what it looks for.
const joined = (...words: readonly string[]): string => words.join(" ");
const who = ["who", "ever"].join("");
const beside = ["beside", "s"].join("");

/** Phrases that are not used, as patterns whose spaces are gaps, with what to write. */
const phrases: readonly (readonly [phrase: string, instead: string])[] = [
  [joined("apart", "by"), "separated by"],
  [joined("of", "late"), "recently"],
  [who, "the person or the thing, by name"],
  [joined("let(?:s|ting)?", "go", "of"), "evict, release or close"],
  [beside, "also, or in addition to"],
  [joined("(?<!there )is", "no(?! longer) (?=\\S)"), "is not a"],
  [joined("at", "once"), "immediately, or concurrently"],
  ["; allowed (?:is|are)", "must be …, got …"],
];

/** Phrases of Markdown and comments alone, since texts of the interface stay as published. */
const proseOnly: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: new RegExp(["\\ban", "ew\\b"].join(""), "gi"), instead: "again, rebuild, rewrite" },
  { pattern: /,\s+beside\b|\bBeside\b/g, instead: "next to, or in addition to" },
  {
    pattern: /(?<=^(?:[-*] )?|[.:;!?]\s+)Whom?\b(?!'s)(?![^.]*\?)/gm,
    instead: "the person or the thing, by name",
  },
];

const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/** Markdown as it is; of TypeScript its comments, at their places, each begun by a full stop. */
function proseOf(path: string, text: string): string {
  if (isMarkdown(path)) return text;
  let [prose, end] = ["", 0];
  for (const { 0: comment, index } of text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|[ \t])\/\/ .*/gm)) {
    const signs = /^\/\*\*?|^\/\/|^\s*\*(?!\/)/gm;
    const words = comment.replace(signs, (sign) =>
      sign.startsWith("/") ? ".".padStart(sign.length) : blank(sign),
    );
    prose += blank(text.slice(end, index)) + words;
    end = index + comment.length;
  }
  return prose;
}

const patterns = phrases.map(([phrase, instead]) => {
  const before = /^\w/.test(phrase) ? "\\b" : "";
  const after = /\w$/.test(phrase) ? "\\b" : "";
  const source = `${before}${phrase}${after}`;
  return { pattern: new RegExp(source.replaceAll(" ", gap), "gi"), instead };
});

type Phrase = (typeof proseOnly)[number];

function findPhrase(path: string, text: string, { pattern, instead }: Phrase): readonly Finding[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    path,
    line: lineAt(text, index),
    subject: found,
    message: `says "${found.trim()}"; write: ${instead}`,
  }));
}

const bannedPhrases: Rule = {
  name: "phrases",
  remedy: "write what the message names instead: the trade's word, or the thing itself.",
  check: (tree) =>
    tree.sources.flatMap(({ path, text }) =>
      !isMarkdown(path) && !isTypeScript(path)
        ? []
        : [
            ...patterns.flatMap((each) => findPhrase(path, text, each)),
            ...proseOnly.flatMap((each) => findPhrase(path, proseOf(path, text), each)),
          ],
    ),
  refuses: {
    "a list": { "a.md": `Items, ${joined("apart", "by")} commas.` },
    "a docstring": { "a.ts": `/** The entries used ${joined("of", "late")}. */` },
    "a comment": { "a.ts": `// ${who} reads it` },
    "a capital letter": { "a.md": `${who.replace("w", "W")} reads it.` },
    "an adverb": { "a.md": `It costs time ${beside}.` },
    eviction: { "a.md": `The cache ${joined("lets", "go", "of")} it.` },
    "a message": { "a.ts": `throw new Error(\`"\${text}" ${joined("is", "no")} duration\`);` },
    "a title of a test": { "a.test.ts": `test("two calls ${joined("at", "once")}", () => {});` },
    "a phrase broken over two lines of a comment": {
      "a.ts": [" * They start at", " * once."].join("\n"),
    },
    "a phrase broken over two lines of Markdown": { "a.md": ["They start at", "once."].join("\n") },
    "a word of another century": {
      "a.md": ["It is built an", "ew."].join(""),
      "a.ts": ["// Built an", "ew.\nf();"].join(""),
    },
    "a preposition that adds": { "a.md": "Fields are added, beside those of the RFC." },
    "a sentence without its subject": { "a.md": "It stops. Who waits is told." },
    "a docstring without its subject": { "a.ts": ["/** Wh", "om the service calls. */"].join("") },
    "the form of a message": { "a.ts": `say("got 0${"; allowed"} is 1");` },
  },
  accepts: {
    "words that contain them": { "a.md": "The beside-case, a chocolate, is now at oncelling." },
    "other uses of no": { "a.md": "There is no page. It is no longer there. It is not a page." },
    "a place": { "a.md": "The copy lies beside the file." },
    "a question": { "a.md": `${"Who"} is asked? The vendor.` },
    "names and texts that are no prose": {
      "a.ts": ["const an", 'ew = say("Who is asked.");'].join(""),
    },
    "other files": { "a.txt": joined("at", "once") },
  },
};

/** How sentences are written, as far as a machine can tell. */
export const languageRules: readonly Rule[] = [markdownWidth, bannedPhrases];

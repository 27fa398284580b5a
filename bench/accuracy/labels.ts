import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnswerContent, NameRule } from "../../packages/server/src/extraction/index.ts";

/** An entity that a label tracks, with the fields of the workspace file. */
export interface TrackedEntity {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly domains: readonly string[];
  readonly except?: readonly string[];
  readonly caseSensitive?: boolean;
}

/** Where a reader sees an entity named: [start, end) in UTF-16 units of the text. */
export interface NamedPlace {
  /** The entity's name, however it is written there. */
  readonly entity: string;
  readonly start: number;
  readonly end: number;
}

/** A cited page in its canonical form, and its domain. */
export interface CitedPage {
  readonly canonicalUrl: string;
  readonly domain: string;
}

/** What a reader, or a rule, finds in an answer. */
export interface Reading {
  readonly mentions: readonly NamedPlace[];
  /** The entities named, by rank. */
  readonly ranks: readonly string[];
  /** Each page once. */
  readonly citations: readonly CitedPage[];
}

/** An answer, what is tracked in it, and what a reader found. */
export interface LabelledAnswer {
  readonly id: string;
  /** The script of the text; null where the label does not say. */
  readonly script: string | null;
  /** The difficulty that the text is about; null where it is a real answer. */
  readonly about: string | null;
  readonly answer: AnswerContent;
  readonly entities: readonly TrackedEntity[];
  readonly labels: Reading;
}

/** A line of a file of labels; docs/guide/accuracy.md describes them. */
interface LabelLine extends Reading {
  readonly id: string;
  readonly entities: readonly TrackedEntity[];
  readonly mentions: readonly (NamedPlace & { readonly written: string })[];
}

interface TextLine extends LabelLine {
  readonly script: string;
  readonly about: string;
  readonly text: string;
  readonly cites: readonly string[];
  readonly retrieved: readonly string[];
}

/** Of what is not in the repository: where it lies, from the folder of the data, and its hash. */
interface ElsewhereLine extends LabelLine {
  readonly file: string;
  /** Of the answer's text, or of a reply's file, in hexadecimal digits. */
  readonly sha256: string;
}

interface ReplyLine extends ElsewhereLine {
  /** The cited URLs, as JSON Pointers into the file. */
  readonly cites: readonly string[];
}

/** An entity's names, as the extraction takes them. */
export function namesOf({ name, aliases, caseSensitive }: TrackedEntity): readonly NameRule[] {
  const own = { text: name, caseSensitive: caseSensitive === true };
  return [own, ...aliases.map((text) => ({ text, caseSensitive: false }))];
}

/** The labelled texts of the repository. */
export function readTexts(): readonly LabelledAnswer[] {
  return linesOf<TextLine>(join(import.meta.dirname, "texts.ndjson")).map((line) => {
    const { text, cites, retrieved, script, about } = line;
    const citations = [
      ...cites.map((url) => ({ url, cited: true })),
      ...retrieved.map((url) => ({ url, cited: false })),
    ];
    return checked(line, { script, about, answer: { text, citations } });
  });
}

/**
 * The labelled real answers and recorded replies of providers, which are not in the repository. Of
 * replies only the cited pages are labelled; they track nobody.
 *
 * @param folder where they are; null when they are not there.
 */
export function readRealAnswers(folder: string): readonly LabelledAnswer[] | null {
  const answers = linesOf<ElsewhereLine>(join(import.meta.dirname, "real-answers.ndjson"));
  const replies = linesOf<ReplyLine>(join(import.meta.dirname, "recorded-replies.ndjson"));
  const files = new Set([...answers, ...replies].map(({ file }) => file));
  if (![...files].every((file) => existsSync(join(folder, file)))) return null;
  const real = { script: null, about: null };
  return [
    ...answersIn(folder, answers).map(([line, answer]) => checked(line, { ...real, answer })),
    ...replies.map((line) => checked(line, { ...real, answer: replyIn(folder, line) })),
  ];
}

function answersIn(
  folder: string,
  lines: readonly ElsewhereLine[],
): readonly (readonly [ElsewhereLine, AnswerContent])[] {
  const answers = new Map(
    [...new Set(lines.map(({ file }) => file))]
      .flatMap((file) => linesOf<AnswerContent & { id: string }>(join(folder, file)))
      .map((answer) => [answer.id, answer]),
  );
  return lines.map((line) => {
    const answer = answers.get(line.id);
    if (answer === undefined) throw new Error(`${line.file} lacks the answer ${line.id}.`);
    checkHash(line, answer.text);
    return [line, answer];
  });
}

function replyIn(folder: string, line: ReplyLine): AnswerContent {
  const bytes = readFileSync(join(folder, line.file), "utf8");
  checkHash(line, bytes);
  const reply: unknown = JSON.parse(bytes);
  return {
    text: "",
    citations: line.cites.map((at) => ({ url: stringAt(reply, at), cited: true })),
  };
}

/** The string at a JSON Pointer whose keys have no signs. */
function stringAt(value: unknown, pointer: string): string {
  let found = value;
  for (const key of pointer.split("/").slice(1)) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined;
  }
  if (typeof found !== "string") throw new Error(`There is no string at ${pointer}.`);
  return found;
}

function checkHash({ id, sha256 }: ElsewhereLine, text: string): void {
  if (createHash("sha256").update(text).digest("hex") !== sha256) {
    throw new Error(`${id}: the text is not the one that was labelled.`);
  }
}

function linesOf<Line>(path: string): readonly Line[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line): Line => JSON.parse(line));
}

/** Throws where a label contradicts itself or its text: an offset is easily one off. */
function checked(
  line: LabelLine,
  about: Pick<LabelledAnswer, "script" | "about" | "answer">,
): LabelledAnswer {
  const { id, entities, mentions, ranks, citations } = line;
  const names = new Set(entities.map(({ name }) => name));
  let end = 0;
  for (const place of mentions) {
    const written = about.answer.text.slice(place.start, place.end);
    if (written !== place.written || place.start < end || !names.has(place.entity)) {
      throw new Error(`${id}: the label at ${place.start} does not fit, there is "${written}".`);
    }
    end = place.end;
  }
  if (ranks.join() !== ranksOf(mentions).join()) throw new Error(`${id}: ranks do not fit.`);
  return { ...about, id, entities, labels: { mentions, ranks, citations } };
}

/** The entities in the order of their first mentions. */
export function ranksOf(mentions: readonly NamedPlace[]): readonly string[] {
  return [...new Set(mentions.map(({ entity }) => entity))];
}

import { createHash } from "node:crypto";
import type { Workspace } from "../accounts/workspace.ts";
import { toRule } from "../accounts/workspace.ts";
import type { Answer } from "../answers/answer.ts";
import type { Reading, ReadingLineage } from "../answers/readings/reading-store.ts";
import { canonicalUrl, compileNameMatcher, verifiedReply } from "../extraction/index.ts";
import type { ReaderConfig } from "./reader-config.ts";
import { isObject } from "./vendors/read-json.ts";
import { readerMessage, readerPromptHash, readerPromptVersion } from "./vendors/reader.ts";

/** A longer text is not read: a model would lose most of it, at a high price. */
const textCharactersMax = 100_000;
/** Pages of a finding: more stand behind no sentence. */
const pagesMax = 5;

/** What a model is asked about an answer, and what of its reply counts. */
export interface AnswerReader {
  /** Null: there is nothing to ask: the answer names nobody, or its text is gone or too long. */
  readonly askedOf: (answer: Answer) => {
    readonly message: string;
    readonly names: number;
  } | null;
  /** Null: the reply has no findings as JSON, or there is nothing to ask. */
  readonly read: (
    answer: Answer,
    reply: string,
  ) => Pick<Reading, "mentioned" | "findings" | "dropped"> | null;
}

/** Compiles the reader of an account's answers. */
export function answerReader({ entities }: Pick<Workspace, "entities">): AnswerReader {
  const placesOf = compileNameMatcher(entities.map(toRule));
  const locatedOf = ({ outcome, text, removedText }: Answer) => {
    const isRead = outcome === "answered" && removedText === undefined;
    if (!isRead || text.length > textCharactersMax) return null;
    const places = placesOf(text);
    const mentioned = [...new Set(places.map(({ entity }) => entity))];
    const named = mentioned.flatMap((index) => {
      const entity = entities[index];
      return entity === undefined ? [] : [{ index, id: entity.id, name: entity.name }];
    });
    return named.length === 0 ? null : { places, named };
  };
  return {
    askedOf: (answer) => {
      const located = locatedOf(answer);
      if (located === null) return null;
      const names = located.named.map(({ name }) => name);
      return { message: readerMessage(names, answer.text), names: names.length };
    },
    read: (answer, reply) => {
      const located = locatedOf(answer);
      if (located === null) return null;
      const { places, named } = located;
      const names = new Map(named.map(({ name, index }) => [name, index]));
      const verified = verifiedReply(reply, { text: answer.text, places, names });
      if (verified === null) return null;
      const canonical = answer.citations.map(({ url }) => canonicalUrl(url));
      const ids = new Map(named.map(({ index, id }) => [index, id]));
      const findings = verified.findings.map(({ entity, ...finding }) => ({
        ...finding,
        entityId: ids.get(entity) ?? "",
        pages: pagesOf(answer, canonical, finding),
      }));
      return { mentioned: named.map(({ id }) => id), findings, dropped: verified.dropped };
    },
  };
}

/** The pages that an answer cites in the line of a quote. */
function pagesOf(
  { text, citations }: Answer,
  canonical: readonly (string | null)[],
  { start, end }: { readonly start: number; readonly end: number },
): readonly string[] {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const to = next < 0 ? text.length : next;
  const pages = citations.flatMap(({ cited, spans = [] }, index) => {
    const isHere = cited && spans.some(([first, last]) => first < to && last > from);
    return isHere ? [canonical[index] ?? null] : [];
  });
  return [...new Set(pages)].filter((page) => page !== null).slice(0, pagesMax);
}

/** What a configured reader is asked with. */
export function lineageOf({ endpoint, model, parameters }: ReaderConfig): ReadingLineage {
  const prompt = { promptVersion: readerPromptVersion, promptHash: readerPromptHash };
  return { host: endpoint.host, model, ...prompt, parameters };
}

/** What a kept request was asked with; null: it is not one of a reader. */
export function lineageOfKept(host: string, body: unknown): ReadingLineage | null {
  if (!isObject(body)) return null;
  const { model, prompt, ...parameters } = body;
  if (typeof model !== "string" || !isObject(prompt)) return null;
  const { version, hash } = prompt;
  if (typeof version !== "number" || typeof hash !== "string") return null;
  return { host, model, promptVersion: version, promptHash: hash, parameters };
}

/** Identifies a reader: numbers of two are never mixed. */
export function readerIdOf({ host, model, promptHash, parameters }: ReadingLineage): string {
  const text = JSON.stringify([host, model, promptHash, parameters]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

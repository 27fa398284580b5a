import { type FieldError, quoted } from "@sightline/contract";
import type { DeclaredPrompt } from "../../accounts/account-store.ts";
import type { AnswerLine } from "./answer-schema.ts";

/**
 * Unknown texts for which a suggestion is searched: each search reads all prompts, and a file may
 * have a new unknown text on each of a million lines.
 */
const searchesMax = 100;
/** A text is near when its common beginning and end are this share of the longer text. */
const nearShareMin = 0.7;

/** All prompts that an account ever declared, by id and by text. */
export class PromptIndex {
  readonly #textOf = new Map<string, string>();
  readonly #idOf = new Map<string, string | null>();
  readonly #nearest = new Map<string, string | null>();

  constructor(prompts: readonly DeclaredPrompt[]) {
    // An active prompt takes precedence over a retired one with the same text.
    for (const retired of [true, false]) {
      const texts = new Set<string>();
      for (const { id, text } of prompts.filter((prompt) => prompt.retired === retired)) {
        this.#textOf.set(id, text);
        this.#idOf.set(text, texts.has(text) ? null : id);
        texts.add(text);
      }
    }
  }

  /** The current text of a prompt; undefined when the account never declared it. */
  textOf(id: string): string | undefined {
    return this.#textOf.get(id);
  }

  /**
   * The prompt with exactly this text; undefined when there is none, null when there are several:
   * active ones, which have ids of their own, or only retired ones.
   */
  idOf(text: string): string | null | undefined {
    return this.#idOf.get(text);
  }

  /**
   * The text most likely meant by an unknown one; null when none is near, or after searchesMax
   * searches.
   */
  nearest(text: string): string | null {
    const found = this.#nearest.get(text);
    if (found !== undefined) return found;
    if (this.#nearest.size >= searchesMax) return null;
    const nearest = nearestText(text, this.#idOf.keys());
    this.#nearest.set(text, nearest);
    return nearest;
  }
}

/** The text that shares the largest beginning and end with a given one. */
function nearestText(given: string, texts: Iterable<string>): string | null {
  const wanted = given.trim().toLowerCase();
  let nearest: string | null = null;
  let largest = nearShareMin;
  for (const text of texts) {
    if (Math.abs(text.length - given.length) > given.length) continue;
    const share = sharedEnds(wanted, text.trim().toLowerCase());
    if (share <= largest) continue;
    nearest = text;
    largest = share;
  }
  return nearest;
}

/** The share of the longer of two texts that is their common beginning and end, from 0 to 1. */
function sharedEnds(one: string, other: string): number {
  const [shorter, longer] = [
    Math.min(one.length, other.length),
    Math.max(one.length, other.length),
  ];
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return longer === 0 ? 0 : (start + end) / longer;
}

/**
 * The id of the prompt that a line answers, from `promptId` or from the text `prompt`; or a fault.
 */
export function promptOfLine(
  { promptId, prompt }: AnswerLine,
  prompts: PromptIndex,
): string | FieldError {
  if (promptId === undefined || promptId === null) {
    return prompt === undefined || prompt === null ? neitherGiven : byText(prompt, prompts);
  }
  const text = prompts.textOf(promptId);
  if (text === undefined) {
    const message =
      `${promptId} is not a prompt of this account. ` +
      "Apply a workspace file that declares it, then import again.";
    return { path: "/promptId", code: "not_allowed", message };
  }
  if (prompt === undefined || prompt === null || prompt === text) return promptId;
  const message =
    `${quoted(prompt)} is not the text of prompt ${promptId}, which is ${quoted(text)}. ` +
    "Give one of promptId and prompt.";
  return { path: "/prompt", code: "not_allowed", message };
}

const neitherGiven: FieldError = {
  path: "/promptId",
  code: "missing",
  message: "is required, unless prompt gives the prompt's text.",
};

function byText(text: string, prompts: PromptIndex): string | FieldError {
  const id = prompts.idOf(text);
  if (typeof id === "string") return id;
  return { path: "/prompt", code: "not_allowed", message: unknownText(text, id, prompts) };
}

function unknownText(text: string, id: null | undefined, prompts: PromptIndex): string {
  if (id === null) return `${quoted(text)} is the text of several prompts. Give promptId.`;
  const nearest = prompts.nearest(text);
  const advice =
    nearest === null
      ? "Apply a workspace file that declares it, then import again."
      : `Did you mean ${quoted(nearest)}?`;
  return `${quoted(text)} is not the text of a prompt of this account. ${advice}`;
}

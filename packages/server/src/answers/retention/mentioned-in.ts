import { type Entity, toRule } from "../../accounts/workspace.ts";
import { compileExtractor } from "../../extraction/index.ts";
import type { TextRemoval } from "../answer-store.ts";

/** Compiles what tells which of these entities an answer mentions, in order of first mention. */
export function compileMentionedIn(entities: readonly Entity[]): TextRemoval["mentionedIn"] {
  const extract = compileExtractor(entities.map(toRule));
  return (answer) => extract(answer).mentions.flatMap((place) => entities[place]?.id ?? []);
}

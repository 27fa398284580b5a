import { countOf } from "../data/format.ts";
import type { Draft, DraftEntity, DraftName, DraftPrompt } from "./draft.ts";

/** Values that a line names; more are counted. */
const namedMax = 6;

/** What an edit changes of each item that there was before, in words, by the item's id. */
export function editedFields(base: Draft, draft: Draft): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const compare = <Item extends { readonly id: string | undefined }>(
    before: readonly Item[],
    after: readonly Item[],
    wordsOf: (one: Item, other: Item) => readonly string[],
  ): void => {
    const known = new Map(before.map((item) => [item.id, item]));
    for (const item of after) {
      const its = item.id === undefined ? undefined : known.get(item.id);
      const words = its === undefined ? [] : wordsOf(its, item);
      if (item.id !== undefined && words.length > 0) found.set(item.id, words);
    }
  };
  const entities = ({ brand, competitors }: Draft) => [brand, ...competitors];
  compare(entities(base), entities(draft), entityWords);
  compare(base.topics, draft.topics, (one, other) => textWords("name", one.name, other.name));
  const topicName = ({ topics }: Draft, key: string | null) =>
    topics.find((each) => each.key === key)?.name ?? "none";
  compare(base.prompts, draft.prompts, (one, other) => [
    ...promptWords(one, other),
    ...textWords("topic", topicName(base, one.topic), topicName(draft, other.topic)),
  ]);
  return found;
}

function entityWords(one: DraftEntity, other: DraftEntity): readonly string[] {
  return [
    ...textWords("name", nameText(one), nameText(other)),
    ...listWords("alias", one.aliases.map(nameText), other.aliases.map(nameText)),
    ...listWords("domain", one.domains, other.domains),
  ];
}

function promptWords(one: DraftPrompt, other: DraftPrompt): readonly string[] {
  const branded = ({ branded }: DraftPrompt) =>
    branded === null ? "by its text" : branded ? "yes" : "no";
  return [
    ...textWords("text", one.text, other.text),
    ...textWords("branded", branded(one), branded(other)),
    ...textWords("paused", one.paused ? "yes" : "no", other.paused ? "yes" : "no"),
  ];
}

const nameText = ({ name, caseSensitive }: DraftName): string =>
  caseSensitive ? `${name} (only as it is written)` : name;

function textWords(field: string, before: string, after: string): readonly string[] {
  return before === after ? [] : [`${field}: ${before} → ${after}`];
}

function listWords(noun: string, before: readonly string[], after: readonly string[]) {
  const words = (verb: string, values: readonly string[]): readonly string[] => {
    if (values.length === 0) return [];
    const more = values.length - namedMax;
    const named = values.slice(0, namedMax).join(", ");
    return [`${noun} ${verb}: ${named}${more > 0 ? `, and ${countOf(more, "other")}` : ""}`];
  };
  return [
    ...words(
      "added",
      after.filter((each) => !before.includes(each)),
    ),
    ...words(
      "removed",
      before.filter((each) => !after.includes(each)),
    ),
  ];
}

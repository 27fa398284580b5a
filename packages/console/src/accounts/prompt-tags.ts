import { foldedTag } from "@sightline/contract/tags";

/** Writes tags as they are known; those that are not become known. */
export type Speller = (tags: readonly string[]) => readonly string[];

interface Tagged {
  readonly tags: readonly string[];
}

/** The tags of prompts, in alphabetical order. */
export function tagsOfPrompts(prompts: readonly Tagged[]): readonly string[] {
  return [...new Set(prompts.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b));
}

/** A tag has one spelling in a workspace: the one that prompts have already. */
export function spellerOf(prompts: readonly Tagged[]): Speller {
  const spellings = new Map(tagsOfPrompts(prompts).map((tag) => [foldedTag(tag), tag]));
  return (tags) => {
    const spelled = tags.map((tag) => {
      const known = spellings.get(foldedTag(tag)) ?? tag;
      spellings.set(foldedTag(tag), known);
      return known;
    });
    return [...new Set(spelled)];
  };
}

/** The tags that a text lists, separated by commas, semicolons or bars. */
export function tagsOfText(text: string): readonly string[] {
  const tags = text.split(/[,;|]/).map((tag) => tag.replaceAll(/\s+/g, " ").trim());
  return tags.filter((tag) => tag !== "");
}

/** What is done with the tags of several prompts. */
export interface TagEdit {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** Prompts of which those with some keys have tags too, or have them no more. */
export function retagged<Prompt extends Tagged & { readonly key: string }>(
  prompts: readonly Prompt[],
  keys: ReadonlySet<string>,
  { add = [], remove = [] }: TagEdit,
): readonly Prompt[] {
  const spelled = spellerOf(prompts);
  const gone = new Set(remove.map(foldedTag));
  return prompts.map((prompt) => {
    if (!keys.has(prompt.key)) return prompt;
    const left = prompt.tags.filter((tag) => !gone.has(foldedTag(tag)));
    return { ...prompt, tags: spelled([...left, ...add]) };
  });
}

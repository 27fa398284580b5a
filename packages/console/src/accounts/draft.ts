import type { DeclaredWorkspaceResponse, WorkspaceFile } from "@sightline/client";
import { randomId } from "../data/random-id.ts";

/** A name under which an entity is mentioned. */
export interface DraftName {
  readonly name: string;
  readonly caseSensitive: boolean;
}

/** What every item of a draft has: `key` names it here; `id` is undefined until it is saved. */
interface DraftItem {
  readonly key: string;
  readonly id: string | undefined;
}

/** The brand or a competitor, as it is edited. */
export interface DraftEntity extends DraftItem, DraftName {
  readonly aliases: readonly DraftName[];
  readonly domains: readonly string[];
  /** Phrases inside which its names are not mentions. */
  readonly except: readonly string[];
}

type Declared = DeclaredWorkspaceResponse;

/** A topic, as it is edited. */
export interface DraftTopic extends DraftItem, Pick<Declared["topics"][number], "collection"> {
  readonly name: string;
}

/** A prompt, as it is edited. */
export interface DraftPrompt extends DraftItem, Pick<Declared["prompts"][number], "collection"> {
  readonly text: string;
  /** The key of a topic; null: none. */
  readonly topic: string | null;
  /** Null: what the text says. */
  readonly branded: boolean | null;
  readonly paused: boolean;
}

/** What an account tracks, as it is edited; how it is collected stays as the file says. */
export interface Draft extends Pick<Declared, "collection"> {
  readonly account: { readonly id: string; readonly name: string };
  readonly brand: DraftEntity;
  readonly competitors: readonly DraftEntity[];
  readonly topics: readonly DraftTopic[];
  readonly prompts: readonly DraftPrompt[];
}

/** The lists of a draft. */
export type DraftList = "competitors" | "topics" | "prompts";

/** A key for an item that is new here. */
export const newKey = (): string => `new-${randomId()}`;

/** A new entity without anything. */
export const plainEntity = (name = ""): DraftEntity => ({
  ...{ key: newKey(), id: undefined, name, caseSensitive: false },
  ...{ aliases: [], domains: [], except: [] },
});

/** A new prompt. */
export const plainPrompt = (text: string, topic: string | null): DraftPrompt => ({
  ...{ key: newKey(), id: undefined, text, topic, branded: null, paused: false },
});

/** The draft of what is tracked: nothing is changed yet. */
export function draftOf(file: DeclaredWorkspaceResponse): Draft {
  const topics = file.topics.map((topic) => ({ key: topic.id, ...topic }));
  const keys = new Map(topics.map(({ name, key }) => [name, key]));
  return {
    account: file.account,
    ...collectionOf(file),
    brand: draftEntity(file.brand),
    competitors: file.competitors.map(draftEntity),
    topics,
    prompts: file.prompts.map(({ id, text, topic, branded, paused, collection }) => ({
      ...{ key: id, id, text, paused, ...collectionOf({ collection }) },
      topic: topic === undefined ? null : (keys.get(topic) ?? null),
      branded: branded ?? null,
    })),
  };
}

function draftEntity({ except = [], ...entity }: Declared["brand"]): DraftEntity {
  return { key: entity.id, ...entity, except };
}

/** What is omitted stays omitted. */
function collectionOf<Rule>({ collection }: { readonly collection?: Rule | undefined }) {
  return collection === undefined ? {} : { collection };
}

/** The workspace file of a draft. Its lists are in the draft's order, by which faults are found. */
export function fileOfDraft(draft: Draft): WorkspaceFile {
  const names = new Map(draft.topics.map(({ key, name }) => [key, name]));
  return {
    account: { ...draft.account },
    ...collectionOf(draft),
    brand: fileEntity(draft.brand),
    competitors: draft.competitors.map(fileEntity),
    topics: draft.topics.map(({ id, name, collection }) => {
      return { ...(id === undefined ? {} : { id }), name, ...collectionOf({ collection }) };
    }),
    prompts: draft.prompts.map(({ id, text, topic, branded, paused, collection }) => {
      const topicName = topic === null ? undefined : names.get(topic);
      return {
        ...(id === undefined ? {} : { id }),
        text,
        ...(topicName === undefined ? {} : { topic: topicName }),
        ...(branded === null ? {} : { branded }),
        ...(paused ? { paused } : {}),
        ...collectionOf({ collection }),
      };
    }),
  };
}

function fileEntity({ id, name, caseSensitive, aliases, domains, except }: DraftEntity) {
  return {
    ...(id === undefined ? {} : { id }),
    name,
    ...(caseSensitive ? { caseSensitive } : {}),
    aliases: aliases.map((each) => (each.caseSensitive ? { ...each } : each.name)),
    domains: [...domains],
    ...(except.length === 0 ? {} : { except: [...except] }),
  };
}

/** The draft with an entity as it was edited: the brand, a competitor, or a new one at the end. */
export function withEntity(draft: Draft, entity: DraftEntity): Draft {
  const { brand, competitors } = draft;
  if (entity.key === brand.key) return { ...draft, brand: entity };
  const at = competitors.findIndex(({ key }) => key === entity.key);
  if (at < 0) return { ...draft, competitors: [...competitors, entity] };
  return { ...draft, competitors: competitors.with(at, entity) };
}

/** The draft with a prompt as it was edited; at the end when others took it out meanwhile. */
export function withPrompt(draft: Draft, prompt: DraftPrompt): Draft {
  const { prompts } = draft;
  const at = prompts.findIndex(({ key }) => key === prompt.key);
  return { ...draft, prompts: at < 0 ? [...prompts, prompt] : prompts.with(at, prompt) };
}

/** How an item of a draft differs from what is saved. */
export type ItemState = "same" | "new" | "changed";

/** What a draft changes. */
export interface DraftChanges {
  readonly count: number;
  readonly stateOf: (item: DraftItem) => ItemState;
  /** What was taken out of a list, in the saved order. */
  readonly removed: {
    readonly [List in DraftList]: readonly Draft[List][number][];
  };
}

/** What a draft changes of what is saved. */
export function changesOf(base: Draft, draft: Draft): DraftChanges {
  const saved = new Map(itemsOf(base).map((item) => [item.key, JSON.stringify(item)]));
  const states = new Map(itemsOf(draft).map((item) => [item.key, stateIn(saved, item)]));
  const gone = <Item extends DraftItem>(items: readonly Item[]): readonly Item[] =>
    items.filter(({ key }) => !states.has(key));
  const removed = {
    competitors: gone(base.competitors),
    topics: gone(base.topics),
    prompts: gone(base.prompts),
  };
  const removedCount = Object.values(removed).reduce((sum, { length }) => sum + length, 0);
  const renamed = base.account.name === draft.account.name ? 0 : 1;
  const changed = [...states.values()].filter((state) => state !== "same").length;
  return {
    count: changed + removedCount + renamed,
    stateOf: ({ key }) => states.get(key) ?? "same",
    removed,
  };
}

function stateIn(saved: ReadonlyMap<string, string>, item: DraftItem): ItemState {
  const before = saved.get(item.key);
  if (before === undefined) return "new";
  return before === JSON.stringify(item) ? "same" : "changed";
}

const itemsOf = ({ brand, competitors, topics, prompts }: Draft): readonly DraftItem[] => [
  ...[brand, ...competitors, ...topics, ...prompts],
];

/**
 * What somebody else saved, with one's own edits made to it: each field that the draft changed is
 * the draft's, every other one theirs.
 */
export function mergedDraft(base: Draft, mine: Draft, theirs: Draft): Draft {
  const list = <Item extends DraftItem>(of: (draft: Draft) => readonly Item[]): readonly Item[] => {
    const before = byKey(of(base));
    const kept = byKey(of(mine));
    const current = of(theirs);
    const there = new Set(current.map(({ key }) => key));
    return [
      ...current
        .filter(({ key }) => kept.has(key) || !before.has(key))
        .map((item) => mergedItem(before.get(item.key), kept.get(item.key), item)),
      // What they took out and is edited here stays, as does what is new here.
      ...of(mine).filter((item) => {
        if (there.has(item.key)) return false;
        return JSON.stringify(before.get(item.key)) !== JSON.stringify(item);
      }),
    ];
  };
  return {
    account: mergedItem(base.account, mine.account, theirs.account),
    ...collectionOf(theirs),
    brand: mergedItem(base.brand, mine.brand, theirs.brand),
    competitors: list((draft) => draft.competitors),
    topics: list((draft) => draft.topics),
    prompts: list((draft) => draft.prompts),
  };
}

const byKey = <Item extends DraftItem>(items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [item.key, item]));

function mergedItem<Item extends object>(
  before: Item | undefined,
  mine: Item | undefined,
  theirs: Item,
): Item {
  if (before === undefined || mine === undefined) return mine ?? theirs;
  const own = Object.entries(mine).filter(([field, value]) => {
    return JSON.stringify(value) !== JSON.stringify(before[field as keyof Item]);
  });
  return { ...theirs, ...Object.fromEntries(own) };
}

import { countOf } from "../data/format.ts";
import {
  collectionOf,
  type Draft,
  type DraftEntity,
  type DraftItem,
  type DraftList,
  type DraftName,
  type DraftPrompt,
  ignoredOf,
} from "./draft.ts";

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
  const ruled = isSameRule(base.collection, draft.collection) ? 0 : 1;
  const changed = [...states.values()].filter((state) => state !== "same").length;
  return {
    count: changed + removedCount + renamed + ruled + ignoredChanges(base, draft),
    stateOf: ({ key }) => states.get(key) ?? "same",
    removed,
  };
}

/** How many names are ignored on one side alone. */
function ignoredChanges({ ignoredNames: before = [] }: Draft, { ignoredNames: after = [] }: Draft) {
  return without(before, after).length + without(after, before).length;
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const gone = new Set(others);
  return names.filter((name) => !gone.has(name));
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
 * What was saved in the meantime, with the draft's edits on top: each field that the draft changed
 * is the draft's, every other one theirs.
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
    ...mergedRules(base.collection, mine.collection, theirs.collection),
    ...mergedIgnored(base, mine, theirs),
    brand: mergedItem(base.brand, mine.brand, theirs.brand),
    competitors: list((draft) => draft.competitors),
    topics: list((draft) => draft.topics),
    prompts: list((draft) => draft.prompts),
  };
}

function mergedIgnored(base: Draft, mine: Draft, theirs: Draft) {
  const [before, own] = [base.ignoredNames ?? [], mine.ignoredNames ?? []];
  const kept = without(theirs.ignoredNames ?? [], without(before, own));
  const ignoredNames = [...kept, ...without(without(own, before), kept)];
  const isNone = theirs.ignoredNames === undefined && ignoredNames.length === 0;
  return isNone ? {} : ignoredOf({ ignoredNames });
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

type Rules = NonNullable<Draft["collection"]>;

/** As `mergedItem`, for what may have no field at all: one that was taken out goes. */
function mergedRules(before: Rules = {}, mine: Rules = {}, theirs: Rules = {}) {
  const fields = new Set([...Object.keys(before), ...Object.keys(mine)] as (keyof Rules)[]);
  const own = [...fields].filter((field) => !isSameRule(before[field], mine[field]));
  const rules = Object.entries({ ...theirs, ...mine }).filter(([name]) => {
    const field = name as keyof Rules;
    return own.includes(field) ? field in mine : field in theirs;
  });
  const merged = rules.map(([name, value]) => {
    const field = name as keyof Rules;
    return [name, own.includes(field) ? value : theirs[field]];
  });
  return collectionOf({
    collection: merged.length === 0 ? undefined : (Object.fromEntries(merged) as Rules),
  });
}

/** Whether two rules say the same: the order of their fields says nothing. */
export function isSameRule(one: unknown, other: unknown): boolean {
  return JSON.stringify(ordered(one ?? null)) === JSON.stringify(ordered(other ?? null));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, each]) => [name, ordered(each)]);
}

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
  const rules = [
    ...ruleWords(base.collection, draft.collection),
    ...listWords("ignored name", base.ignoredNames ?? [], draft.ignoredNames ?? []),
  ];
  if (rules.length > 0) found.set(draft.account.id, rules);
  return found;
}

const ruleNames: Readonly<Record<keyof Rules, string>> = {
  cron: "schedule",
  timeZone: "time zone",
  providers: "providers",
  regions: "countries",
  samples: "samples",
  caps: "caps",
  mixSurfaces: "both surfaces",
};

/** What of collection is edited, in words. */
function ruleWords(before: Rules = {}, after: Rules = {}): readonly string[] {
  return (Object.keys(ruleNames) as (keyof Rules)[]).flatMap((field) => {
    const [one, other] = [before[field], after[field]];
    if (isSameRule(one, other)) return [];
    return textWords(`collection, ${ruleNames[field]}`, ruleText(one), ruleText(other));
  });
}

function ruleText(value: unknown): string {
  if (value === undefined) return "none";
  if (Array.isArray(value)) return value.map(ruleText).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${ruleText(each)}`)
    .join(" ");
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
    ...listWords("tag", one.tags, other.tags),
    ...textWords("branded", branded(one), branded(other)),
    ...textWords("paused", one.paused ? "yes" : "no", other.paused ? "yes" : "no"),
  ];
}

const nameText = ({ name, caseSensitive }: DraftName): string =>
  caseSensitive ? `${name} (match case)` : name;

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

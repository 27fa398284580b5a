import type { DeclaredWorkspaceResponse, WorkspaceFile } from "@sightline/client";
import { randomId } from "../data/random-id.ts";
import type { PastedPrompt } from "./pasted-prompts.ts";
import { spellerOf } from "./prompt-tags.ts";

/** A name under which an entity is mentioned. */
export interface DraftName {
  readonly name: string;
  readonly caseSensitive: boolean;
}

/** What every item of a draft has: `key` names it here; `id` is undefined until it is saved. */
export interface DraftItem {
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
  readonly tags: readonly string[];
  /** Null: what the text says. */
  readonly branded: boolean | null;
  readonly paused: boolean;
}

/** What an account tracks and how it is collected, as it is edited. */
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
const newKey = (): string => `new-${randomId()}`;

/** A new entity without anything. */
export const plainEntity = (name = ""): DraftEntity => ({
  key: newKey(),
  id: undefined,
  name,
  caseSensitive: false,
  aliases: [],
  domains: [],
  except: [],
});

/** A new prompt. */
export const plainPrompt = (
  text: string,
  topic: string | null,
  tags: readonly string[] = [],
): DraftPrompt => ({
  key: newKey(),
  id: undefined,
  text,
  topic,
  tags,
  branded: null,
  paused: false,
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
    prompts: file.prompts.map(({ id, text, topic, tags = [], branded, paused, collection }) => ({
      key: id,
      id,
      text,
      paused,
      ...collectionOf({ collection }),
      topic: topic === undefined ? null : (keys.get(topic) ?? null),
      tags,
      branded: branded ?? null,
    })),
  };
}

function draftEntity({ except = [], ...entity }: Declared["brand"]): DraftEntity {
  return { key: entity.id, ...entity, except };
}

/** What is omitted stays omitted. */
export function collectionOf<Rule>({ collection }: { readonly collection?: Rule | undefined }) {
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
    prompts: draft.prompts.map(({ id, text, topic, tags, branded, paused, collection }) => {
      const topicName = topic === null ? undefined : names.get(topic);
      return {
        ...(id === undefined ? {} : { id }),
        text,
        ...(topicName === undefined ? {} : { topic: topicName }),
        ...(tags.length === 0 ? {} : { tags: [...tags] }),
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

/** A place of a draft's file in words: `/competitors/1/name` is "Globex, name". */
export function placeIn(draft: Draft, path: string): string {
  const [, list = "", index = "", ...rest] = path.split("/");
  if (list === "brand") return ["Brand", index, ...rest].filter(Boolean).join(", ");
  const at = Number(index);
  const name = {
    competitors: draft.competitors[at]?.name,
    topics: draft.topics[at]?.name,
    prompts: draft.prompts[at]?.text,
  }[list];
  return [name ?? `${list} ${index}`, rest[0] ?? ""].filter((each) => each !== "").join(", ");
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

const plainTopic = (name: string): DraftTopic => ({ key: newKey(), id: undefined, name });

/** What topics of a list are not there yet, in any case of letters, each once. */
export function newTopics({ topics }: Draft, names: readonly string[]): readonly string[] {
  const known = new Set(topics.map(({ name }) => name.trim().toLowerCase()));
  return names.filter((name) => {
    const plain = name.trim().toLowerCase();
    if (plain === "" || known.has(plain)) return false;
    known.add(plain);
    return true;
  });
}

/** The draft with the topics of a list that are not there yet, at the end. */
export function withTopics(draft: Draft, names: readonly string[]): Draft {
  const added = newTopics(draft, names).map((name) => plainTopic(name.trim()));
  return { ...draft, topics: [...draft.topics, ...added] };
}

/**
 * The draft without topics, by their keys: their prompts have the topic `into`; null: they have
 * none any more, and have theirs again when it is restored.
 */
export function withoutTopics(draft: Draft, keys: ReadonlySet<string>, into: string | null): Draft {
  const topics = draft.topics.filter(({ key }) => key === into || !keys.has(key));
  if (into === null) return { ...draft, topics };
  const prompts = draft.prompts.map((prompt) =>
    prompt.topic !== null && keys.has(prompt.topic) ? { ...prompt, topic: into } : prompt,
  );
  return { ...draft, topics, prompts };
}

/**
 * The draft with new prompts before the others. Topics that they name and that are not there, in
 * any case of letters, are added; `topic` is the key of that of prompts which name none.
 */
export function withPasted(
  draft: Draft,
  pasted: readonly PastedPrompt[],
  topic: string | null,
): Draft {
  const keys = new Map(draft.topics.map(({ name, key }) => [name.trim().toLowerCase(), key]));
  const added: DraftTopic[] = [];
  const spelled = spellerOf(draft.prompts);
  const keyOf = (name: string): string => {
    const known = keys.get(name.toLowerCase());
    if (known !== undefined) return known;
    const fresh = plainTopic(name);
    added.push(fresh);
    keys.set(name.toLowerCase(), fresh.key);
    return fresh.key;
  };
  const prompts = pasted.map(({ text, topic: name, tags = [], paused = false }) => {
    const key = name === null ? topic : keyOf(name);
    return { ...plainPrompt(text, key, spelled(tags)), paused };
  });
  const topics = [...draft.topics, ...added];
  return { ...draft, topics, prompts: [...prompts, ...draft.prompts] };
}

/**
 * A workspace file as YAML, an item on each line, so that two of them are easy to compare. Texts
 * are quoted as JSON has it, which YAML reads the same.
 */
export function workspaceYaml(file: DeclaredWorkspaceResponse): string {
  const { account, brand, competitors, collection, topics, prompts } = file;
  const list = (name: string, items: readonly object[]): readonly string[] =>
    items.length === 0 ? [] : [`${name}:`, ...items.map((item) => `  - ${flow(item)}`)];
  const lines = [
    `account: ${flow(account)}`,
    `brand: ${flow(brand)}`,
    ...list("competitors", competitors),
    ...(collection === undefined ? [] : [`collection: ${flow(collection)}`]),
    ...list("topics", topics),
    ...list("prompts", prompts),
  ];
  return `${lines.join("\n")}\n`;
}

/** `{ name: "Acme", domains: ["acme.example"] }`; what is left out means the same is left out. */
function flow(value: object): string {
  const said = Object.entries(value).filter(
    ([name, each]) =>
      !((name === "paused" || name === "caseSensitive") && each === false) &&
      // No region is another thing than what is around says.
      !(Array.isArray(each) && each.length === 0 && name !== "regions"),
  );
  return `{ ${said.map(([name, each]) => `${name}: ${flowValue(each)}`).join(", ")} }`;
}

function flowValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowValue).join(", ")}]`;
  return typeof value === "object" && value !== null ? flow(value) : JSON.stringify(value);
}

/** Edits that are not saved yet, and what they were made to. */
export interface Edited {
  readonly base: Draft;
  readonly draft: Draft;
  readonly etag: string | null;
}

/** Raised with the shape of a draft: another version of the console drops what it cannot read. */
const version = 1;
/** Edits as they are kept. */
export function textOfDraft(edited: Edited): string {
  return JSON.stringify({ version, ...edited });
}

/** The edits of a text; null: another version's, or no edits at all. */
export function draftOfText(text: string): Edited | null {
  try {
    const { version: its, base, draft, etag } = JSON.parse(text) as Edited & { version: unknown };
    if (its !== version || !isDraft(base) || !isDraft(draft)) return null;
    return { base, draft, etag: typeof etag === "string" ? etag : null };
  } catch {
    return null;
  }
}

function isDraft(draft: Draft | undefined): boolean {
  const lists = [draft?.competitors, draft?.topics, draft?.prompts];
  return typeof draft?.brand?.key === "string" && lists.every(Array.isArray);
}

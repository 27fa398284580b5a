import type { ControlTables, Flag } from "../control/schema.ts";
import type { KeptField, Workspace } from "./workspace.ts";

function flag(value: boolean): Flag {
  return value ? 1 : 0;
}

/** Rows of the entities that a workspace declares. */
export function entityRows({
  accountId,
  entities,
}: Pick<Workspace, "accountId" | "entities">): ControlTables["entities"][] {
  return entities.map((entity) => ({
    account_id: accountId,
    id: entity.id,
    kind: entity.kind,
    name: entity.name,
    case_sensitive: flag(entity.caseSensitive),
    aliases: JSON.stringify(entity.aliases),
    domains: JSON.stringify(entity.domains),
    except_phrases: entity.except?.length ? JSON.stringify(entity.except) : null,
    retired: 0,
  }));
}

/** A schedule as it is stored; the same one is the same text, in whatever order it was written. */
export function storedRule(collection: object | undefined): string | null {
  return collection === undefined ? null : JSON.stringify(sortedByName(collection));
}

/** Lists as they are stored; none is null. What a file omits is not written. */
export function keptColumns({
  views,
  notes,
  sources,
  facts,
  ignoredNames,
  reports,
  accountTags,
}: Pick<Workspace, KeptField>) {
  const stored = (list: readonly unknown[]) => (list.length === 0 ? null : JSON.stringify(list));
  return {
    ...(views === undefined ? {} : { views: stored(views) }),
    ...(notes === undefined ? {} : { notes: stored(notes) }),
    ...(sources === undefined ? {} : { sources: stored(sources) }),
    ...(facts === undefined ? {} : { facts: stored(facts) }),
    ...(ignoredNames === undefined ? {} : { ignored_names: stored(ignoredNames) }),
    ...(reports === undefined ? {} : { reports: stored(reports) }),
    ...(accountTags === undefined ? {} : { account_tags: stored(accountTags) }),
  };
}

function sortedByName(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedByName);
  const fields = Object.entries(value).map(([name, field]) => [name, sortedByName(field)] as const);
  return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Rows of the topics that a workspace declares. */
export function topicRows({
  accountId,
  topics,
}: Pick<Workspace, "accountId" | "topics">): ControlTables["topics"][] {
  return topics.map(({ id, name, collection }) => {
    return { account_id: accountId, id, name, retired: 0, collection: storedRule(collection) };
  });
}

/** Rows of the prompts that a workspace declares. */
export function promptRows({
  accountId,
  prompts,
}: Pick<Workspace, "accountId" | "prompts">): ControlTables["prompts"][] {
  return prompts.map((prompt) => ({
    account_id: accountId,
    id: prompt.id,
    text: prompt.text,
    topic_id: prompt.topicId,
    branded: flag(prompt.branded),
    paused: flag(prompt.paused),
    retired: 0,
    collection: storedRule(prompt.collection),
    tags: prompt.tags?.length ? JSON.stringify(prompt.tags) : null,
  }));
}

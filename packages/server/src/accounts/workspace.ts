import type {
  AccountCollection,
  CollectionRule,
  DeclaredReport,
  FileSource,
  Note,
  SavedView,
  StatedFact,
} from "@sightline/contract";
import type { EntityRule } from "../extraction/index.ts";
import { byCodeUnit } from "../platform/by-code-unit.ts";

/** A name under which an entity is mentioned. */
export interface EntityName {
  readonly name: string;
  readonly caseSensitive: boolean;
}

/** A tracked brand or competitor. */
export interface Entity {
  readonly id: string;
  readonly kind: "brand" | "competitor";
  readonly name: string;
  readonly caseSensitive: boolean;
  readonly aliases: readonly EntityName[];
  /** Normalised: a host, with or without a path prefix. */
  readonly domains: readonly string[];
  /** Phrases inside which its names are not mentions; omitted: none. */
  readonly except?: readonly string[];
}

/** A subject that prompts belong to. */
export interface Topic {
  readonly id: string;
  readonly name: string;
  /** In what its prompts are asked otherwise than the account's; omitted: in nothing. */
  readonly collection?: CollectionRule;
}

/** A text that is sent to the providers. */
export interface Prompt {
  readonly id: string;
  readonly text: string;
  readonly topicId: string | null;
  readonly branded: boolean;
  /** By code unit, each once; omitted: none. */
  readonly tags?: readonly string[];
  /** No longer asked; its answers still count. */
  readonly paused: boolean;
  /** In what it is asked otherwise than its topic's; omitted: in nothing. */
  readonly collection?: CollectionRule;
}

/** What an account tracks: only what the current workspace file declares, nothing retired. */
export interface Workspace {
  readonly accountId: string;
  readonly accountName: string;
  /** When and of whom prompts are asked, within which caps; omitted: it does not say. */
  readonly collection?: AccountCollection;
  /** The brand first, then the competitors by lower-cased name (code unit), then by id. */
  readonly entities: readonly Entity[];
  readonly topics: readonly Topic[];
  readonly prompts: readonly Prompt[];
  /** Views of the console; declared: omitted ones stay as they are; stored: there are none. */
  readonly views?: readonly SavedView[];
  /** By date; omitted as views are. */
  readonly notes?: readonly Note[];
  /** Classes of cited sources; omitted as views are. */
  readonly sources?: readonly FileSource[];
  /** What is true of the brand; omitted as views are. */
  readonly facts?: readonly StatedFact[];
  /** Names that lists of untracked names leave out; omitted as views are. */
  readonly ignoredNames?: readonly string[];
  /** Reports that are made; omitted as views are. */
  readonly reports?: readonly DeclaredReport[];
  /** What the account is found by among others; omitted as views are. */
  readonly accountTags?: readonly string[];
}

/** The order of the series (semantics, Series). */
export function inSeriesOrder(entities: readonly Entity[]): readonly Entity[] {
  return entities.toSorted(
    (a, b) =>
      Number(a.kind !== "brand") - Number(b.kind !== "brand") ||
      byCodeUnit(a.name.toLowerCase(), b.name.toLowerCase()) ||
      byCodeUnit(a.id, b.id),
  );
}

/** All names of an entity: its own and its aliases. */
export function namesOf(entity: Entity): readonly EntityName[] {
  return [{ name: entity.name, caseSensitive: entity.caseSensitive }, ...entity.aliases];
}

/** The phrases of an entity as a field of its own, which is omitted when there are none. */
export function exceptOf({ except = [] }: { readonly except?: readonly string[] | undefined }) {
  return except.length === 0 ? {} : { except: [...new Set(except)] };
}

/** The tags of a prompt as a field of its own, which is omitted when there are none. */
export function tagsOf({ tags = [] }: { readonly tags?: readonly string[] | undefined }) {
  return tags.length === 0 ? {} : { tags: tags.toSorted(byCodeUnit) };
}

/** An entity in the form that extraction needs. */
export function toRule(entity: Entity): EntityRule {
  return {
    names: namesOf(entity).map(({ name, caseSensitive }) => ({ text: name, caseSensitive })),
    domains: entity.domains,
    ...exceptOf(entity),
  };
}

/** The lists that a workspace file may omit: then they stay. */
export type KeptField =
  | "views"
  | "notes"
  | "sources"
  | "facts"
  | "ignoredNames"
  | "reports"
  | "accountTags";

import { foldedTag } from "@sightline/contract";
import type { FoundEntity, FoundWorkspace } from "@sightline/sheets/found-workspace";

/** A workspace file as it is read back: what is added stands behind what is there. */
export interface PresentWorkspace {
  readonly brand: NamedEntity;
  readonly competitors: readonly NamedEntity[];
  readonly topics: readonly { readonly name: string }[];
  readonly prompts: readonly {
    readonly text: string;
    readonly tags?: readonly string[] | undefined;
  }[];
}

interface NamedEntity {
  readonly name: string;
  readonly aliases: readonly (string | { readonly name: string })[];
}

/** What an export would add to a workspace. */
export interface ProposedWorkspace {
  /** Of the export; null where the account has one, or nobody said which it is. */
  readonly brand: FoundEntity | null;
  readonly competitors: readonly FoundEntity[];
  readonly topics: readonly string[];
  readonly prompts: FoundWorkspace["prompts"];
  /** Names in the export that nobody tracks. */
  readonly names: FoundWorkspace["names"];
  /** As `apply` reads it; null: there is neither an account nor a brand. */
  readonly file: string | null;
}

/** What of an export is not in the workspace yet, and the workspace with it. */
export function proposedWorkspace(
  found: FoundWorkspace,
  present: PresentWorkspace | null,
  brandSaid: string | undefined,
): ProposedWorkspace {
  const own = brandSaid === undefined ? null : { name: brandSaid, domains: [], aliases: [] };
  const brand = present === null ? (found.brand ?? own) : null;
  const named = [present?.brand ?? brand, ...(present?.competitors ?? [])].flatMap((entity) =>
    entity === null ? [] : namesOf(entity),
  );
  const known = new Set(named.map(plain));
  const competitors = found.competitors.filter((each) => !namesOf(each).some(isIn(known)));
  const after = new Set([...known, ...competitors.flatMap(namesOf).map(plain)]);
  const texts = new Set(present?.prompts.map(({ text }) => text));
  const spellings = new Map(
    present?.prompts.flatMap(({ tags = [] }) => tags.map((tag) => [foldedTag(tag), tag] as const)),
  );
  const prompts = found.prompts
    .filter(({ text }) => !texts.has(text))
    .map((prompt) => {
      return { ...prompt, tags: prompt.tags.map((tag) => spellings.get(foldedTag(tag)) ?? tag) };
    });
  const topicsThere = new Set(present?.topics.map(({ name }) => name));
  const topics = [...new Set(prompts.flatMap(({ topic }) => topic ?? []))].filter(
    (name) => !topicsThere.has(name),
  );
  const names = found.names.filter(({ name }) => !after.has(plain(name)));
  const proposed = { brand, competitors, topics, prompts, names };
  const isWhole = present !== null || brand !== null;
  return { ...proposed, file: isWhole ? fileOf(proposed, present) : null };
}

function namesOf({ name, aliases }: NamedEntity): readonly string[] {
  return [name, ...aliases.map((alias) => (typeof alias === "string" ? alias : alias.name))];
}

function plain(name: string): string {
  return name.normalize("NFKC").toLowerCase().trim();
}

function isIn(names: ReadonlySet<string>) {
  return (name: string) => names.has(plain(name));
}

/** YAML with an item a line, each as JSON, which YAML contains. */
function fileOf(
  { brand, competitors, topics, prompts, names }: Omit<ProposedWorkspace, "file">,
  present: PresentWorkspace | null,
): string {
  const items = (title: string, all: readonly unknown[]) =>
    all.length === 0 ? [] : [`${title}:`, ...all.map((each) => `  - ${JSON.stringify(each)}`)];
  const others = Object.entries(present ?? { account: brand?.name, brand: entityItem(brand) });
  const lists = new Set(["competitors", "topics", "prompts"]);
  const lines = [
    ...others.flatMap(([key, value]) =>
      lists.has(key) ? [] : [`${key}: ${JSON.stringify(value)}`],
    ),
    ...items("competitors", [...(present?.competitors ?? []), ...competitors.map(entityItem)]),
    ...mentioned(names),
    ...items("topics", [...(present?.topics ?? []), ...topics]),
    ...items("prompts", [...(present?.prompts ?? []), ...prompts.map(promptItem)]),
  ];
  return `${lines.join("\n")}\n`;
}

function entityItem(entity: FoundEntity | null) {
  if (entity === null) return undefined;
  const { name, domains, aliases } = entity;
  const lists = [
    ...(domains.length === 0 ? [] : [["domains", domains] as const]),
    ...(aliases.length === 0 ? [] : [["aliases", aliases] as const]),
  ];
  return lists.length === 0 ? name : Object.fromEntries([["name", name] as const, ...lists]);
}

function promptItem({ text, topic, tags, isPaused }: FoundWorkspace["prompts"][number]) {
  const fields = [
    ["text", text] as const,
    ...(topic === null ? [] : [["topic", topic] as const]),
    ...(tags.length === 0 ? [] : [["tags", tags] as const]),
    ...(isPaused ? [["paused", true] as const] : []),
  ];
  return fields.length === 1 ? text : Object.fromEntries(fields);
}

const namesShown = 20;

/** Candidates are a comment: whether they are brands at all, and rivals, is for people to say. */
function mentioned(names: FoundWorkspace["names"]): readonly string[] {
  if (names.length === 0) return [];
  return [
    "# The export names these, and nobody tracks them. Move those that matter to competitors:",
    ...names.slice(0, namesShown).map(({ name, rows }) => `#  - ${JSON.stringify(name)} # ${rows}`),
  ];
}

import type { DeclaredWorkspaceResponse, WorkspaceResponse } from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import { byCodeUnit } from "../platform/by-code-unit.ts";
import { eachInTurns, sortedInTurns } from "../platform/turns.ts";
import { workspaceOf } from "./account-store.ts";
import { RevisionCache } from "./revision-cache.ts";
import { type Entity, exceptOf, tagsOf, type Workspace } from "./workspace.ts";
import { brandTest } from "./workspace-file/to-workspace.ts";

/** What an account declares, as values and as JSON, of one revision of its workspace. */
export interface DeclaredWorkspace {
  readonly part: DeclaredPart;
  /** The part's JSON without the last bracket: what the answers say stands behind it. */
  readonly json: Buffer;
}

/** The workspaces that were asked for last, sorted and written as JSON in turns. */
export class DeclaredWorkspaces extends RevisionCache<DeclaredWorkspace> {
  constructor(control: ControlEngine, bytesMax?: number) {
    super((accountId) => declaredWorkspace(control, accountId), bytesMax);
  }
}

async function declaredWorkspace(
  control: ControlEngine,
  accountId: string,
): Promise<DeclaredWorkspace> {
  const workspace = await workspaceOf(control, accountId);
  if (workspace === null) throw new Error(`account ${accountId} has facts, no workspace`);
  const part = await declaredPart(workspace);
  return { part, json: await jsonInTurns(part) };
}

/** What follows from the workspace alone. */
export type DeclaredPart = Pick<
  WorkspaceResponse,
  "brand" | "competitors" | "topics" | "prompts" | "views" | "notes"
>;

/** JSON is encoded about so many characters at a time: a hundred prompts or more. */
const encodedCharacters = 65_536;

/** The part of the reply that follows from the workspace alone; made in turns. */
export async function declaredPart(workspace: Workspace): Promise<DeclaredPart> {
  const [brand, ...competitors] = workspace.entities.map(({ id, name }) => ({ id, name }));
  if (brand === undefined) throw new Error(`account ${workspace.accountId} has no brand`);
  const prompts: DeclaredPart["prompts"] = [];
  await eachInTurns(
    await inOrderOf(workspace.prompts, ({ text }) => text),
    ({ id, text, topicId, branded, ...rest }) =>
      prompts.push({ id, text, topicId, branded, ...tagsOf(rest) }),
  );
  const sorted = await inOrderOf(workspace.topics, ({ name }) => name);
  const topics = sorted.map(({ id, name }) => ({ id, name }));
  return { brand, competitors, topics, prompts, ...keptOf(workspace) };
}

/** The lists that are omitted where there are none. */
function keptOf({ views, notes }: Workspace): Pick<DeclaredPart, "views" | "notes"> {
  return {
    ...(views === undefined ? {} : { views: [...views] }),
    ...(notes === undefined ? {} : { notes: [...notes] }),
  };
}

/**
 * The JSON of a declared part, written in turns, without its last bracket, so that the part which
 * follows from the answers can stand behind it.
 */
export async function jsonInTurns(part: DeclaredPart): Promise<Buffer> {
  const { brand, competitors, views, notes } = part;
  const chunks: Buffer[] = [];
  let text = JSON.stringify({ brand, competitors, views, notes }).slice(0, -1);
  for (const list of ["topics", "prompts"] as const) {
    text += `,"${list}":[`;
    await eachInTurns<object>(part[list], (item, index) => {
      text += `${index === 0 ? "" : ","}${JSON.stringify(item)}`;
      if (text.length < encodedCharacters) return;
      chunks.push(Buffer.from(text));
      text = "";
    });
    text += "]";
  }
  return Buffer.concat([...chunks, Buffer.from(text)]);
}

/** By lower-cased text, by code unit, then by id: the order that the series have. */
async function inOrderOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): Promise<readonly Item[]> {
  const lowered: { readonly item: Item; readonly text: string }[] = [];
  await eachInTurns(items, (item) => lowered.push({ item, text: textOf(item).toLowerCase() }));
  const sorted = await sortedInTurns(
    lowered,
    (a, b) => byCodeUnit(a.text, b.text) || byCodeUnit(a.item.id, b.item.id),
  );
  return sorted.map(({ item }) => item);
}

/**
 * The workspace file of a workspace as JSON: applying it changes nothing. It says `branded` only
 * where the prompt's text would give the other value, so that a prompt goes on to follow the names
 * of the brand. It compiles every name, so it is made in a thread.
 */
export async function declaredFile(workspace: Workspace): Promise<Uint8Array<ArrayBuffer>> {
  const { accountId, accountName, entities } = workspace;
  const { topics, prompts } = await declaredPart(workspace);
  const rules = rulesOf(workspace);
  const [brand, ...competitors] = entities.map(declaredEntity);
  const { collection } = workspace;
  const names = new Map(topics.map(({ id, name }) => [id, name]));
  const paused = new Set(workspace.prompts.flatMap((prompt) => (prompt.paused ? prompt.id : [])));
  const mentionsBrand = brandTest(entities);
  const file = {
    account: { id: accountId, name: accountName },
    brand,
    competitors,
    ...(collection === undefined ? {} : { collection }),
    topics: topics.map((topic) => ({ ...topic, ...rules.get(topic.id) })),
    prompts: prompts.map(({ id, text, topicId, branded, ...rest }) => {
      const topic = topicId === null ? undefined : names.get(topicId);
      const declared: DeclaredWorkspaceResponse["prompts"][number] = {
        id,
        text,
        ...(topic === undefined ? {} : { topic }),
        ...tagsOf(rest),
        ...(branded === mentionsBrand(text) ? {} : { branded }),
        paused: paused.has(id),
        ...rules.get(id),
      };
      return declared;
    }),
    ...keptOf(workspace),
    ...(workspace.sources === undefined ? {} : { sources: workspace.sources }),
    ...(workspace.facts === undefined ? {} : { facts: workspace.facts }),
    ...(workspace.ignoredNames === undefined ? {} : { ignoredNames: workspace.ignoredNames }),
    ...(workspace.reports === undefined ? {} : { reports: [...workspace.reports] }),
    ...(workspace.accountTags === undefined ? {} : { accountTags: [...workspace.accountTags] }),
  };
  return new TextEncoder().encode(JSON.stringify(file));
}

type Rule = Pick<DeclaredWorkspaceResponse["prompts"][number], "collection">;

/** By the id of the topic or the prompt that has one. */
function rulesOf({ topics, prompts }: Workspace): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  for (const { id, collection } of [...topics, ...prompts]) {
    if (collection !== undefined) rules.set(id, { collection });
  }
  return rules;
}

function declaredEntity(entity: Entity): DeclaredWorkspaceResponse["brand"] {
  const { id, name, caseSensitive, aliases, domains } = entity;
  const lists = { aliases: [...aliases], domains: [...domains], ...exceptOf(entity) };
  return { id, name, caseSensitive, ...lists };
}

import type { DeclaredWorkspaceResponse } from "@sightline/contract";
import { declaredPart } from "./declared-workspaces.ts";
import { type Entity, exceptOf, type Workspace } from "./workspace.ts";
import { brandTest } from "./workspace-file/to-workspace.ts";

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
    prompts: prompts.map(({ id, text, topicId, branded }) => {
      const topic = topicId === null ? undefined : names.get(topicId);
      const declared: DeclaredWorkspaceResponse["prompts"][number] = {
        id,
        text,
        ...(topic === undefined ? {} : { topic }),
        ...(branded === mentionsBrand(text) ? {} : { branded }),
        paused: paused.has(id),
        ...rules.get(id),
      };
      return declared;
    }),
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

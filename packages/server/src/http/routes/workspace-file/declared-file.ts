import type { DeclaredWorkspaceResponse } from "@sightline/contract";
import { type Entity, exceptOf, type Workspace } from "../../../control/workspace.ts";
import { brandTest } from "../../../control/workspace-file/to-workspace.ts";
import { eachInTurns } from "../../../platform/turns.ts";
import { declaredPart } from "../workspace/workspace-reply.ts";

/** JSON is encoded about so many characters at a time. */
const encodedCharacters = 65_536;

/**
 * The workspace file of a workspace as JSON, made in turns: applying it changes nothing. It says
 * `branded` only where the prompt's text would give the other value, so that a prompt goes on to
 * follow the names of the brand.
 */
export async function declaredFile(workspace: Workspace): Promise<Buffer> {
  const { accountId, accountName, entities } = workspace;
  const { topics, prompts } = await declaredPart(workspace);
  const rules = await rulesOf(workspace);
  const [brand, ...competitors] = entities.map(declaredEntity);
  const { collection } = workspace;
  const head = {
    account: { id: accountId, name: accountName },
    ...{ brand, competitors },
    ...(collection === undefined ? {} : { collection }),
    topics: topics.map((topic) => ({ ...topic, ...rules.get(topic.id) })),
  };
  const names = new Map(topics.map(({ id, name }) => [id, name]));
  const paused = new Set<string>();
  await eachInTurns(workspace.prompts, (prompt) => prompt.paused && paused.add(prompt.id));
  const mentionsBrand = brandTest(entities);
  const chunks: Buffer[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"prompts":[`)];
  let text = "";
  await eachInTurns(prompts, ({ id, topicId, branded, ...prompt }, index) => {
    const topic = topicId === null ? undefined : names.get(topicId);
    const declared: DeclaredWorkspaceResponse["prompts"][number] = {
      id,
      text: prompt.text,
      ...(topic === undefined ? {} : { topic }),
      ...(branded === mentionsBrand(prompt.text) ? {} : { branded }),
      paused: paused.has(id),
      ...rules.get(id),
    };
    text += `${index === 0 ? "" : ","}${JSON.stringify(declared)}`;
    if (text.length < encodedCharacters) return;
    chunks.push(Buffer.from(text));
    text = "";
  });
  return Buffer.concat([...chunks, Buffer.from(`${text}]}`)]);
}

type Rule = Pick<DeclaredWorkspaceResponse["prompts"][number], "collection">;

/** By the id of the topic or the prompt that has one. */
async function rulesOf({ topics, prompts }: Workspace): Promise<ReadonlyMap<string, Rule>> {
  const rules = new Map<string, Rule>();
  await eachInTurns([...topics, ...prompts], ({ id, collection }) => {
    if (collection !== undefined) rules.set(id, { collection });
  });
  return rules;
}

function declaredEntity(entity: Entity): DeclaredWorkspaceResponse["brand"] {
  const { id, name, caseSensitive, aliases, domains } = entity;
  const lists = { aliases: [...aliases], domains: [...domains], ...exceptOf(entity) };
  return { id, name, caseSensitive, ...lists };
}

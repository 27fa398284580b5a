import type { WorkspaceResponse } from "@sightline/contract";
import { byCodeUnit, type Workspace } from "../../../accounts/workspace.ts";
import type { FactsCoverage } from "../../../facts/coverage.ts";
import { sortedInTurns } from "../../../platform/sorted-in-turns.ts";
import { eachInTurns } from "../../../platform/turns.ts";

/** What follows from the workspace alone. */
export type DeclaredPart = Pick<WorkspaceResponse, "brand" | "competitors" | "topics" | "prompts">;
/** What follows from the answers. */
export type CoveredPart = Omit<WorkspaceResponse, keyof DeclaredPart>;

/** JSON is encoded about so many characters at a time: a hundred prompts or more. */
const encodedCharacters = 65_536;

/** The part of the reply that follows from the workspace alone; made in turns. */
export async function declaredPart(workspace: Workspace): Promise<DeclaredPart> {
  const [brand, ...competitors] = workspace.entities.map(({ id, name }) => ({ id, name }));
  if (brand === undefined) throw new Error(`account ${workspace.accountId} has no brand`);
  const prompts: DeclaredPart["prompts"] = [];
  await eachInTurns(
    await inOrderOf(workspace.prompts, ({ text }) => text),
    ({ id, text, topicId, branded }) => prompts.push({ id, text, topicId, branded }),
  );
  const sorted = await inOrderOf(workspace.topics, ({ name }) => name);
  const topics = sorted.map(({ id, name }) => ({ id, name }));
  return { brand, competitors, topics, prompts };
}

/**
 * The JSON of a declared part, written in turns, without its last bracket, so that the part which
 * follows from the answers can stand behind it.
 */
export async function jsonInTurns(part: DeclaredPart): Promise<Buffer> {
  const { brand, competitors } = part;
  const chunks: Buffer[] = [];
  let text = JSON.stringify({ brand, competitors }).slice(0, -1);
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

/**
 * What the facts and the record say.
 * @param lastRecordedAt milliseconds since 1970; null: nothing was recorded.
 */
export function coveredPart(
  { providers, regions, answers, firstMs, lastMs }: FactsCoverage,
  lastRecordedAt: number | null,
): CoveredPart {
  return {
    providers: [...providers],
    regions: [...regions],
    answers: { count: answers, first: dateTime(firstMs), last: dateTime(lastMs) },
    lastImport: dateTime(lastRecordedAt),
  };
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

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

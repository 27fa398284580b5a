import {
  type Filters,
  type Provider,
  providers,
  strictObject,
  type WorkspaceResponse,
} from "@sightline/contract";
import { z } from "zod";
import { isId, type KnownNames, type Named, type NameKind, namedBy } from "./names.ts";
import { type Period, timeRangeOf } from "./period.ts";
import { nameCharactersMax, promptCharactersMax } from "./shown-text.ts";
import type { ToolContext } from "./tool.ts";
import { ToolFault } from "./tool-fault.ts";

/** The most items that a tool takes in one filter. */
const itemsMax = 50;
/** The longest name or prompt that a tool takes. */
const textMax = 1_000;

/** Names or ids. */
export const namesSchema = z.array(z.string().min(1).max(textMax)).max(itemsMax);

const selectionShape = {
  providers: z
    .array(z.enum(providers))
    .max(itemsMax)
    .optional()
    .describe("Only answers of these AI search engines."),
  topics: namesSchema
    .optional()
    .describe("Only these topics, by name or id. Not together with `prompts`."),
  prompts: namesSchema
    .optional()
    .describe("Only these prompts, by id (from find_prompts) or by their whole text."),
  regions: z
    .array(z.string().regex(/^[A-Za-z]{2}$/, { error: "allowed are two letters, such as US" }))
    .max(itemsMax)
    .optional()
    .describe("Only these countries, as ISO 3166-1 alpha-2 codes such as US."),
  branded: z
    .boolean()
    .optional()
    .describe("true: only prompts that name the brand; false: only those that do not."),
};

/** Which answers count; all hold together, and what is left out does not restrict. */
export const selectionSchema = strictObject(selectionShape)
  .optional()
  .describe("Which answers count. Left out: all of the period.");

/** Which answers count, as a tool was told. */
export type Selection = z.output<typeof selectionSchema>;

/** How topics are called. */
export const topicKind: NameKind<WorkspaceResponse["topics"][number]> = {
  singular: "topic",
  nameOf: ({ name }) => name,
  advice: "describe_workspace lists the topics.",
  charactersMax: nameCharactersMax,
};
const promptKind: NameKind<WorkspaceResponse["prompts"][number]> = {
  singular: "prompt",
  nameOf: ({ text }) => text,
  advice: "find_prompts finds prompts and their ids by words.",
  charactersMax: promptCharactersMax,
};

/** The service's filters without a range. */
export type FiltersOfSelection = Omit<Filters, "timeRange">;

/**
 * The service's filters for a selection. Only names cost a question, that for the workspace.
 * @throws ToolFault when a name is not known, or topics and prompts are given together.
 */
export async function filtersOf(
  { sightline, inTurns, signal }: ToolContext,
  selection: Selection,
): Promise<FiltersOfSelection> {
  const { topics = [], prompts = [], providers: given, regions, branded } = selection ?? {};
  if (topics.length > 0 && prompts.length > 0) {
    throw new ToolFault("Give topics or prompts, not both: a prompt has one topic.");
  }
  const needsNames = [...topics, ...prompts].some((text) => !isId(text));
  const workspace = needsNames ? await sightline.workspace({ signal }) : null;
  const topicIds = await idsOf(topics, {
    kind: topicKind,
    known: workspace?.topics ?? [],
    inTurns,
  });
  const promptIds = await idsOf(prompts, {
    kind: promptKind,
    known: workspace?.prompts ?? [],
    inTurns,
  });
  return {
    ...(given === undefined ? {} : { providers: [...new Set<Provider>(given)] }),
    ...(topicIds.length === 0 ? {} : { topics: topicIds.map((id) => ({ id })) }),
    ...(promptIds.length === 0 ? {} : { promptIds: [...promptIds] }),
    ...(regions === undefined ? {} : { regions: regions.map((code) => ({ code })) }),
    ...(branded === undefined ? {} : { branded }),
  };
}

/** Filters for the answers of a period. */
export function filtersWithin(period: Period, filters: FiltersOfSelection): Filters {
  return { ...filters, timeRange: timeRangeOf(period) };
}

/** One after the other: the first that is not known is told. */
async function idsOf<Item extends Named>(
  texts: readonly string[],
  names: KnownNames<Item>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push(isId(text) ? text : (await namedBy(text, names)).id);
  return ids;
}

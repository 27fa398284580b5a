import {
  type Filters,
  nearestName,
  type Provider,
  providers,
  quoted,
  strictObject,
  type WorkspaceResponse,
} from "@sightline/contract";
import { z } from "zod";
import { isId, type KnownNames, type Named, type NameKind, namedBy } from "./names.ts";
import { type Period, timeRangeOf } from "./period.ts";
import { nameCharactersMax, promptCharactersMax } from "./shown-text.ts";
import type { ToolContext } from "./tool.ts";
import { ToolFault } from "./tool-fault.ts";

/** The maximum number of items of one filter. */
const itemsMax = 50;
/** The longest accepted name or prompt. */
const textMax = 1_000;

/** Names or ids. */
export const namesSchema = z.array(z.string().min(1).max(textMax)).max(itemsMax);

const selectionShape = {
  providers: namesSchema.optional().describe("Such as OPENAI."),
  topics: namesSchema.optional().describe("By name or id. Not with `prompts`."),
  prompts: namesSchema.optional().describe("By id (find_prompts) or whole text."),
  regions: z
    .array(z.string().regex(/^[A-Za-z]{2}$/, { error: "must be two letters, such as US" }))
    .max(itemsMax)
    .optional()
    .describe("Codes, such as US."),
  branded: z.boolean().optional().describe("true: prompts that name the brand; false: others."),
};

/** Which answers count; filters are combined with AND, and an omitted one does not restrict. */
export const selectionSchema = strictObject(selectionShape)
  .optional()
  .describe("Which answers count.");

/** Which answers count, as given to a tool. */
export type Selection = z.output<typeof selectionSchema>;

/** How topics are named. */
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
 * The service's filters for a selection. Only names cost a call, for the workspace.
 * @throws ToolFault when a name is unknown, or topics and prompts are combined.
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
    ...(given === undefined ? {} : { providers: [...new Set(given.map(providerNamed))] }),
    ...(topicIds.length === 0 ? {} : { topics: topicIds.map((id) => ({ id })) }),
    ...(promptIds.length === 0 ? {} : { promptIds: [...promptIds] }),
    ...(regions === undefined ? {} : { regions: regions.map((code) => ({ code })) }),
    ...(branded === undefined ? {} : { branded }),
  };
}

/**
 * A provider, in any case and with spaces or hyphens: `openai`, `Google AI Mode`.
 * @throws ToolFault with the nearest name or all names.
 */
function providerNamed(given: string): Provider {
  const name = given
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, "_");
  const provider = providers.find((each) => each === name);
  if (provider !== undefined) return provider;
  const nearest = nearestName(given, providers);
  const advice = nearest === null ? `Use ${providers.join(", ")}.` : `Did you mean ${nearest}?`;
  throw new ToolFault(`There is no provider ${quoted(given)}. ${advice}`);
}

/** Filters for the answers of a period. */
export function filtersWithin(period: Period, filters: FiltersOfSelection): Filters {
  return { ...filters, timeRange: timeRangeOf(period) };
}

/** One after another: the first unknown name is reported. */
async function idsOf<Item extends Named>(
  texts: readonly string[],
  names: KnownNames<Item>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push(isId(text) ? text : (await namedBy(text, names)).id);
  return ids;
}

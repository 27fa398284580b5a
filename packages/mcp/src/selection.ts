import {
  type Exclude,
  foldedTag,
  type InsightFilters,
  nearestName,
  type Provider,
  providers,
  quoted,
  strictObject,
  surfaces,
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

/** Six tools have it, and every assistant reads each of its words: what tells itself has none. */
const selectionShape = {
  providers: namesSchema.optional(),
  topics: namesSchema.optional().describe("Name or id."),
  prompts: namesSchema.optional().describe("Id (find_prompts) or whole text."),
  regions: z
    .array(z.string().refine(isRegion, { error: "must be two letters, such as US" }))
    .max(itemsMax)
    .optional(),
  branded: z.boolean().optional().describe("Prompts that name the brand."),
  models: z.array(z.string()).max(itemsMax).optional(),
  surfaces: z.array(z.enum(surfaces)).optional(),
  tags: namesSchema.optional(),
  exclude: z.array(z.string()).max(itemsMax).optional().describe("Any kind."),
};

/** Which answers count; filters are combined with AND, and an omitted one does not restrict. */
export const selectionSchema = strictObject(selectionShape).optional();

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

/** The service's filters without a range, and what is left out of them. */
export interface FiltersOfSelection extends Omit<InsightFilters, "timeRange"> {
  readonly exclude?: Exclude | undefined;
}

/**
 * The service's filters for a selection. Only names cost a call, for the workspace.
 * @throws ToolFault when a name is unknown, or topics and prompts are combined.
 */
export async function filtersOf(
  { sightline, inTurns, signal }: ToolContext,
  selection: Selection,
): Promise<FiltersOfSelection> {
  const { topics = [], prompts = [], providers: given, regions, branded } = selection ?? {};
  const { exclude = [], models = [], surfaces: ofSurfaces = [], tags = [] } = selection ?? {};
  if (topics.length > 0 && prompts.length > 0) {
    throw new ToolFault("Give topics or prompts, not both: a prompt has one topic.");
  }
  const needsNames = exclude.length > 0 || [...topics, ...prompts].some((text) => !isId(text));
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
    ...(models.length === 0 ? {} : { models }),
    ...(ofSurfaces.length === 0 ? {} : { surfaces: ofSurfaces }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(workspace === null || exclude.length === 0
      ? {}
      : { exclude: excludeOf(exclude, workspace) }),
  };
}

type Known = Pick<WorkspaceResponse, "topics" | "prompts">;

/**
 * What names leave out: of an id, the topic or the prompt that has it.
 * @throws ToolFault when a name is none of the kinds.
 */
function excludeOf(names: readonly string[], { topics, prompts }: Known): Exclude {
  const found = { providers: [] as Provider[], topics: [] as string[], promptIds: [] as string[] };
  const [regions, ofTags]: [string[], string[]] = [[], []];
  const tags = new Set(prompts.flatMap((prompt) => (prompt.tags ?? []).map(foldedTag)));
  for (const name of names) {
    const isMeant = (id: string, text: string) => id === name.toLowerCase() || text === name;
    const topic = topics.find((each) => isMeant(each.id, each.name));
    const prompt = prompts.find((each) => isMeant(each.id, each.text));
    const provider = providers.find((each) => each === providerText(name));
    if (topic !== undefined) found.topics.push(topic.id);
    else if (prompt !== undefined) found.promptIds.push(prompt.id);
    else if (provider !== undefined) found.providers.push(provider);
    else if (isRegion(name)) regions.push(name);
    else if (tags.has(foldedTag(name))) ofTags.push(name);
    else {
      throw new ToolFault(
        `exclude: ${quoted(name)} is not a provider, region code, topic, tag or whole prompt. ` +
          "describe_workspace lists them, find_prompts finds prompts.",
      );
    }
  }
  const ofIds = (ids: readonly string[]) => ids.map((id) => ({ id }));
  return {
    ...(found.providers.length === 0 ? {} : { providers: found.providers }),
    ...(found.topics.length === 0 ? {} : { topics: ofIds(found.topics) }),
    ...(found.promptIds.length === 0 ? {} : { promptIds: found.promptIds }),
    ...(regions.length === 0 ? {} : { regions: regions.map((code) => ({ code })) }),
    ...(ofTags.length === 0 ? {} : { tags: ofTags }),
  };
}

function isRegion(text: string): boolean {
  return /^[A-Za-z]{2}$/.test(text);
}

/** A provider's name as the service writes it. */
function providerText(given: string): string {
  return given
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, "_");
}

/**
 * A provider, in any case and with spaces or hyphens: `openai`, `Google AI Mode`.
 * @throws ToolFault with the nearest name or all names.
 */
function providerNamed(given: string): Provider {
  const name = providerText(given);
  const provider = providers.find((each) => each === name);
  if (provider !== undefined) return provider;
  const nearest = nearestName(given, providers);
  const advice = nearest === null ? `Use ${providers.join(", ")}.` : `Did you mean ${nearest}?`;
  throw new ToolFault(`There is no provider ${quoted(given)}. ${advice}`);
}

/** Which answers of a period count. */
export function filtersWithin(
  period: Period,
  { exclude, ...filters }: FiltersOfSelection,
): { readonly filters: InsightFilters; readonly exclude?: Exclude } {
  const within = { filters: { ...filters, timeRange: timeRangeOf(period) } };
  return exclude === undefined ? within : { ...within, exclude };
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

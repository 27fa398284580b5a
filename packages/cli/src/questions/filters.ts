import type { EvidenceQuestion } from "@sightline/client";
import type { Exclude, Filters, InsightFilters } from "@sightline/contract";
import type { FilterOptions, InsightOptions } from "./filter-options.ts";
import { idOf, isId, type Named, type NameKind } from "./names.ts";
import type { CitedOptions } from "./question-options.ts";
import type { TimeRange } from "./time-range.ts";

const topicKind: NameKind = { option: "--topic", plural: "topics", byPart: false };
const tagKind: NameKind = { option: "--tag", plural: "tags", byPart: false };
const promptKind: NameKind = { option: "--prompt", plural: "prompts", byPart: true };

/** What the names of options are looked up in. */
interface NamedItems {
  readonly topics: readonly Named[];
  readonly prompts: readonly {
    readonly id: string;
    readonly text: string;
    readonly tags?: readonly string[] | undefined;
  }[];
}

/**
 * The filters of the options. The workspace is requested only to look up names.
 * @throws CommandError for a name that matches nothing, or several.
 */
export async function filtersOf(
  options: FilterOptions,
  timeRange: TimeRange,
  workspace: () => Promise<NamedItems>,
): Promise<Filters> {
  const { provider, topic = [], prompt = [], region, branded } = options;
  const isNamed = [...topic, ...prompt].some((each) => !isId(each));
  const known = isNamed ? await workspace() : null;
  const topics = topic.map((name) => ({ id: idOf(name, topicKind, known?.topics ?? []) }));
  const prompts = known?.prompts.map(({ id, text }) => ({ id, name: text })) ?? [];
  const promptIds = prompt.map((name) => idOf(name, promptKind, prompts));
  return {
    timeRange,
    ...(provider === undefined ? {} : { providers: [...provider] }),
    ...(topics.length === 0 ? {} : { topics }),
    ...(promptIds.length === 0 ? {} : { promptIds }),
    ...(region === undefined ? {} : { regions: region.map((code) => ({ code })) }),
    ...(branded === undefined ? {} : { branded }),
  };
}

/** Which answers count. */
export interface Chosen {
  readonly filters: InsightFilters;
  readonly exclude?: Exclude;
}

/**
 * The filters of the options, and what is left out. The workspace is requested once, and only to
 * look up names.
 * @throws CommandError for a name that matches nothing, or several.
 */
export async function chosenOf(
  options: FilterOptions & InsightOptions,
  timeRange: TimeRange,
  workspace: () => Promise<NamedItems>,
): Promise<Chosen> {
  let asked: Promise<NamedItems> | null = null;
  const once = () => {
    asked ??= workspace();
    return asked;
  };
  const { model, surface, tag, excludeModel, excludeSurface, excludeTag } = options;
  const filters = {
    ...(await filtersOf(options, timeRange, once)),
    ...(model === undefined ? {} : { models: [...model] }),
    ...(surface === undefined ? {} : { surfaces: [...surface] }),
    ...(tag === undefined ? {} : { tags: tagsOf(tag, tagKind, await once()) }),
  };
  const { excludeProvider, excludeTopic = [], excludePrompt = [], excludeRegion } = options;
  const isNamed = [...excludeTopic, ...excludePrompt].some((each) => !isId(each));
  const known = isNamed ? await once() : null;
  const kinds = {
    topic: { ...topicKind, option: "--exclude-topic" },
    prompt: { ...promptKind, option: "--exclude-prompt" },
    tag: { ...tagKind, option: "--exclude-tag" },
  };
  const prompts = known?.prompts.map(({ id, text }) => ({ id, name: text })) ?? [];
  const exclude: Exclude = {
    ...(excludeProvider === undefined ? {} : { providers: [...excludeProvider] }),
    ...(excludeTopic.length === 0
      ? {}
      : {
          topics: excludeTopic.map((name) => ({
            id: idOf(name, kinds.topic, known?.topics ?? []),
          })),
        }),
    ...(excludePrompt.length === 0
      ? {}
      : { promptIds: excludePrompt.map((name) => idOf(name, kinds.prompt, prompts)) }),
    ...(excludeRegion === undefined ? {} : { regions: excludeRegion.map((code) => ({ code })) }),
    ...(excludeModel === undefined ? {} : { models: [...excludeModel] }),
    ...(excludeSurface === undefined ? {} : { surfaces: [...excludeSurface] }),
    ...(excludeTag === undefined ? {} : { tags: tagsOf(excludeTag, kinds.tag, await once()) }),
  };
  return Object.keys(exclude).length === 0 ? { filters } : { filters, exclude };
}

/** Tags as the workspace writes them: they have no ids. */
function tagsOf(given: readonly string[], kind: NameKind, { prompts }: NamedItems): string[] {
  const tags = new Set(prompts.flatMap((prompt) => prompt.tags ?? []));
  const known = [...tags].map((tag) => ({ id: tag, name: tag }));
  return given.map((name) => idOf(name, kind, known));
}

/** The cited source of the options, as requests name it; empty: any. */
export function citedOf({
  sourceDomain,
  sourceUrl,
}: CitedOptions): Pick<EvidenceQuestion, "domain" | "url"> {
  return {
    ...(sourceDomain === undefined ? {} : { domain: sourceDomain }),
    ...(sourceUrl === undefined ? {} : { url: sourceUrl }),
  };
}

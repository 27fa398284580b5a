import type { EvidenceQuestion } from "@sightline/client";
import type { Filters } from "@sightline/contract";
import type { FilterOptions } from "./filter-options.ts";
import { idOf, isId, type Named, type NameKind } from "./names.ts";
import type { CitedOptions } from "./question-options.ts";
import type { TimeRange } from "./time-range.ts";

const topicKind: NameKind = { option: "--topic", plural: "topics", byPart: false };
const promptKind: NameKind = { option: "--prompt", plural: "prompts", byPart: true };

/** What the names of options are looked up in. */
interface NamedItems {
  readonly topics: readonly Named[];
  readonly prompts: readonly { readonly id: string; readonly text: string }[];
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

import type { AnalyticsExclude, AnalyticsFilters, WorkspaceResponse } from "@sightline/client";
import { noPrompt, type ViewFilters } from "../data/filters.ts";
import { countOf, rangeText } from "../data/format.ts";
import { providerName, regionName, surfaceName } from "../data/names.ts";

/** Names of a list that a title says; more are counted. */
const namedMax = 4;

/** Filters in words, one text for each that is set: what a file is of, away from its page. */
export function filterTexts(
  { branded, exclude, ...lists }: ViewFilters,
  workspace: Pick<WorkspaceResponse, "topics" | "prompts">,
): readonly string[] {
  return [
    ...listTexts(lists, workspace, ["", "Topic: ", "Prompt: "]),
    ...(branded === undefined ? [] : [branded ? "Branded prompts" : "Prompts without the brand"]),
    ...listTexts(exclude ?? {}, workspace, ["Without ", "Without topic: ", "Without prompt: "]),
  ];
}

function listTexts(
  lists: AnalyticsExclude,
  workspace: Pick<WorkspaceResponse, "topics" | "prompts">,
  [plain, ofTopics, ofPrompts]: readonly [plain: string, ofTopics: string, ofPrompts: string],
): readonly string[] {
  const { providers = [], topics = [], promptIds = [], regions = [] } = lists;
  const { models = [], surfaces = [], tags = [] } = lists;
  const names = new Map(workspace.topics.map(({ id, name }) => [id, name]));
  const texts = new Map(workspace.prompts.map(({ id, text }) => [id, text]));
  const list = (title: string, values: readonly string[]): readonly string[] => {
    if (values.length === 0) return [];
    const more = values.length - namedMax;
    const named = values.slice(0, namedMax).join(", ");
    return [`${title}${named}${more > 0 ? ` and ${more} more` : ""}`];
  };
  return [
    ...list(plain, providers.map(providerName)),
    ...list(
      ofTopics,
      topics.map(({ id }) => names.get(id) ?? "unknown"),
    ),
    ...list(
      ofPrompts,
      promptIds.map((id) =>
        id === noPrompt ? "none of the chosen topics" : `“${texts.get(id) ?? "unknown"}”`,
      ),
    ),
    ...list(
      plain,
      regions.map(({ code }) => regionName(code)),
    ),
    ...list(plain, models),
    ...list(plain, surfaces.map(surfaceName)),
    ...list(plain === "" ? "Tag: " : "Without tag: ", tags),
  ];
}

/** The period of filters: 2 Sept – 24 Nov 2026 (UTC). */
export function periodText({ timeRange: { from, to } }: Pick<AnalyticsFilters, "timeRange">) {
  return `${rangeText({ fromMs: msOf(from), toMs: msOf(to) })} (UTC)`;
}

/** What a file is of. */
export interface FileOf {
  /** The account's name, or the brand's. */
  readonly owner: string;
  /** Such as mentions, or domains. */
  readonly what: string;
  readonly filters: ViewFilters;
  readonly workspace: Pick<WorkspaceResponse, "topics" | "prompts">;
}

interface TableOf extends FileOf {
  readonly workspace: Pick<WorkspaceResponse, "topics" | "prompts" | "answers">;
  /** What is in it, such as "Mentions · Tarnfell". */
  readonly title: string;
  /** On how much it rests, such as "1,240 answers". */
  readonly n: string;
  /** What its numbers mean. */
  readonly definitions: readonly string[];
}

/** That invented answers are counted; nothing where none is. */
export function sampleTexts({ answers }: Pick<WorkspaceResponse, "answers">): readonly string[] {
  const count = answers.samples?.count ?? 0;
  return count === 0 ? [] : [`Includes ${countOf(count, "sample answer")}, which are invented`];
}

/** What a table says of itself, in lines: its reader sees neither the filters nor the page. */
export function tableTexts({ owner, filters, workspace, title, n, definitions }: TableOf) {
  const filtered = filterTexts(filters, workspace);
  return [
    `${title} · ${periodText(filters)}`,
    `Account: ${owner}`,
    filtered.length === 0 ? "No filters" : `Filters: ${filtered.join(" · ")}`,
    `n = ${n}`,
    ...sampleTexts(workspace),
    ...definitions,
  ];
}

/** Long enough for two filters, short enough for every file system and a table of downloads. */
const nameMax = 120;

/**
 * A file's name that says what is in it, without its ending:
 * tarnfell-mentions-2026-09-02_2026-11-24-chatgpt-de. A name that is too long ends in "more".
 */
export function fileName({ owner, what, filters, workspace }: FileOf): string {
  const { from, to } = filters.timeRange;
  const last = new Date(msOf(to) - 1).toISOString();
  const days = `${new Date(msOf(from)).toISOString().slice(0, 10)}_${last.slice(0, 10)}`;
  const words = [owner, what].map(word).filter((each) => each !== "");
  const { regions = [], ...others } = filters;
  const codes = regions.slice(0, namedMax).map(({ code }) => code);
  const said = [...filterTexts(others, workspace), ...codes].map(word);
  const name = [...words, days, ...said].join("-");
  return name.length <= nameMax ? name : `${name.slice(0, nameMax - 5).replace(/-+$/, "")}-more`;
}

const msOf = (instant: Date | string): number => new Date(instant).getTime();

/** Letters and digits of any script, in lower case, with a hyphen between. */
function word(text: string): string {
  const parts =
    text
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return parts.join("-");
}

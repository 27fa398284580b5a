import type { Grouping, Sightline, WorkspaceResponse } from "@sightline/client";
import { faultText } from "../../data/fault-text.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { announce, type Cell, csvOf, saveFile } from "../../parts/save.ts";
import { fileName } from "../described.ts";
import { allSources, type ListedSource, sourcesOf } from "../source-questions.ts";
import { differenceOf, gapsOf, orderOf } from "./found-gaps.ts";
import { ownerOf } from "./source-class.tsx";
import type { SourceView } from "./source-view.ts";
import { matching, sorted } from "./use-listed.ts";

interface Saved {
  readonly client: Sightline;
  /** The account's name. */
  readonly owner: string;
  readonly question: ViewQuestion;
  readonly groupBy: Grouping;
  readonly list: SourceView;
}

/** Saves all rows of the list, those of its other pages too, in its order. */
export async function saveSources(saved: Saved): Promise<void> {
  const { groupBy, list, question } = saved;
  const asked = sourcesOf(question, groupBy);
  await save({ ...saved, asked, what: groupBy === "domain" ? "domains" : "pages" }, (sources) =>
    sourceRows(sorted(matching(sources, list.search, list.class), list.sorting), question),
  );
}

/** Saves all gaps of the chosen side, small ones too, in their order. */
export async function saveGaps(saved: Saved): Promise<void> {
  const { groupBy, list, question } = saved;
  const asked = sourcesOf(question, groupBy, orderOf(list));
  const what = list.side === "brand" ? "gaps only brand" : "gaps without brand";
  await save({ ...saved, asked, what }, (sources) => {
    const { large, small } = gapsOf(sources, list);
    return gapRows([...large, ...small], question.workspace);
  });
}

interface Asked extends Saved {
  readonly asked: ReturnType<typeof sourcesOf>;
  /** What the file holds. */
  readonly what: string;
}

async function save(
  { client, owner, question, asked, what }: Asked,
  rowsOf: (sources: readonly ListedSource[]) => readonly (readonly Cell[])[],
): Promise<void> {
  try {
    const sources = await allSources(client, asked);
    const { filters, workspace } = question;
    saveFile(`${fileName({ owner, what, filters, workspace })}.csv`, csvOf(rowsOf(sources)));
  } catch (error) {
    announce(`The list could not be loaded: ${faultText(error)}`);
  }
}

/** Numbers as the service gives them: shares are fractions, changes their differences. */
export function sourceRows(
  sources: readonly ListedSource[],
  { workspace, comparedFilters }: Pick<ViewQuestion, "workspace" | "comparedFilters">,
): readonly (readonly Cell[])[] {
  const head = [
    ...["source", "class", "owner", "share", "citations", "answers", "likeForLike", "low", "high"],
    ...["verdict", "effectivePrompts", "change", "mix", "promptsAdded", "promptsRemoved"],
  ];
  const { from, to } = comparedFilters?.timeRange ?? {};
  const compared = [from, to].map((each) => (each === undefined ? null : String(each)));
  const rows = sources.map((each) => [
    ...[each.source, each.class, ownerOf(each, workspace), each.share, each.citations],
    ...[each.answers, ...changeCells(each.change), ...compared],
  ]);
  return [[...head, "compareFrom", "compareTo"], ...rows];
}

/** What is tested first, then the whole change and its other parts. */
function changeCells(change: ListedSource["change"]): readonly Cell[] {
  const { interval = null, parts = null } = change ?? {};
  return [
    ...[parts?.likeForLike ?? null, interval?.low ?? null, interval?.high ?? null],
    ...[change?.verdict ?? null, change?.effectivePrompts ?? null, change?.value ?? null],
    ...[parts?.mix ?? null, parts?.promptsAdded ?? null, parts?.promptsRemoved ?? null],
  ];
}

/** As the list of gaps shows them. */
export function gapRows(
  sources: readonly ListedSource[],
  workspace: WorkspaceResponse,
): readonly (readonly Cell[])[] {
  const head = ["source", "class", "owner", "withCompetitorOnly", "withBrandOnly", "difference"];
  const rows = sources.map((each) => [
    ...[each.source, each.class, ownerOf(each, workspace), each.withCompetitorOnly],
    ...[each.withBrandOnly, differenceOf(each), each.opportunity],
  ]);
  return [[...head, "opportunity"], ...rows];
}

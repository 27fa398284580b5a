import type { Grouping, Sightline, WorkspaceResponse } from "@sightline/client";
import { faultText } from "../../data/fault-text.ts";
import { countOf } from "../../data/format.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { type Cell, type CsvForm, saveCsv } from "../../parts/csv.ts";
import { announce } from "../../parts/save.ts";
import { fileName, tableTexts } from "../described.ts";
import { allSources, type ListedSource, sourcesOf } from "../source-questions.ts";
import { differenceOf, gapsOf, orderOf } from "./found-gaps.ts";
import { classTexts, formTexts, kindTexts, ownerOf } from "./source-class.tsx";
import type { SourceView } from "./source-view.ts";
import { matching, sorted } from "./use-listed.ts";

interface Saved {
  readonly client: Sightline;
  /** The account's name. */
  readonly owner: string;
  readonly question: ViewQuestion;
  readonly groupBy: Grouping;
  readonly list: SourceView;
  readonly form: CsvForm;
}

/** What is saved of the sources. */
interface Listed {
  /** For the file's name. */
  readonly what: string;
  readonly title: string;
  readonly definitions: readonly string[];
  readonly sources: readonly ListedSource[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Saves all rows of the list, those of its other pages too, in its order. */
export async function saveSources(saved: Saved): Promise<void> {
  const { groupBy, list, question } = saved;
  await save(saved, sourcesOf(question, groupBy), (all) => {
    const sources = sorted(matching(all, list), list.sorting);
    return {
      what: groupBy === "domain" ? "domains" : "pages",
      title: groupBy === "domain" ? "Cited domains" : "Cited pages",
      definitions: [
        "share: citations of the source, of all citations.",
        "likeForLike: change of the share among prompts with answers in both periods.",
        "sourceClass: the kind of site. form: what the page is; domains have none.",
        "firstCitedAt, lastCitedAt: the first and the last answer of the period that cites it.",
        ...narrowedTexts(list),
      ],
      sources,
      rows: sourceRows(sources, question),
    };
  });
}

/** Saves all gaps of the chosen side, small ones too, in their order. */
export async function saveGaps(saved: Saved): Promise<void> {
  const { groupBy, list, question } = saved;
  const { brand } = question.workspace;
  await save(saved, sourcesOf(question, groupBy, orderOf(list)), (all) => {
    const { large, small } = gapsOf(all, list);
    const sources = [...large, ...small];
    return {
      what: list.side === "brand" ? "gaps only brand" : "gaps without brand",
      title: list.side === "brand" ? `Only ${brand.name}` : `Without ${brand.name}`,
      definitions: [
        `withCompetitorOnly: answers in which a competitor is visible and ${brand.name} is not.`,
        `withBrandOnly: answers in which ${brand.name} is visible and no competitor is.`,
        "opportunity: about which share of all answers cites the source and is a gap.",
        ...narrowedTexts(list),
      ],
      sources,
      rows: gapRows(sources, question.workspace),
    };
  });
}

/** What the page itself leaves out. */
function narrowedTexts(list: SourceView): readonly string[] {
  return [
    ...(list.search === "" ? [] : [`Search: ${list.search}`]),
    ...(list.class === null ? [] : [`Class: ${classTexts[list.class] ?? list.class}`]),
    ...(list.kind === null ? [] : [`Kind: ${kindTexts[list.kind] ?? list.kind}`]),
    ...(list.form === null ? [] : [`Form: ${formTexts[list.form] ?? list.form}`]),
  ];
}

async function save(
  { client, owner, question, form }: Saved,
  asked: ReturnType<typeof sourcesOf>,
  listedOf: (sources: readonly ListedSource[]) => Listed,
): Promise<void> {
  try {
    const all = await allSources(client, asked);
    const { filters, workspace } = question;
    const { sources, rows, ...listed } = listedOf(all);
    const file = { ...listed, owner, filters, workspace };
    const citations = sources.reduce((sum, each) => sum + each.citations, 0);
    const n = `${countOf(citations, "citation")} of ${countOf(sources.length, "source")}`;
    saveCsv({ name: fileName(file), about: tableTexts({ ...file, n }), rows }, form);
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
    ...[each.sourceClass, each.form, each.firstCitedAt, each.lastCitedAt],
  ]);
  // What was added later is at the end, for programs that count columns.
  const added = ["sourceClass", "form", "firstCitedAt", "lastCitedAt"];
  return [[...head, "compareFrom", "compareTo", ...added], ...rows];
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
    ...[each.sourceClass, each.form],
  ]);
  return [[...head, "opportunity", "sourceClass", "form"], ...rows];
}

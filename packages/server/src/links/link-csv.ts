import {
  type InsightsSeriesResponse,
  type InsightsSourcesResponse,
  type InstantRange,
  intervalFor,
  type LinkView,
  linkSourcesMax,
  pageSourcesMax,
} from "@sightline/contract";
import { spreadsheetText } from "@sightline/contract/spreadsheet-text";
import type { InnerAsking } from "../questions/inner-asking.ts";
import { questionFilters } from "./shown-view.ts";

/** A value of a table; null: an empty cell. */
type Cell = string | number | null;

/** The table of a view as CSV (RFC 4180), for programs that read an address. */
export async function csvOfView(
  asking: InnerAsking,
  view: LinkView,
  range: InstantRange,
): Promise<string> {
  const rows =
    view.page === "sources"
      ? sourceRows(await askSources(asking, view, range))
      : pointRows(await askSeries(asking, view, range));
  return rows.map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("");
}

/** The course of a view's metric. */
export function askSeries(
  asking: InnerAsking,
  { metric = "mentions", interval, exclude, ...view }: LinkView,
  range: InstantRange,
): Promise<InsightsSeriesResponse> {
  return asking.reply<InsightsSeriesResponse>("insightsSeries", {
    metric,
    interval: interval ?? intervalFor(range),
    filters: questionFilters(view, range),
    ...(exclude === undefined ? {} : { exclude }),
  });
}

/** The most cited domains, page after page. */
async function askSources(
  asking: InnerAsking,
  { exclude, ...view }: LinkView,
  range: InstantRange,
): Promise<InsightsSourcesResponse["sources"]> {
  const found: InsightsSourcesResponse["sources"] = [];
  for (let hasMore = true; hasMore && found.length < linkSourcesMax; ) {
    const page = await asking.reply<InsightsSourcesResponse>("insightsSources", {
      groupBy: "domain",
      filters: questionFilters(view, range),
      ...(exclude === undefined ? {} : { exclude }),
      limit: pageSourcesMax,
      offset: found.length,
    });
    found.push(...page.sources);
    hasMore = page.pagination.hasMore && page.sources.length > 0;
  }
  return found;
}

/** By series, then by time: a value with its 95 % interval and what it is made of. */
function pointRows({ series }: InsightsSeriesResponse): readonly (readonly Cell[])[] {
  return [
    ["date", "name", "value", "low", "high", "numerator", "denominator"],
    ...series.flatMap(({ name, data }) =>
      data.map(({ timestamp, value, interval, numerator, denominator }) => {
        const [date = ""] = timestamp.split("T");
        const bounds = [interval?.low ?? null, interval?.high ?? null];
        return [date, name, value, ...bounds, numerator, denominator];
      }),
    ),
  ];
}

function sourceRows(sources: InsightsSourcesResponse["sources"]): readonly (readonly Cell[])[] {
  return [
    ["source", "class", "citations", "share", "answers", "with brand", "with competitor only"],
    ...sources.map(({ source, class: owner, citations, share, answers, ...found }) => {
      return [source, owner, citations, share, answers, found.withBrand, found.withCompetitorOnly];
    }),
  ];
}

/** Texts are from outside: none is a formula, and none ends its line. */
function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = spreadsheetText(cell.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "));
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import type { SourceGapsFacts } from "../../analytics/source-gaps.ts";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import type { ComparedSourcesPlan } from "../facts-engine.ts";
import { sourcesOf } from "../facts-of-rows.ts";
import type { Counted } from "./conditions.ts";
import { gapsStatement, sourcePromptsStatement } from "./insight-statements.ts";
import { sourcesStatement } from "./statements.ts";
import { textNumber } from "./text-number.ts";

interface Reading {
  readonly clickhouse: Clickhouse;
  /** All statements read the same rows. */
  readonly counted: Counted;
  readonly signal: AbortSignal;
}

/** A page of sources with their gaps, and the sums of a comparison. */
export async function readSourceGaps(
  { clickhouse, counted, signal }: Reading,
  { page: plan, compare }: ComparedSourcesPlan,
): Promise<Omit<SourceGapsFacts, "used">> {
  const found = sourcesOf(await clickhouse.query(sourcesStatement(plan, counted), signal));
  const numbers = found.page.map(({ source }) => textNumber(source));
  const rows = await clickhouse.query(gapsStatement(plan, numbers, counted), signal);
  const gaps = new Map(rows.map(({ place, ...gap }) => [place, gap]));
  const compared = compare && {
    before: await clickhouse.query(sourcePromptsStatement(compare, numbers, counted), signal),
    after: await clickhouse.query(sourcePromptsStatement(plan, numbers, counted), signal),
  };
  const page = found.page.map((source, place) => ({ ...source, ...(gaps.get(place) ?? noGap) }));
  return { total: found.total, citations: found.citations, page, compared };
}

const noGap = { answers: 0, withBrand: 0, withBrandOnly: 0, withCompetitorOnly: 0 };

import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { sourcesOf } from "../facts-of-rows.ts";
import type { FactsReader, GapsPage } from "../facts-questions.ts";
import type { SourceGapsPlan } from "../plan/insight-plans.ts";
import { clickhouseDialect } from "./dialect.ts";
import type { GenerationState } from "./generation-rows.ts";
import { citedNumbers, gapsStatement } from "./source-statements.ts";
import { textNumber } from "./text-number.ts";

/** Reads the same rows of a generation until the signal aborts. */
export function readerOf(
  clickhouse: Clickhouse,
  state: GenerationState,
  signal: AbortSignal,
): FactsReader {
  const reader = {
    dialect: clickhouseDialect(state),
    query: (statement) => clickhouse.query(statement, signal),
  } satisfies Pick<FactsReader, "dialect" | "query">;
  return {
    ...reader,
    citedNumbers: async (source) => citedNumbers(source),
    gapsPage: (plan) => gapsPage(reader, plan),
  };
}

const noGap = { answers: 0, withBrand: 0, withBrandOnly: 0, withCompetitorOnly: 0 };

async function gapsPage(
  { query, dialect }: Pick<FactsReader, "dialect" | "query">,
  plan: SourceGapsPlan,
): Promise<GapsPage> {
  const { page: sources, ...sums } = sourcesOf(await query(dialect.sources(plan)));
  const value = sources.map(({ source }) => textNumber(source));
  const numbers = { type: "Array(UInt64)", value } as const;
  const rows = await query(gapsStatement(plan, numbers, dialect));
  const gaps = new Map(rows.map(({ place, ...gap }) => [place - 1, gap]));
  const page = sources.map((source, place) => ({ ...source, ...(gaps.get(place) ?? noGap) }));
  return { ...sums, page, numbers };
}

import type { SourceGapsFacts } from "../../analytics/source-gaps.ts";
import type { ComparedSourcesPlan } from "../facts-engine.ts";
import { citedNumbers } from "./cited-numbers.ts";
import type { FactsFile } from "./facts-file.ts";
import { sourceGapsStatement, sourcePromptsStatement } from "./insight-statements.ts";

/** A page of sources with their gaps, and the sums of a comparison. */
export async function readSourceGaps(
  file: FactsFile,
  { page: plan, compare }: ComparedSourcesPlan,
  signal: AbortSignal,
): Promise<Omit<SourceGapsFacts, "used">> {
  const listed = await citedNumbers(file, plan.listed, signal);
  const rows = await file.query(sourceGapsStatement(plan, listed), signal);
  const [first] = rows;
  const sources = rows.flatMap(({ number, source, ...row }) =>
    number === null || source === null ? [] : [{ number, gap: { source, ...countsOf(row) } }],
  );
  const numbers = sources.map(({ number }) => number);
  const compared = compare && {
    before: await file.query(sourcePromptsStatement(compare, numbers), signal),
    after: await file.query(sourcePromptsStatement(plan, numbers), signal),
  };
  return {
    total: first?.total ?? 0,
    citations: first?.allCitations ?? 0,
    page: sources.map(({ gap }) => gap),
    compared,
  };
}

/** Columns that are null in the row of an empty page alone. */
function countsOf(row: {
  readonly citations: number | null;
  readonly answers: number | null;
  readonly withBrand: number | null;
  readonly withBrandOnly: number | null;
  readonly withCompetitorOnly: number | null;
}) {
  return {
    citations: row.citations ?? 0,
    answers: row.answers ?? 0,
    withBrand: row.withBrand ?? 0,
    withBrandOnly: row.withBrandOnly ?? 0,
    withCompetitorOnly: row.withCompetitorOnly ?? 0,
  };
}

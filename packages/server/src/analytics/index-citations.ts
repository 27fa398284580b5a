import { eachStretch, type IndexSelection, type Instants, type Pause } from "./index-selection.ts";
import { wantedOrigins } from "./origins.ts";
import type { SourcesPlan } from "./plan.ts";
import type { CitationSegment } from "./prompt-index.ts";
import { NumberCounts, type SourceCounts } from "./ranked-counts.ts";

/**
 * Counts the citations of each source, of the selected answers that the plan's filters let pass.
 * What it gives must be used up in the same turn of the event loop; see NumberCounts.
 */
export async function indexCounts(
  selection: IndexSelection<CitationSegment>,
  plan: SourcesPlan,
  { fromMs, toMs, pause }: Instants & { readonly pause: Pause },
): Promise<SourceCounts> {
  const origins = wantedOrigins(plan.rows.conditions);
  const numberOf = plan.groupBy;
  const counts = new NumberCounts(
    selection.stretches.reduce((most, { segment }) => Math.max(most, segment.largest[numberOf]), 0),
  );
  await eachStretch(selection.stretches, pause, ({ segment, from, to }) => {
    const { firstMs, lastMs, answeredAt, origin, rowStart, [numberOf]: numbers } = segment;
    const isWithin = firstMs >= fromMs && lastMs < toMs;
    if (isWithin && origins === null) {
      counts.add(numbers, rowStart[from] ?? 0, rowStart[to] ?? 0);
      return;
    }
    for (let answer = from; answer < to; answer++) {
      if (origins !== null && origins[origin[answer] ?? 0] !== 1) continue;
      const at = answeredAt[answer] ?? 0;
      if (at < fromMs || at >= toMs) continue;
      counts.add(numbers, rowStart[answer] ?? 0, rowStart[answer + 1] ?? 0);
    }
  });
  return counts.end();
}

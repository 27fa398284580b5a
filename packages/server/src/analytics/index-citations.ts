import { type IndexSelection, type Instants, isWithin } from "./index-selection.ts";
import { eachStretch, type Pause, wantedStretches } from "./index-stretches.ts";
import { wantedOrigins } from "./origins.ts";
import type { SourcesPlan } from "./plan.ts";
import type { CitationSegment } from "./prompt-index.ts";
import { NumberCounts, type SourceCounts } from "./ranked-counts.ts";

/** To count a citation takes a quarter of what it takes to look at an answer, at most. */
const cost = () => 1 / 4;

/**
 * Counts the citations of each source, of the selected answers that the plan's filters let pass.
 * What it gives must be used up in the same turn of the event loop; see NumberCounts.
 */
export async function indexCounts(
  selection: IndexSelection<CitationSegment>,
  plan: SourcesPlan,
  { pause, ...instants }: Instants & { readonly pause: Pause },
): Promise<SourceCounts> {
  const origins = wantedOrigins(plan.rows.conditions);
  const { fromMs, toMs } = instants;
  const numberOf = plan.groupBy;
  const counts = new NumberCounts(
    selection.stretches.reduce((most, { segment }) => Math.max(most, segment.largest[numberOf]), 0),
  );
  const whole = selection.stretches.filter(({ segment }) => isWithin(segment, instants));
  const cut = selection.stretches.filter(({ segment }) => !isWithin(segment, instants));
  await eachStretch(wantedStretches(whole, origins, "rows"), { pause, cost }, (rows) => {
    counts.add(rows.segment[numberOf], rows.from, rows.to);
  });
  await eachStretch(
    wantedStretches(cut, origins, "answers"),
    { pause },
    ({ segment, from, to }) => {
      const { answeredAt, rowStart, [numberOf]: numbers } = segment;
      for (let answer = from; answer < to; answer++) {
        const at = answeredAt[answer] ?? 0;
        if (at < fromMs || at >= toMs) continue;
        counts.add(numbers, rowStart[answer] ?? 0, rowStart[answer + 1] ?? 0);
      }
    },
  );
  return counts.end();
}

import { eachWithin } from "./answers-within.ts";
import {
  type CountedStretch,
  eachStretch,
  type Pause,
  wantedStretches,
} from "./index-stretches.ts";
import { isWithin } from "./instants.ts";
import { wantedOrigins } from "./origins.ts";
import type { SourcesPlan } from "./plan.ts";
import type { CitationSegment } from "./prompt-index.ts";
import { NumberCounts, type SourceCounts } from "./ranked-counts.ts";

/** To count a citation takes a quarter of what it takes to look at an answer, at most. */
const cost = () => 1 / 4;

/**
 * Counts the citations of each source, of the selected prompts' answers that the plan's filters let
 * pass. What it gives must be used up in the same turn of the event loop; see NumberCounts.
 */
export async function indexCounts(
  prompts: readonly CountedStretch<CitationSegment>[],
  plan: SourcesPlan,
  pause: Pause,
): Promise<SourceCounts> {
  const origins = wantedOrigins(plan.rows.conditions);
  const numberOf = plan.groupBy;
  const counts = new NumberCounts(
    prompts.reduce((most, { segment }) => Math.max(most, segment.largest[numberOf]), 0),
  );
  const isWhole = ({ segment, instants }: CountedStretch<CitationSegment>) =>
    isWithin(segment, instants);
  const whole = wantedStretches(prompts.filter(isWhole), origins, "rows");
  await eachStretch(whole, { pause, cost }, ({ segment, from, to }) => {
    counts.add(segment[numberOf], from, to);
  });
  const cut = prompts.filter((stretch) => !isWhole(stretch));
  await eachStretch(wantedStretches(cut, origins, "answers"), { pause }, (answers) => {
    const { rowStart, [numberOf]: numbers } = answers.segment;
    eachWithin(answers, (found, count) => {
      for (let each = 0; each < count; each++) {
        const answer = found[each] ?? 0;
        counts.add(numbers, rowStart[answer] ?? 0, rowStart[answer + 1] ?? 0);
      }
    });
  });
  return counts.end();
}

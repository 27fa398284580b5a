import { type AnswerSegment, rowsIn } from "./index-answers.ts";
import { mergedDays } from "./index-days.ts";
import { firstRowDay, recounting } from "./index-rows.ts";
import type { Pause } from "./index-stretches.ts";
import { outerEnds } from "./instants.ts";
import { mergedAnswers } from "./merge-answers.ts";
import type { AppearanceSegment, CitationSegment } from "./prompt-index.ts";

/** One segment of several that follow one another; see `mergedAnswers`. */
export async function mergedAppearances(
  parts: readonly AppearanceSegment[],
  pause: Pause,
): Promise<AppearanceSegment> {
  const count = rowsOf(parts);
  const row = new Int32Array(count);
  const isNarrow = parts.every(({ rank }) => rank instanceof Uint8Array);
  const rank = isNarrow ? new Uint8Array(count) : new Uint16Array(count);
  const firstDay = firstRowDay(outerEnds(parts));
  const recountings = parts.map((part) => recounting(firstRowDay(part), firstDay));
  const answers = await mergedAnswers(parts, {
    pause,
    move: ({ part, from, to, place }) => {
      const [source, days] = [parts[part], recountings[part]];
      if (source === undefined || days === undefined) return;
      for (let [each, into] = [from, place]; each < to; each++, into++) {
        row[into] = ((source.row[each] ?? 0) & days.mask) + days.add;
        rank[into] = source.rank[each] ?? 0;
      }
    },
  });
  const entities = Math.max(...parts.map((part) => part.entities));
  const rows = { ...answers, row, rank, entities };
  return { ...rows, days: await mergedDays(rows, parts, pause) };
}

/** As `mergedAppearances`, of citations. */
export async function mergedCitations(
  parts: readonly CitationSegment[],
  pause: Pause,
): Promise<CitationSegment> {
  const count = rowsOf(parts);
  const domain = new Int32Array(count);
  const url = new Int32Array(count);
  const answers = await mergedAnswers(parts, {
    pause,
    move: ({ part, from, to, place }) => {
      const source = parts[part];
      if (source === undefined) return;
      for (let [each, into] = [from, place]; each < to; each++, into++) {
        domain[into] = source.domain[each] ?? 0;
        url[into] = source.url[each] ?? 0;
      }
    },
  });
  const largestOf = (name: "domain" | "url") =>
    Math.max(...parts.map(({ largest }) => largest[name]));
  return {
    ...answers,
    domain,
    url,
    largest: { domain: largestOf("domain"), url: largestOf("url") },
  };
}

function rowsOf(parts: readonly AnswerSegment[]): number {
  return parts.reduce((sum, part) => sum + rowsIn(part), 0);
}

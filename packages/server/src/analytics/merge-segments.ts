import { type AnswerColumns, type AnswerSegment, arranged, rowsIn } from "./index-answers.ts";
import { firstRowDay, type Narrow, narrow, recountedRows } from "./index-rows.ts";
import type { Pause } from "./index-stretches.ts";
import {
  type AppearanceSegment,
  appearancesOf,
  type CitationSegment,
  citationsOf,
  inOrder,
} from "./prompt-index.ts";

/**
 * One segment of the rows of several that follow one another, as if they had been indexed together;
 * an answer that was cut in two stays two. The answers of a prompt then lie together, where memory
 * is read in a row. About 40 ns a row, in three pieces.
 */
export async function mergedAppearances(
  parts: readonly AppearanceSegment[],
  pause: Pause,
): Promise<AppearanceSegment> {
  const { answers, order } = arranged(answersOf(parts));
  await pause();
  const count = order.length;
  const row = joined(
    parts.map((part) => recountedRows(part.row, firstRowDay(part), firstRowDay(answers))),
    new Int32Array(count),
  );
  const rank = joined(
    parts.map((part) => part.rank),
    new Uint16Array(count),
  );
  const columns = {
    row: inOrder(row, order, new Int32Array(count)),
    rank: narrow(inOrder(rank, order, new Uint16Array(count))),
  };
  await pause();
  return appearancesOf({ ...answers, ...columns });
}

/** As `mergedAppearances`, of citations. */
export async function mergedCitations(
  parts: readonly CitationSegment[],
  pause: Pause,
): Promise<CitationSegment> {
  const { answers, order } = arranged(answersOf(parts));
  await pause();
  const count = order.length;
  const domain = joined(
    parts.map((part) => part.domain),
    new Int32Array(count),
  );
  const url = joined(
    parts.map((part) => part.url),
    new Int32Array(count),
  );
  return citationsOf({
    ...answers,
    domain: inOrder(domain, order, new Int32Array(count)),
    url: inOrder(url, order, new Int32Array(count)),
  });
}

/** The answers of all parts, part by part. */
function answersOf(parts: readonly AnswerSegment[]): AnswerColumns {
  const count = parts.reduce((sum, { answeredAt }) => sum + answeredAt.length, 0);
  const prompt = new Int32Array(count);
  const origin = new Uint16Array(count);
  let first = 0;
  for (const part of parts) {
    fillPrompts(part, prompt.subarray(first));
    fillOrigins(part, origin.subarray(first));
    first += part.answeredAt.length;
  }
  return {
    prompt,
    origin,
    answeredAt: joined(parts.map(instantsOf), new Float64Array(count)),
    rowStart: joinedStarts(parts, new Int32Array(count + 1)),
  };
}

const instantsOf = ({ answeredAt }: AnswerSegment) => answeredAt;

/** The prompt of each answer. */
function fillPrompts({ prompt, promptStart, groupStart }: AnswerSegment, into: Int32Array): void {
  for (const [place, number] of prompt.entries()) {
    const [first, end] = [promptStart[place] ?? 0, promptStart[place + 1] ?? 0];
    into.fill(number, groupStart[first], groupStart[end]);
  }
}

/** The origin of each answer. */
function fillOrigins({ origin, groupStart }: AnswerSegment, into: Uint16Array): void {
  for (let group = 0; group < origin.length; group++) {
    into.fill(origin[group] ?? 0, groupStart[group], groupStart[group + 1]);
  }
}

/** The first row of each answer, counted through all parts, and the end. */
function joinedStarts(parts: readonly AnswerSegment[], into: Int32Array): Int32Array {
  let [place, rows] = [0, 0];
  for (const part of parts) {
    for (const start of part.rowStart.subarray(0, -1)) into[place++] = rows + start;
    rows += rowsIn(part);
  }
  into[place] = rows;
  return into;
}

type Column = Float64Array | Int32Array | Narrow;

/** Columns one after another. */
function joined<Into extends Column>(columns: readonly Column[], into: Into): Into {
  let place = 0;
  for (const column of columns) {
    into.set(column, place);
    place += column.length;
  }
  return into;
}

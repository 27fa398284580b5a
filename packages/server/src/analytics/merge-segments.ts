import { type AnswerSegment, rowsIn } from "./index-answers.ts";
import type { Pause } from "./index-selection.ts";
import {
  type AppearanceSegment,
  appearancesOf,
  type CitationSegment,
  citationsOf,
} from "./prompt-index.ts";

/**
 * One segment of the rows of several that follow one another, as if they had been indexed together;
 * an answer that was cut in two stays two. The answers of a prompt then lie together, where memory
 * is read in a row. About 30 ns a row, half of them before the pause.
 */
export async function mergedAppearances(
  parts: readonly AppearanceSegment[],
  pause: Pause,
): Promise<AppearanceSegment> {
  const { answers, rows } = mergedAnswers(parts);
  const count = rowsIn(answers);
  const columns = {
    ...answers,
    entity: taken(parts, "entity", { stretches: rows, into: new Uint16Array(count) }),
    marks: taken(parts, "marks", { stretches: rows, into: new Uint8Array(count) }),
    rank: taken(parts, "rank", { stretches: rows, into: new Uint16Array(count) }),
  };
  await pause();
  return appearancesOf({ ...answers, ...columns });
}

/** As `mergedAppearances`, of citations. */
export async function mergedCitations(
  parts: readonly CitationSegment[],
  pause: Pause,
): Promise<CitationSegment> {
  const { answers, rows } = mergedAnswers(parts);
  const count = rowsIn(answers);
  const columns = {
    domain: taken(parts, "domain", { stretches: rows, into: new Int32Array(count) }),
    url: taken(parts, "url", { stretches: rows, into: new Int32Array(count) }),
  };
  await pause();
  return citationsOf({ ...answers, ...columns });
}

/** Places of a part that lie one after another: [from, to). */
interface Stretch {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** The answers of all parts, and the stretches of rows that stand there in their place. */
function mergedAnswers(parts: readonly AnswerSegment[]) {
  const { prompt, stretches } = promptByPrompt(parts);
  const rows = stretches.map(({ part, from, to }) => {
    const rowStart = parts[part]?.rowStart;
    return { part, from: rowStart?.[from] ?? 0, to: rowStart?.[to] ?? 0 };
  });
  const count = parts.reduce((sum, { answeredAt }) => sum + answeredAt.length, 0);
  const answers: AnswerSegment = {
    firstMs: Math.min(...parts.map(({ firstMs }) => firstMs)),
    lastMs: Math.max(...parts.map(({ lastMs }) => lastMs)),
    ...prompt,
    answeredAt: taken(parts, "answeredAt", { stretches, into: new Float64Array(count) }),
    origin: taken(parts, "origin", { stretches, into: new Uint16Array(count) }),
    rowStart: rowStarts(parts, stretches, count),
  };
  return { answers, rows };
}

/** The prompts of all parts, and the stretches of answers of each, in the order of the parts. */
function promptByPrompt(parts: readonly AnswerSegment[]) {
  const next = parts.map(() => 0); // of each part, the place of its next prompt
  const prompts: number[] = [];
  const starts: number[] = [];
  const stretches: Stretch[] = [];
  let answers = 0;
  for (;;) {
    starts.push(answers);
    const numbers = parts.map(({ prompt }, part) => prompt[next[part] ?? 0] ?? noPrompt);
    const number = Math.min(...numbers);
    if (number === noPrompt) break;
    prompts.push(number);
    for (const [part, { promptStart }] of parts.entries()) {
      if (numbers[part] !== number) continue;
      const place = next[part] ?? 0;
      const [from, to] = [promptStart[place] ?? 0, promptStart[place + 1] ?? 0];
      stretches.push({ part, from, to });
      answers += to - from;
      next[part] = place + 1;
    }
  }
  const prompt = { prompt: Int32Array.from(prompts), promptStart: Int32Array.from(starts) };
  return { prompt, stretches };
}

/** After the last prompt of a part. */
const noPrompt = Number.POSITIVE_INFINITY;

type TypedColumn = Float64Array | Int32Array | Uint16Array | Uint8Array;

interface Taking<Into> {
  readonly stretches: readonly Stretch[];
  readonly into: Into;
}

/** To copy a stretch of fewer places at once takes longer than to go through them. */
const copiedMin = 16;

/** A column of stretches, one after another. */
function taken<Column extends string, Into extends TypedColumn>(
  parts: readonly Readonly<Record<Column, TypedColumn>>[],
  column: Column,
  { stretches, into }: Taking<Into>,
): Into {
  let place = 0;
  for (const { part, from, to } of stretches) {
    const values = parts[part]?.[column] ?? into;
    if (to - from >= copiedMin) into.set(values.subarray(from, to), place);
    else for (let each = from; each < to; each++) into[place + each - from] = values[each] ?? 0;
    place += to - from;
  }
  return into;
}

/** The first row of each answer, counted anew, and the end. */
function rowStarts(
  parts: readonly AnswerSegment[],
  stretches: readonly Stretch[],
  count: number,
): Int32Array {
  const starts = new Int32Array(count + 1);
  let [place, row] = [0, 0];
  for (const { part, from, to } of stretches) {
    const own = parts[part]?.rowStart ?? starts;
    const moved = row - (own[from] ?? 0);
    for (let answer = from; answer < to; answer++) starts[place++] = (own[answer] ?? 0) + moved;
    row += (own[to] ?? 0) - (own[from] ?? 0);
  }
  starts[count] = row;
  return starts;
}

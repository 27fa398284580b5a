import { type AnswerGroups, GroupsInOrder } from "./answer-groups.ts";

/** What every indexed row says of its answer. */
export const answerColumns = ["prompt", "origin", "answered_at"] as const;

/** A column of numbers, or a list of them. */
export type Numbers = Readonly<Record<number, number>> & { readonly length: number };

/** What rows say of their answers, in the order in which they lie. */
export type AnswerRows = Readonly<Record<(typeof answerColumns)[number], Numbers>>;

/**
 * A stretch of rows by prompt: an inverted index. Rows one after another that agree in all that
 * filters look at are one *answer* (two answers may agree; nothing tells them apart then).
 */
export interface AnswerSegment extends AnswerGroups {
  /** Milliseconds since 1970, of its first and its last answer. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** One place an answer. */
  readonly answeredAt: Float64Array;
  /** Its first row; one place more than there are answers. */
  readonly rowStart: Int32Array;
}

/** How many rows a segment has. */
export function rowsIn({ rowStart }: Pick<AnswerSegment, "rowStart">): number {
  return rowStart.at(-1) ?? 0;
}

/** What a segment takes in memory. */
export function bytesIn(segment: object): number {
  let bytes = 0;
  for (const column of Object.values(segment)) {
    if (ArrayBuffer.isView(column)) bytes += column.byteLength;
    else if (typeof column === "object" && column !== null) bytes += bytesIn(column);
  }
  return bytes;
}

/** A segment's answers, and the row that stands at each place. */
interface IndexedAnswers {
  readonly answers: AnswerSegment;
  readonly order: Int32Array;
}

/**
 * Indexes rows, of which there is at least one. The answers come by prompt, in each by origin, and
 * then as they were: what a filter by provider or region lets pass lies together, group by group.
 */
export function indexAnswers(rows: AnswerRows): IndexedAnswers {
  const { prompt, origin, answeredAt, rowStart } = answersOf(rows);
  const inOrder = sortedBy(prompt, sortedBy(origin, asTheyAre(origin.length)));
  const count = inOrder.length;
  const answers = { answeredAt: new Float64Array(count), rowStart: new Int32Array(count + 1) };
  const order = new Int32Array(rowStart[count] ?? 0);
  const groups = new GroupsInOrder(count);
  let place = 0;
  for (let answer = 0; answer < count; answer++) {
    const from = inOrder[answer] ?? 0;
    groups.add(prompt[from] ?? 0, origin[from] ?? 0, { answer, row: place });
    answers.answeredAt[answer] = answeredAt[from] ?? 0;
    const end = rowStart[from + 1] ?? 0;
    for (let row = rowStart[from] ?? 0; row < end; row++) order[place++] = row;
    answers.rowStart[answer + 1] = place;
  }
  const ended = groups.ended({ answer: count, row: place });
  return { answers: { ...answers, ...ended, ...endsOf(answeredAt) }, order };
}

/** What rows say of each answer, one place each. */
function answersOf(rows: AnswerRows) {
  const rowStart = answerStarts(rows);
  const count = rowStart.length - 1;
  const prompt = new Int32Array(count);
  const origin = new Uint16Array(count);
  const answeredAt = new Float64Array(count);
  for (let answer = 0; answer < count; answer++) {
    const row = rowStart[answer] ?? 0;
    prompt[answer] = rows.prompt[row] ?? 0;
    origin[answer] = rows.origin[row] ?? 0;
    answeredAt[answer] = rows.answered_at[row] ?? 0;
  }
  return { prompt, origin, answeredAt, rowStart };
}

/** All places, in order. A plain loop: `keys` takes far longer. */
function asTheyAre(count: number): Int32Array {
  const places = new Int32Array(count);
  for (let place = 0; place < count; place++) places[place] = place;
  return places;
}

/** Places in the order of what stands there; equal ones stay as they were (a counting sort). */
function sortedBy(keys: Int32Array | Uint16Array, places: Int32Array): Int32Array {
  let largest = 0;
  for (let place = 0; place < keys.length; place++) largest = Math.max(largest, keys[place] ?? 0);
  const next = new Int32Array(largest + 2); // of each key, where its next place goes
  for (let place = 0; place < keys.length; place++) {
    const after = (keys[place] ?? 0) + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let key = 1; key < next.length; key++) next[key] = (next[key] ?? 0) + (next[key - 1] ?? 0);
  const sorted = new Int32Array(places.length);
  for (let each = 0; each < places.length; each++) {
    const place = places[each] ?? 0;
    const key = keys[place] ?? 0;
    const at = next[key] ?? 0;
    sorted[at] = place;
    next[key] = at + 1;
  }
  return sorted;
}

function endsOf(answeredAt: Float64Array) {
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let answer = 0; answer < answeredAt.length; answer++) {
    firstMs = Math.min(firstMs, answeredAt[answer] ?? 0);
    lastMs = Math.max(lastMs, answeredAt[answer] ?? 0);
  }
  return { firstMs, lastMs };
}

/** The first row of each answer, and the end. */
function answerStarts({ prompt, origin, answered_at }: AnswerRows): Int32Array {
  const starts = new Int32Array(prompt.length + 1);
  let answers = 0;
  for (let row = 0; row < prompt.length; row++) {
    const isSame =
      row > 0 &&
      answered_at[row] === answered_at[row - 1] &&
      prompt[row] === prompt[row - 1] &&
      origin[row] === origin[row - 1];
    if (!isSame) starts[answers++] = row;
  }
  starts[answers] = prompt.length;
  return starts.slice(0, answers + 1);
}

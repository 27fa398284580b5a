/** What the index keeps of each appearance, as the rows give it. */
export const indexedColumns = [
  "prompt",
  "topic",
  "branded",
  "provider",
  "region",
  "answered_at",
  "entity",
  "marks",
  "rank",
] as const;

type Numbers = Readonly<Record<number, number>> & { readonly length: number };

/** Appearances in the order of their rows: a row is one place in each column. */
export type AppearanceRows = Readonly<Record<(typeof indexedColumns)[number], Numbers>>;

/** The bits of `marks`: what a row counts for, besides its rank. */
export const marks = { mentioned: 1, cited: 2, visible: 4 } as const;

/**
 * A stretch of appearances by prompt: an inverted index. Rows one after another that agree in all
 * that filters look at are one *answer* (two answers may agree; nothing tells them apart then).
 */
export interface IndexSegment {
  /** Milliseconds since 1970, of its first and its last answer. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** One place a prompt: the numbers by which filters know it, and its first answer. */
  readonly prompt: Int32Array;
  readonly topic: Int32Array;
  readonly branded: Uint8Array;
  /** One place more than there are prompts. */
  readonly promptStart: Int32Array;
  /** One place an answer, prompt by prompt, and in each in the order of the rows. */
  readonly answeredAt: Float64Array;
  readonly provider: Uint8Array;
  readonly region: Uint16Array;
  /** One place more than there are answers. */
  readonly answerStart: Int32Array;
  /** One place a row, answer by answer. */
  readonly entity: Uint16Array;
  readonly marks: Uint8Array;
  readonly rank: Uint16Array;
}

/** Bytes that a row takes in the index, its answer's share included: about four rows an answer. */
export const indexedRowBytes = 9;

/** Builds the index of some rows; there is at least one. Takes the thread for 15 ns a row. */
export function indexSegment(rows: AppearanceRows): IndexSegment {
  const rowOf = answerStarts(rows); // of each answer, in the order of the rows
  const answers = rowOf.length - 1;
  const order = byPrompt(rows.prompt, rowOf);
  const segment = {
    answeredAt: new Float64Array(answers),
    provider: new Uint8Array(answers),
    region: new Uint16Array(answers),
    answerStart: new Int32Array(answers + 1),
    entity: new Uint16Array(rows.entity.length),
    marks: new Uint8Array(rows.entity.length),
    rank: new Uint16Array(rows.entity.length),
  };
  const starts: number[] = [];
  let [place, lastPrompt, firstMs, lastMs] = [0, -1, Infinity, -Infinity];
  for (let answer = 0; answer < answers; answer++) {
    const from = rowOf[order[answer] ?? 0] ?? 0;
    const to = rowOf[(order[answer] ?? 0) + 1] ?? 0;
    const answeredAt = rows.answered_at[from] ?? 0;
    if (rows.prompt[from] !== lastPrompt) starts.push(answer);
    lastPrompt = rows.prompt[from] ?? 0;
    firstMs = Math.min(firstMs, answeredAt);
    lastMs = Math.max(lastMs, answeredAt);
    segment.answeredAt[answer] = answeredAt;
    segment.provider[answer] = rows.provider[from] ?? 0;
    segment.region[answer] = rows.region[from] ?? 0;
    for (let row = from; row < to; row++, place++) {
      segment.entity[place] = rows.entity[row] ?? 0;
      segment.marks[place] = rows.marks[row] ?? 0;
      segment.rank[place] = rows.rank[row] ?? 0;
    }
    segment.answerStart[answer + 1] = place;
  }
  const firstRows = starts.map((answer) => rowOf[order[answer] ?? 0] ?? 0);
  return {
    ...segment,
    firstMs,
    lastMs,
    prompt: Int32Array.from(firstRows, (row) => rows.prompt[row] ?? 0),
    topic: Int32Array.from(firstRows, (row) => rows.topic[row] ?? 0),
    branded: Uint8Array.from(firstRows, (row) => rows.branded[row] ?? 0),
    promptStart: Int32Array.from([...starts, answers]),
  };
}

/** The first row of each answer, and the end. */
function answerStarts({ prompt, provider, region, answered_at }: AppearanceRows): Int32Array {
  const starts = new Int32Array(prompt.length + 1);
  let answers = 0;
  for (let row = 0; row < prompt.length; row++) {
    const isSame =
      row > 0 &&
      answered_at[row] === answered_at[row - 1] &&
      prompt[row] === prompt[row - 1] &&
      provider[row] === provider[row - 1] &&
      region[row] === region[row - 1];
    if (!isSame) starts[answers++] = row;
  }
  starts[answers] = prompt.length;
  return starts.slice(0, answers + 1);
}

/** The answers in the order of their prompts' numbers; those of one prompt stay in order. */
function byPrompt(prompt: Numbers, rowOf: Int32Array): Int32Array {
  const answers = rowOf.length - 1;
  let largest = 0;
  for (let answer = 0; answer < answers; answer++) {
    largest = Math.max(largest, prompt[rowOf[answer] ?? 0] ?? 0);
  }
  const next = new Int32Array(largest + 2);
  for (let answer = 0; answer < answers; answer++) {
    const number = (prompt[rowOf[answer] ?? 0] ?? 0) + 1;
    next[number] = (next[number] ?? 0) + 1;
  }
  for (let number = 1; number < next.length; number++) {
    next[number] = (next[number] ?? 0) + (next[number - 1] ?? 0);
  }
  const order = new Int32Array(answers);
  for (let answer = 0; answer < answers; answer++) {
    const number = prompt[rowOf[answer] ?? 0] ?? 0;
    const place = next[number] ?? 0;
    order[place] = answer;
    next[number] = place + 1;
  }
  return order;
}

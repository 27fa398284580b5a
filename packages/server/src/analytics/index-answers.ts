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
export interface AnswerSegment {
  /** Milliseconds since 1970, of its first and its last answer. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** One place a prompt: the numbers, rising. */
  readonly prompt: Int32Array;
  /** Its first answer; one place more than there are prompts. */
  readonly promptStart: Int32Array;
  /** One place an answer, prompt by prompt, and in each in the order of the rows. */
  readonly answeredAt: Float64Array;
  /** Its provider and region; see `originOf`. */
  readonly origin: Uint16Array;
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

/** Answers by prompt, and the row that stands at each place. */
export interface IndexedAnswers {
  readonly answers: AnswerSegment;
  readonly order: Int32Array;
}

/** Indexes rows, of which there is at least one. */
export function indexAnswers(rows: AnswerRows): IndexedAnswers {
  const firstRow = answerStarts(rows); // of each answer, in the order of the rows
  const byNumber = byPrompt(rows.prompt, firstRow);
  const count = byNumber.length;
  const answers = {
    answeredAt: new Float64Array(count),
    origin: new Uint16Array(count),
    rowStart: new Int32Array(count + 1),
  };
  const order = new Int32Array(rows.prompt.length);
  const starts: number[] = [];
  let [place, lastPrompt] = [0, -1];
  for (let answer = 0; answer < count; answer++) {
    const from = firstRow[byNumber[answer] ?? 0] ?? 0;
    const to = firstRow[(byNumber[answer] ?? 0) + 1] ?? 0;
    if (rows.prompt[from] !== lastPrompt) starts.push(answer);
    lastPrompt = rows.prompt[from] ?? 0;
    answers.answeredAt[answer] = rows.answered_at[from] ?? 0;
    answers.origin[answer] = rows.origin[from] ?? 0;
    for (let row = from; row < to; row++) order[place++] = row;
    answers.rowStart[answer + 1] = place;
  }
  const promptRows = starts.map((answer) => order[answers.rowStart[answer] ?? 0] ?? 0);
  const prompts = {
    prompt: Int32Array.from(promptRows, (row) => rows.prompt[row] ?? 0),
    promptStart: Int32Array.from([...starts, count]),
  };
  return { answers: { ...answers, ...prompts, ...endsOf(answers.answeredAt) }, order };
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

/** The answers in the order of their prompts' numbers; those of one prompt stay in order. */
function byPrompt(prompt: Numbers, firstRow: Int32Array): Int32Array {
  const answers = firstRow.length - 1;
  const promptOf = (answer: number) => prompt[firstRow[answer] ?? 0] ?? 0;
  let largest = 0;
  for (let answer = 0; answer < answers; answer++) largest = Math.max(largest, promptOf(answer));
  const next = new Int32Array(largest + 2); // of each prompt, the place of its next answer
  for (let answer = 0; answer < answers; answer++) {
    const after = promptOf(answer) + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let number = 1; number < next.length; number++) {
    next[number] = (next[number] ?? 0) + (next[number - 1] ?? 0);
  }
  const order = new Int32Array(answers);
  for (let answer = 0; answer < answers; answer++) {
    const number = promptOf(answer);
    const place = next[number] ?? 0;
    order[place] = answer;
    next[number] = place + 1;
  }
  return order;
}

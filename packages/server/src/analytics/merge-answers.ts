import { GroupsInOrder } from "./answer-groups.ts";
import type { AnswerSegment } from "./index-answers.ts";
import type { Pause } from "./index-stretches.ts";
import { outerEnds } from "./instants.ts";

/** Rows of one of several segments, [from, to), and where they go in what the segments become. */
export interface MovedRows {
  /** Which segment. */
  readonly part: number;
  readonly from: number;
  readonly to: number;
  readonly place: number;
}

/** How segments are merged. */
export interface Merging {
  readonly pause: Pause;
  /** Told of all rows, in the order of the places that they go to. */
  readonly move: (rows: MovedRows) => void;
}

/** How long others wait for a turn: to merge small groups takes far longer than large ones. */
const turnMs = 1;
/** Between two looks at the time. */
const groupsALook = 32;

/**
 * The answers of segments that follow one another, as if their rows had been indexed together; an
 * answer that was cut in two stays two. All are in the same order: group by group, what each of
 * them has is copied as it lies.
 */
export async function mergedAnswers(
  parts: readonly AnswerSegment[],
  { pause, move }: Merging,
): Promise<AnswerSegment> {
  const cursors = parts.map((segment, part) => new GroupCursor(segment, part));
  const merged = new AnswersInOrder(parts, move);
  let turnEnds = performance.now() + turnMs;
  for (let keys = 1; ; keys++) {
    const key = cursors.reduce((least, cursor) => Math.min(least, cursor.key), noKey);
    if (key === noKey) break;
    for (const cursor of cursors) {
      if (cursor.key !== key) continue;
      merged.add(cursor);
      cursor.next();
    }
    if (keys % groupsALook !== 0 || performance.now() < turnEnds) continue;
    await pause();
    turnEnds = performance.now() + turnMs;
  }
  return { ...merged.columns(), ...outerEnds(parts) };
}

/** There are no more groups. */
const noKey = Number.POSITIVE_INFINITY;
const originsMax = 2 ** 16;

/** Goes through the groups of a segment. */
class GroupCursor {
  readonly segment: AnswerSegment;
  readonly part: number;
  /** The prompt and the origin of its group: in this order the groups of all segments are. */
  key = noKey;
  group = -1;
  #place = -1;

  constructor(segment: AnswerSegment, part: number) {
    this.segment = segment;
    this.part = part;
    this.next();
  }

  get prompt(): number {
    return this.segment.prompt[this.#place] ?? 0;
  }

  get origin(): number {
    return this.segment.origin[this.group] ?? 0;
  }

  next(): void {
    const { origin, promptStart } = this.segment;
    this.group++;
    if (this.group === promptStart[this.#place + 1]) this.#place++;
    this.key = this.group < origin.length ? this.prompt * originsMax + this.origin : noKey;
  }
}

/** The answers of what the segments become. */
class AnswersInOrder {
  readonly #move: Merging["move"];
  readonly #answeredAt: Float64Array;
  readonly #rowStart: Int32Array;
  readonly #groups: GroupsInOrder;
  #answers = 0;
  rows = 0;

  constructor(parts: readonly AnswerSegment[], move: Merging["move"]) {
    const answers = parts.reduce((sum, { answeredAt }) => sum + answeredAt.length, 0);
    this.#answeredAt = new Float64Array(answers);
    this.#rowStart = new Int32Array(answers + 1);
    this.#groups = new GroupsInOrder(parts.reduce((sum, { origin }) => sum + origin.length, 0));
    this.#move = move;
  }

  /** Adds the cursor's group, which may go on with the last one. */
  add({ segment, part, group, prompt, origin }: GroupCursor): void {
    const { answeredAt, rowStart, groupStart } = segment;
    this.#groups.add(prompt, origin, { answer: this.#answers, row: this.rows });
    const [first, end] = [groupStart[group] ?? 0, groupStart[group + 1] ?? 0];
    const [from, to] = [rowStart[first] ?? 0, rowStart[end] ?? 0];
    for (let answer = first; answer < end; answer++) {
      this.#answeredAt[this.#answers++] = answeredAt[answer] ?? 0;
      this.#rowStart[this.#answers] = this.rows + (rowStart[answer + 1] ?? 0) - from;
    }
    this.#move({ part, from, to, place: this.rows });
    this.rows += to - from;
  }

  columns() {
    const groups = this.#groups.ended({ answer: this.#answers, row: this.rows });
    return { ...groups, answeredAt: this.#answeredAt, rowStart: this.#rowStart };
  }
}

import type { WantedOrigins } from "./origins.ts";

/** Where the answers of each prompt lie, and among them those of each origin, its groups. */
export interface AnswerGroups {
  /** One place a prompt: the numbers, rising. */
  readonly prompt: Int32Array;
  /** Its first group; one place more than there are prompts. */
  readonly promptStart: Int32Array;
  /** One place a group: its provider and region, rising in each prompt; see `originOf`. */
  readonly origin: Uint16Array;
  /** Its first answer; one place more than there are groups. */
  readonly groupStart: Int32Array;
  /** Its first row, likewise: who needs no answers need not look where they are. */
  readonly groupRow: Int32Array;
}

/** Where an answer lies. */
interface Place {
  readonly answer: number;
  readonly row: number;
}

/** Finds the groups of answers that come by prompt and in each by origin. */
export class GroupsInOrder {
  readonly #prompt: number[] = [];
  readonly #promptStart: number[] = [];
  readonly #origin: number[] = [];
  readonly #groupStart: number[] = [];
  readonly #groupRow: number[] = [];
  #lastPrompt = -1;
  #lastOrigin = -1;

  add(prompt: number, origin: number, { answer, row }: Place): void {
    if (prompt === this.#lastPrompt && origin === this.#lastOrigin) return;
    if (prompt !== this.#lastPrompt) {
      this.#prompt.push(prompt);
      this.#promptStart.push(this.#origin.length);
    }
    this.#origin.push(origin);
    this.#groupStart.push(answer);
    this.#groupRow.push(row);
    this.#lastPrompt = prompt;
    this.#lastOrigin = origin;
  }

  /** `end` is behind the last answer. */
  ended(end: Place): AnswerGroups {
    return {
      prompt: Int32Array.from(this.#prompt),
      promptStart: Int32Array.from([...this.#promptStart, this.#origin.length]),
      origin: Uint16Array.from(this.#origin),
      groupStart: Int32Array.from([...this.#groupStart, end.answer]),
      groupRow: Int32Array.from([...this.#groupRow, end.row]),
    };
  }
}

/** Answers, rows, prompts or what else a segment has, that lie one after another: [from, to). */
export interface IndexStretch<Segment> {
  readonly segment: Segment;
  readonly from: number;
  readonly to: number;
}

/**
 * The answers, or the rows, of stretches of prompts that are of wanted origins (null: all are), as
 * stretches of their own.
 */
export function* wantedStretches<Segment extends AnswerGroups>(
  prompts: Iterable<IndexStretch<Segment>>,
  wanted: WantedOrigins | null,
  unit: "answers" | "rows",
): Generator<IndexStretch<Segment>> {
  for (const { segment, from, to } of prompts) {
    const { promptStart, origin } = segment;
    const starts = unit === "answers" ? segment.groupStart : segment.groupRow;
    const placeOf = (group: number) => starts[group] ?? 0;
    if (wanted === null) {
      const [first = 0, end = 0] = [promptStart[from], promptStart[to]];
      yield { segment, from: placeOf(first), to: placeOf(end) };
      continue;
    }
    for (let prompt = from; prompt < to; prompt++) {
      const end = promptStart[prompt + 1] ?? 0;
      let group = firstNotBelow(origin, wanted.first, { from: promptStart[prompt] ?? 0, to: end });
      while (group < end && (origin[group] ?? 0) <= wanted.last) {
        const runEnd = endOfRun(origin, wanted, { from: group, to: end });
        if (group < runEnd) yield { segment, from: placeOf(group), to: placeOf(runEnd) };
        group = runEnd + 1;
      }
    }
  }
}

interface Places {
  readonly from: number;
  readonly to: number;
}

/** The first place of a rising column whose number is not below another; the end: there is none. */
function firstNotBelow(column: Uint16Array, number: number, { from, to }: Places): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place whose origin is not wanted. */
function endOfRun(origin: Uint16Array, { passes }: WantedOrigins, { from, to }: Places): number {
  let place = from;
  while (place < to && passes[origin[place] ?? 0] === 1) place++;
  return place;
}

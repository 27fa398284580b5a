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
 * The answers, or the rows, of stretches of prompts that are of wanted origins (1 at each; null:
 * all are), as stretches of their own.
 */
export function* wantedStretches<Segment extends AnswerGroups>(
  prompts: Iterable<IndexStretch<Segment>>,
  origins: Uint8Array | null,
  unit: "answers" | "rows",
): Generator<IndexStretch<Segment>> {
  for (const { segment, from, to } of prompts) {
    const { promptStart, origin } = segment;
    const starts = unit === "answers" ? segment.groupStart : segment.groupRow;
    const end = promptStart[to] ?? 0;
    let group = promptStart[from] ?? 0;
    if (origins === null) {
      yield { segment, from: starts[group] ?? 0, to: starts[end] ?? 0 };
      continue;
    }
    while (group < end) {
      const first = group;
      while (group < end && origins[origin[group] ?? 0] === 1) group++;
      if (first < group) yield { segment, from: starts[first] ?? 0, to: starts[group] ?? 0 };
      group++; // not wanted, or the end
    }
  }
}

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

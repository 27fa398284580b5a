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
  readonly #prompt: Int32Array;
  readonly #promptStart: Int32Array;
  readonly #origin: Uint16Array;
  readonly #groupStart: Int32Array;
  readonly #groupRow: Int32Array;
  #prompts = 0;
  #groups = 0;
  #lastPrompt = -1;
  #lastOrigin = -1;

  /** Of so many groups, at most. */
  constructor(groupsMax: number) {
    this.#prompt = new Int32Array(groupsMax);
    this.#promptStart = new Int32Array(groupsMax + 1);
    this.#origin = new Uint16Array(groupsMax);
    this.#groupStart = new Int32Array(groupsMax + 1);
    this.#groupRow = new Int32Array(groupsMax + 1);
  }

  add(prompt: number, origin: number, { answer, row }: Place): void {
    if (prompt === this.#lastPrompt && origin === this.#lastOrigin) return;
    if (prompt !== this.#lastPrompt) {
      this.#prompt[this.#prompts] = prompt;
      this.#promptStart[this.#prompts++] = this.#groups;
    }
    this.#origin[this.#groups] = origin;
    this.#groupStart[this.#groups] = answer;
    this.#groupRow[this.#groups++] = row;
    this.#lastPrompt = prompt;
    this.#lastOrigin = origin;
  }

  /** `end` is behind the last answer. */
  ended(end: Place): AnswerGroups {
    const [prompts, groups] = [this.#prompts, this.#groups];
    this.#promptStart[prompts] = groups;
    this.#groupStart[groups] = end.answer;
    this.#groupRow[groups] = end.row;
    return {
      prompt: this.#prompt.slice(0, prompts),
      promptStart: this.#promptStart.slice(0, prompts + 1),
      origin: this.#origin.slice(0, groups),
      groupStart: this.#groupStart.slice(0, groups + 1),
      groupRow: this.#groupRow.slice(0, groups + 1),
    };
  }
}

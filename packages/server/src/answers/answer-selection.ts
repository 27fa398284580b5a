import type { Answer } from "./answer.ts";

/** Which recorded answers are meant: those that meet every condition. Null: no condition. */
export interface AnswerSelection {
  /** UUIDs in lower case, as those of prompts and imports. */
  readonly ids: readonly string[] | null;
  /** The import that recorded them. */
  readonly importId: string | null;
  readonly promptIds: readonly string[] | null;
  readonly providers: readonly Answer["provider"][] | null;
  /** In upper case. */
  readonly regions: readonly string[] | null;
  /** Milliseconds since 1970; included. */
  readonly fromMs: number | null;
  /** Milliseconds since 1970; not included. */
  readonly toMs: number | null;
}

/** Every answer. */
export const everyAnswer: AnswerSelection = {
  ...{ ids: null, importId: null, promptIds: null, providers: null, regions: null },
  ...{ fromMs: null, toMs: null },
};

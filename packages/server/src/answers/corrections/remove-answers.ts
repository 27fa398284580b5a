import type { Control } from "../../control/control.ts";
import type { AnswerSelection } from "../answer-selection.ts";
import type { AnswerStore } from "../answer-store.ts";

/** What corrections are made with. */
export interface CorrectionTools {
  readonly answers: AnswerStore;
  readonly control: Pick<Control, "importOf" | "noteRemoved" | "noteUndone" | "workspace">;
}

/** What answers are removed with. */
interface RemovalTools extends Pick<CorrectionTools, "answers"> {
  readonly control: Pick<Control, "noteRemoved">;
}

/**
 * Removes answers for good. The facts are then rebuilt; the old ones answer until they are
 * ready. What broke off is ended by doing the same again.
 * @returns how many there were.
 */
export async function removeAnswers(
  { answers, control }: RemovalTools,
  accountId: string,
  selection: AnswerSelection,
): Promise<number> {
  const removed = await answers.remove(accountId, selection);
  // Also when there is nothing left: who died before this had removed all the same.
  await control.noteRemoved(accountId, await answers.end(accountId));
  return removed;
}

import type { ControlEngine } from "../../control/control-engine.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AnswerSelection } from "../answer-selection.ts";
import type { AnswerStore } from "../answer-store.ts";
import { noteRemoved } from "../import-store.ts";

/** What corrections are made with. */
export interface CorrectionTools {
  readonly answers: AnswerStore;
  readonly control: ControlEngine;
  readonly clock: Clock;
}

/**
 * Removes answers for good. The facts are then built anew; the old ones answer until they are
 * ready. What broke off is ended by doing the same again.
 * @returns how many there were.
 */
export async function removeAnswers(
  { answers, control }: Pick<CorrectionTools, "answers" | "control">,
  accountId: string,
  selection: AnswerSelection,
): Promise<number> {
  const removed = await answers.remove(accountId, selection);
  // Also when there is nothing left: who died before this had removed all the same.
  await noteRemoved(control, accountId, await answers.end(accountId));
  return removed;
}

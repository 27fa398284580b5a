import { everyAnswer } from "../answer-selection.ts";
import { type CorrectionTools, removeAnswers } from "./remove-answers.ts";

/**
 * Removes every answer that an import recorded. Answers that were recorded before it stay, also
 * those that it named again.
 * @returns how many there were; null: the account has no such import.
 */
export async function undoImport(
  tools: CorrectionTools,
  accountId: string,
  importId: string,
): Promise<number | null> {
  if ((await tools.control.importOf(accountId, importId)) === null) return null;
  const removed = await removeAnswers(tools, accountId, { ...everyAnswer, importId });
  await tools.control.noteUndone(accountId, importId);
  return removed;
}

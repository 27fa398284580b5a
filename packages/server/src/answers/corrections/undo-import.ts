import { everyAnswer } from "../answer-selection.ts";
import { importById, noteUndone } from "../import-store.ts";
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
  if ((await importById(tools.control, accountId, importId)) === null) return null;
  const selection = { ...everyAnswer, importId };
  const removed = await removeAnswers(tools, accountId, selection);
  await noteUndone(tools.control, accountId, importId, tools.clock.now());
  // An import that goes on sees the note from now on; what it recorded before has to go as well.
  if ((await tools.answers.count(accountId, selection)) === 0) return removed;
  return removed + (await removeAnswers(tools, accountId, selection));
}

import type { Control } from "../../control/control.ts";
import type { AnswerStore } from "../answer-store.ts";

/** What is left of a deleted account is removed with this. */
export interface ErasureTools {
  readonly answers: Pick<AnswerStore, "erase">;
  readonly control: Pick<Control, "endDeletion" | "whileDeleted">;
  /** Null: the facts lie beside the answers, and go with them. */
  readonly eraseFacts: ((accountId: string) => Promise<void>) | null;
}

/**
 * Removes the answers and facts of an account that control has deleted, unless it was made again.
 * What broke off is ended by doing it again.
 * @param ends false: only what came after the deletion's end is removed.
 */
export async function eraseAccount(
  { answers, control, eraseFacts }: ErasureTools,
  accountId: string,
  ends = true,
): Promise<void> {
  const isErased = await control.whileDeleted(accountId, async () => {
    await answers.erase(accountId);
    await eraseFacts?.(accountId);
  });
  if (isErased && ends) await control.endDeletion(accountId);
}

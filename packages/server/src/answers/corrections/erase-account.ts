import { endDeletion, whileDeleted } from "../../accounts/account-deletions.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AnswerStore } from "../answer-store.ts";

/** What is left of a deleted account is removed with this. */
export interface ErasureTools {
  readonly answers: Pick<AnswerStore, "erase">;
  readonly control: ControlEngine;
  readonly clock: Clock;
  /** Null: the facts lie beside the answers, and go with them. */
  readonly eraseFacts: ((accountId: string) => Promise<void>) | null;
}

/**
 * Removes the answers and facts of an account that control has deleted, unless it was made anew.
 * What broke off is ended by doing it again.
 * @param ends false: only what came after the deletion's end is removed.
 */
export async function eraseAccount(
  { answers, control, clock, eraseFacts }: ErasureTools,
  accountId: string,
  ends = true,
): Promise<void> {
  const isErased = await whileDeleted(control, accountId, async () => {
    await answers.erase(accountId);
    await eraseFacts?.(accountId);
  });
  if (isErased && ends) await endDeletion(control, accountId, clock.now());
}

import { type Filters, instantOf } from "@sightline/contract";
import type { Control } from "../../control/control.ts";
import { type AnswerSelection, type AnswerStore, everyAnswer } from "../answer-store.ts";

/**
 * The recorded answers that pass the filters of a question. A topic has the prompts that are
 * declared for it now, as it has in questions.
 */
export async function selectionOfFilters(
  control: Pick<Control, "workspace">,
  accountId: string,
  { timeRange, providers, topics, promptIds, regions, branded }: Filters,
): Promise<AnswerSelection> {
  const topicIds = new Set(topics?.map(({ id }) => id.toLowerCase()));
  const named = new Set(promptIds?.map((id) => id.toLowerCase()));
  const isDeclared = topicIds.size > 0 || branded !== undefined;
  const workspace = isDeclared ? await control.workspace(accountId) : null;
  const declared = workspace?.prompts
    .filter(({ topicId }) => topicIds.size === 0 || topicIds.has(topicId ?? ""))
    .filter((prompt) => branded === undefined || prompt.branded === branded)
    .map(({ id }) => id);
  const prompts = declared?.filter((id) => named.size === 0 || named.has(id)) ?? [...named];
  return {
    ...everyAnswer,
    fromMs: instantOf(timeRange.from),
    toMs: instantOf(timeRange.to),
    providers: given(providers),
    regions: given(regions?.map(({ code }) => code.toUpperCase())),
    promptIds: isDeclared || named.size > 0 ? prompts : null,
  };
}

/** An empty list is the same as none. */
function given<Item>(items: readonly Item[] | undefined): readonly Item[] | null {
  return items === undefined || items.length === 0 ? null : items;
}

/** What corrections are made with. */
interface CorrectionTools {
  readonly answers: AnswerStore;
  readonly control: Pick<Control, "importOf" | "noteRemoved" | "noteUndone" | "workspace">;
}

/** What answers are removed with. */
interface RemovalTools extends Pick<CorrectionTools, "answers"> {
  readonly control: Pick<Control, "noteRemoved">;
}

/**
 * Removes answers for good. The facts are then built anew; the old ones answer until they are
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
  const selection = { ...everyAnswer, importId };
  const removed = await removeAnswers(tools, accountId, selection);
  await tools.control.noteUndone(accountId, importId);
  // An import that goes on sees the note from now on; what it recorded before has to go as well.
  if ((await tools.answers.count(accountId, selection)) === 0) return removed;
  return removed + (await removeAnswers(tools, accountId, selection));
}

/** What is left of a deleted account is removed with this. */
interface ErasureTools {
  readonly answers: Pick<AnswerStore, "erase">;
  readonly control: Pick<Control, "endDeletion" | "whileDeleted">;
  /** Null: the facts lie beside the answers, and go with them. */
  readonly eraseFacts: ((accountId: string) => Promise<void>) | null;
}

/**
 * Removes the answers and facts of an account that control has deleted, unless it was made anew.
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

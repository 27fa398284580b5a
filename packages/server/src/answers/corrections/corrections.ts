import { type Filters, instantOf } from "@sightline/contract";
import { endDeletion, whileDeleted } from "../../accounts/account-deletions.ts";
import { workspaceOf } from "../../accounts/account-store.ts";
import { type AuditedChange, audited } from "../../audit/audit-log.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { Clock } from "../../platform/clock.ts";
import { type AnswerSelection, type AnswerStore, everyAnswer } from "../answer-store.ts";
import { importById, noteRemoved, noteUndone } from "../import-store.ts";
import { removeOrphans } from "../labels/label-store.ts";
import { removeOrphanReadings } from "../readings/reading-store.ts";

/**
 * The recorded answers that pass the filters of a question. A topic has the prompts that are
 * declared for it now, as it has in questions.
 */
export async function selectionOfFilters(
  control: ControlEngine,
  accountId: string,
  { timeRange, providers, topics, promptIds, regions, branded }: Filters,
): Promise<AnswerSelection> {
  const topicIds = new Set(topics?.map(({ id }) => id.toLowerCase()));
  const named = new Set(promptIds?.map((id) => id.toLowerCase()));
  const isDeclared = topicIds.size > 0 || branded !== undefined;
  const workspace = isDeclared ? await workspaceOf(control, accountId) : null;
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
  readonly control: ControlEngine;
  readonly clock: Clock;
  /** Aborts when who wants the correction may not have it any more; omitted: never. */
  readonly signal?: AbortSignal;
}

/**
 * Removes answers for good. The facts are then rebuilt; the old ones answer until they are
 * ready. What broke off is ended by doing the same again.
 * @returns how many there were.
 */
export async function removeAnswers(
  { answers, control, clock }: CorrectionTools,
  accountId: string,
  selection: AnswerSelection,
): Promise<number> {
  const removed = await answers.remove(accountId, selection);
  // Also when there is nothing left: who died before this had removed all the same.
  await noteRemoved(control, accountId, await answers.end(accountId));
  await removeOrphans({ control, answers }, accountId, clock.now());
  await removeOrphanReadings({ control, answers }, accountId);
  return removed;
}

/**
 * Removes answers for good, and writes down who wanted it: before the first is gone, so that no
 * removal is without its entry.
 * @returns how many there were.
 * @throws the signal's reason when it aborts before that; later it changes nothing.
 */
export async function removeSelected(
  tools: CorrectionTools,
  accountId: string,
  selection: AnswerSelection,
): Promise<number> {
  const count = await tools.answers.count(accountId, selection);
  tools.signal?.throwIfAborted();
  const before = { answers: count, selection: shown(selection) };
  const change = { action: "answers.removed", subject: null, before, after: null } as const;
  if (count > 0) await noteCorrection(tools, accountId, change);
  const removed = await removeAnswers(tools, accountId, selection);
  if (count > 0 || removed === 0) return removed;
  // They were recorded after the count.
  const late = { ...change, before: { ...before, answers: removed } };
  await noteCorrection(tools, accountId, late);
  return removed;
}

/** Without what selects nothing: bounds of time that are infinite, and lists that are null. */
function shown(selection: AnswerSelection): object {
  const given = Object.entries(selection).filter(([, value]) => {
    return value !== null && (typeof value !== "number" || Number.isFinite(value));
  });
  return Object.fromEntries(given);
}

function noteCorrection(
  { control, clock }: Pick<CorrectionTools, "control" | "clock">,
  accountId: string,
  change: AuditedChange,
): Promise<void> {
  return audited(control, accountId, clock.now(), async () => [undefined, change]);
}

/**
 * Removes every answer that an import recorded. Answers that were recorded before it stay, also
 * those that it named again.
 * @returns how many there were; null: the account has no such import.
 * @throws the signal's reason when it aborts before it is written down.
 */
export async function undoImport(
  tools: CorrectionTools,
  accountId: string,
  importId: string,
): Promise<number | null> {
  const undone = await importById(tools.control, accountId, importId);
  if (undone === null) return null;
  tools.signal?.throwIfAborted();
  const { source, accepted, undoneAt } = undone;
  const before = { source, accepted };
  const change = { action: "import.undone", subject: importId, before, after: null } as const;
  if (undoneAt === null) await noteCorrection(tools, accountId, change);
  const selection = { ...everyAnswer, importId };
  const removed = await removeAnswers(tools, accountId, selection);
  await noteUndone(tools.control, accountId, importId, tools.clock.now());
  // An import that goes on sees the note from now on; what it recorded before has to go as well.
  if ((await tools.answers.count(accountId, selection)) === 0) return removed;
  return removed + (await removeAnswers(tools, accountId, selection));
}

/** What is left of a deleted account is removed with this. */
interface ErasureTools {
  readonly answers: Pick<AnswerStore, "erase">;
  readonly control: ControlEngine;
  readonly clock: Clock;
  /** Null: the facts lie beside the answers, and go with them. */
  readonly eraseFacts: ((accountId: string) => Promise<void>) | null;
}

/**
 * Removes the answers and facts of an account that control has deleted, unless it was made again.
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

import type { Change, Changes } from "./apply-workspace.ts";

/** How many recorded answers a change of the workspace stops or begins to count. */
export interface ApplyEffects {
  /** Those of the prompts that it retires. */
  readonly answersNoLongerCounted: number;
  /** Those of the prompts that were retired and are declared again. */
  readonly answersCountedAgain: number;
}

/**
 * What a change of the workspace means for the answers.
 * @param countByPrompt the answers of each prompt of the account that would count; asked only when
 * prompts were retired or declared again.
 */
export async function applyEffects(
  { retired, returned }: Changes,
  countByPrompt: () => Promise<ReadonlyMap<string, number>>,
): Promise<ApplyEffects> {
  const isPrompt = ({ kind }: Change) => kind === "prompt";
  const [gone, back] = [retired.filter(isPrompt), returned.filter(isPrompt)];
  if (gone.length + back.length === 0) return { answersNoLongerCounted: 0, answersCountedAgain: 0 };
  const counts = await countByPrompt();
  const sum = (prompts: readonly Change[]) =>
    prompts.reduce((total, { id }) => total + (counts.get(id) ?? 0), 0);
  return { answersNoLongerCounted: sum(gone), answersCountedAgain: sum(back) };
}

import { workspaceOf } from "@sightline/server/account-store";
import type { Storage } from "@sightline/server/storage";

/** An account as lists show it. Instants are RFC 3339, UTC; null: there is no answer. */
export async function describeAccount(
  { control, countAnswers }: Storage,
  accountId: string,
  name: string,
) {
  const workspace = await workspaceOf(control, accountId);
  const counts = await countAnswers(accountId);
  return {
    accountId,
    name,
    entities: workspace?.entities.length ?? 0,
    prompts: workspace?.prompts.length ?? 0,
    answers: counts.answers,
    outcomes: counts.outcomes,
    firstAnswer: instantText(counts.first),
    lastAnswer: instantText(counts.last),
    lastImport: instantText(counts.lastImport),
  };
}

function instantText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

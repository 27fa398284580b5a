import type { Sightline } from "@sightline/client";
import { dayMs } from "@sightline/contract";

/**
 * A hint for an empty reply: which range has answers. The reply is printed without the hint too,
 * so a failed lookup is not an error.
 */
export async function noAnswersHint(client: Sightline): Promise<string> {
  const workspace = await client.workspace().catch(() => null);
  if (workspace === null) return "sightline: No answer passes these filters.\n";
  const { first, last } = workspace.answers;
  if (first === null || last === null) return "sightline: The account has no answers yet.\n";
  const dayAfter = new Date(Date.parse(last) + dayMs).toISOString();
  const [from, to] = [first.slice(0, 10), dayAfter.slice(0, 10)];
  return (
    "sightline: No answer passes these filters. " +
    `Those of the account are in --from ${from} --to ${to}.\n`
  );
}

import type { Control } from "../control/control.ts";
import type { AskedAccount } from "./run-tools.ts";
import { capsOf } from "./schedule/account-caps.ts";

/** Accounts whose prompts stay in memory: those of jobs that run now. */
const accountsMax = 8;

interface KnownAccount {
  readonly revision: number;
  readonly account: AskedAccount;
}

/** Reads what jobs need of their accounts, once for each change of a workspace. */
export function accountReader(
  control: Pick<Control, "revision" | "workspace">,
): (accountId: string) => Promise<AskedAccount | null> {
  const known = new Map<string, Promise<KnownAccount | null>>();
  const read = async (accountId: string, revision: number): Promise<KnownAccount | null> => {
    const workspace = await control.workspace(accountId);
    if (workspace === null) return null;
    const asked = workspace.prompts.filter(({ paused }) => !paused);
    const texts = new Map(asked.map(({ id, text }) => [id, text]));
    const promptText = (promptId: string) => texts.get(promptId) ?? null;
    return { revision, account: { caps: capsOf(workspace), promptText } };
  };
  return async (accountId) => {
    const revision = await control.revision(accountId);
    if (revision === null) return null;
    const found = await known.get(accountId)?.catch(() => null);
    known.delete(accountId);
    const wanted =
      found?.revision === revision ? Promise.resolve(found) : read(accountId, revision);
    known.set(accountId, wanted);
    const [oldest] = known.keys();
    if (known.size > accountsMax && oldest !== undefined) known.delete(oldest);
    return (await wanted)?.account ?? null;
  };
}

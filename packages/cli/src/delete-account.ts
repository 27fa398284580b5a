import { deleteAccount, deletedAccounts } from "@sightline/server/account-deletions";
import { accountNameOf } from "@sightline/server/account-store";
import { eraseAccount } from "@sightline/server/corrections";
import { keysOf } from "@sightline/server/key-store";
import type { Storage } from "@sightline/server/storage";
import { Command } from "commander";
import { ask } from "./ask.ts";
import { processIo } from "./command-io.ts";
import { withExamples } from "./examples.ts";
import { counted } from "./output/counted.ts";
import { safeText } from "./output/safe-text.ts";
import { CommandError, printResult } from "./result.ts";
import {
  accountOf,
  type DataOptions,
  describeAccount,
  requireExisting,
  withStorage,
} from "./storage.ts";

interface DeleteOptions extends DataOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** What is deleted with an account, or would be. */
interface DeletedAccount {
  readonly accountId: string;
  readonly name: string;
  readonly answers: number;
  readonly keys: number;
  /** False of a dry run. */
  readonly deleted: boolean;
}

/** `sightline accounts delete ID`: removes an account with all that belongs to it. */
export function deleteAccountCommand(): Command {
  const command = new Command("delete")
    .description("remove an account with its answers and keys, for good; works while a server runs")
    .argument("<account>", "the account's id")
    .option("--yes", "do not ask for the account's name")
    .option("--dry-run", "print what would be removed, and remove nothing")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(removeAccount);
  return withExamples(
    command,
    ["sightline accounts delete 9b1338cc-0c23-5ae5-b4b2-6c7b2c3074ba --dry-run", "counts first"],
    ["sightline accounts delete 9b1338cc-0c23-5ae5-b4b2-6c7b2c3074ba", "asks for its name"],
  );
}

async function removeAccount(given: string, options: DeleteOptions): Promise<void> {
  requireExisting(options);
  const done = await withStorage(options, async (storage) => {
    const brokenOff = await brokenDeletion(storage, given);
    if (brokenOff !== null && options.dryRun !== true) await erase(storage, brokenOff.accountId);
    if (brokenOff !== null) return { ...brokenOff, deleted: options.dryRun !== true };
    const account = await accountToDelete(storage, await accountOf(storage, given));
    if (options.dryRun === true) return account;
    if (options.yes !== true) await confirm(account);
    await deleteAccount(storage.control, account.accountId, storage.clock.now());
    await erase(storage, account.accountId);
    return { ...account, deleted: true };
  });
  const { accountId, name, answers, keys, deleted } = done;
  const counts = `${counted(answers, "answer")}, ${counted(keys, "key")}`;
  const what = `${accountId}: ${safeText(name)}, ${counts}`;
  const text = deleted ? `${what}: deleted.` : `${what}: would be deleted.`;
  printResult(options.json === true, done, text);
}

/** A deletion that was killed has removed the account, and may have left its files. */
async function brokenDeletion({ control }: Storage, given: string): Promise<DeletedAccount | null> {
  const deletions = await deletedAccounts(control);
  const found = deletions.find(({ accountId }) => accountId === given.toLowerCase());
  if (found === undefined) return null;
  const { accountId } = found;
  return { accountId, name: "already deleted", answers: 0, keys: 0, deleted: false };
}

async function accountToDelete(storage: Storage, accountId: string): Promise<DeletedAccount> {
  const name = (await accountNameOf(storage.control, accountId)) ?? "";
  const { answers } = await describeAccount(storage, accountId, name);
  const keys = (await keysOf(storage.control, accountId)).length;
  return { accountId, name, answers, keys, deleted: false };
}

function erase({ answers, control, clock, cluster }: Storage, accountId: string): Promise<void> {
  const eraseFacts = cluster === null ? null : cluster.eraseFacts;
  return eraseAccount({ answers, control, clock, eraseFacts }, accountId);
}

/** @throws CommandError unless the account's name is typed. */
async function confirm({ name, answers, keys }: DeletedAccount): Promise<void> {
  const { stdin, stderr } = processIo;
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    const advice = "Add --yes to delete without a terminal, or --dry-run to count first.";
    throw new CommandError(`Deleting an account asks for its name. ${advice}`, 2);
  }
  const shown = safeText(name);
  const counts = `${counted(answers, "answer")} and ${counted(keys, "key")}`;
  await ask(processIo, {
    message: `Type "${shown}" to delete it with ${counts}`,
    read: (typed) => {
      if (typed.trim() === name) return name;
      throw new CommandError(`That is not its name, which is "${shown}".`, 2);
    },
  });
}

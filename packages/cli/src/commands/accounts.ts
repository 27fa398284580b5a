import { allAccounts } from "@sightline/server/account-store";
import { Command } from "commander";
import { deleteAccountCommand } from "../delete-account.ts";
import { withExamples } from "../examples.ts";
import { plainTable } from "../output/plain-table.ts";
import { printResult } from "../result.ts";
import { type DataOptions, describeAccount, requireExisting, withStorage } from "../storage.ts";

/** `sightline accounts list | delete`: the accounts, what they track and what is recorded. */
export function accountsCommand(): Command {
  const accounts = new Command("accounts");
  const list = accounts
    .command("list")
    .description("list accounts with what they track and how many answers are recorded")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(listAccounts);
  withExamples(list, ["sightline accounts list --json", "every account as one document"]);
  accounts.addCommand(deleteAccountCommand());
  return withExamples(accounts, ["sightline accounts list", "ids, names and counts"]);
}

async function listAccounts(options: DataOptions): Promise<void> {
  requireExisting(options);
  const accounts = await withStorage(options, async (storage) => {
    const summaries = await allAccounts(storage.control);
    const described = [];
    for (const { id, name } of summaries) described.push(await describeAccount(storage, id, name));
    return described;
  });
  const columns = [
    ...["account", "name", "entities", "prompts", "answers", "not counted"],
    ...["first answer", "last answer", "last import"],
  ];
  const rows = accounts.map(({ outcomes, ...account }) => {
    const { accountId, name, entities, prompts, answers, ...instants } = account;
    const notCounted = Object.entries(outcomes).filter(
      ([outcome, count]) => outcome !== "answered" && count > 0,
    );
    const apart = notCounted.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
    const counts = [entities, prompts, answers, apart || "none"];
    return [accountId, name, ...counts, ...Object.values(instants)];
  });
  const text = rows.length === 0 ? "There are no accounts." : plainTable(columns, rows);
  printResult(options.json === true, { accounts }, text);
}

import type { Storage } from "@sightline/server/storage";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { plainTable } from "../output/plain-table.ts";
import { printResult } from "../result.ts";
import { type DataOptions, requireExisting, withStorage } from "../storage.ts";

/** `sightline accounts list`: the accounts, what they track and what is recorded. */
export function accountsCommand(): Command {
  const accounts = new Command("accounts").description("list the accounts of a data folder");
  const list = accounts
    .command("list")
    .description("list accounts with what they track and how many answers are recorded")
    .option("--data-dir <dir>", "folder of all data (default: ./data)")
    .option("--json", "print one JSON document")
    .action(listAccounts);
  withExamples(list, ["sightline accounts list --json", "every account as one document"]);
  return withExamples(accounts, ["sightline accounts list", "ids, names and counts"]);
}

async function listAccounts(options: DataOptions): Promise<void> {
  requireExisting(options);
  const accounts = await withStorage(options, async (storage) => {
    const summaries = await storage.control.accounts();
    const described = [];
    for (const { id, name } of summaries) described.push(await describe(storage, id, name));
    return described;
  });
  const columns = [
    ...["account", "name", "entities", "prompts", "answers"],
    ...["first answer", "last answer", "last import"],
  ];
  const rows = accounts.map((account) => Object.values(account));
  const text = rows.length === 0 ? "There are no accounts." : plainTable(columns, rows);
  printResult(options.json === true, { accounts }, text);
}

async function describe({ control, countAnswers }: Storage, accountId: string, name: string) {
  const workspace = await control.workspace(accountId);
  const counts = await countAnswers(accountId);
  return {
    accountId,
    name,
    entities: workspace?.entities.length ?? 0,
    prompts: workspace?.prompts.length ?? 0,
    answers: counts.answers,
    firstAnswer: instantText(counts.first),
    lastAnswer: instantText(counts.last),
    lastImport: instantText(counts.lastImport),
  };
}

function instantText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

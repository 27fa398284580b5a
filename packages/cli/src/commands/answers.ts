import { workspaceOf } from "@sightline/server/account-store";
import { type AnswerSelection, everyAnswer } from "@sightline/server/answer-store";
import { removeSelected, selectionOfFilters } from "@sightline/server/corrections";
import type { Storage } from "@sightline/server/storage";
import { Command, Option } from "commander";
import { withExamples } from "../examples.ts";
import { type FilterOptions, withFilterOptions } from "../questions/filter-options.ts";
import { filtersOf } from "../questions/filters.ts";
import { isId } from "../questions/names.ts";
import { timeRangeOf } from "../questions/time-range.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, requireExisting, withStorage } from "../storage.ts";

interface DeleteOptions extends DataOptions, FilterOptions {
  readonly account?: string;
  readonly id?: readonly string[];
  readonly dryRun?: boolean;
}

/** In place of the defaults that questions have. */
const requiredTimes = { from: "required without --id", to: "required without --id" };

/** `sightline answers delete`: removes recorded answers for good. */
export function answersCommand(): Command {
  const answers = new Command("answers");
  const command = withFilterOptions(answers.command("delete"), requiredTimes)
    .description("remove answers for good, by id or by filters")
    .addOption(
      new Option("--id <id...>", "the answers with these ids; instead of filters").conflicts([
        ...["from", "to", "provider", "topic", "prompt", "region", "branded"],
      ]),
    )
    .option("--dry-run", "print how many would be removed, and remove none")
    .option("--account <id>", "the account; may be left out when there is only one")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(deleteAnswers);
  withExamples(
    command,
    ["sightline answers delete --from 2062-01-01 --to 2063-01-01 --dry-run", "counts them first"],
    ["sightline answers delete --id 5e0c2f0a-7d2e-5b57-9a3a-3d6c8f2b1a4d", "this one"],
  );
  return withExamples(answers, [
    "sightline answers delete --provider GROK --from 2026-11-01 --to 2026-11-02",
    "the answers of Grok on one day",
  ]);
}

async function deleteAnswers(options: DeleteOptions): Promise<void> {
  requireExisting(options);
  const result = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const selection = await selectionOf(options, storage, accountId);
    const matched = await storage.answers.count(accountId, selection);
    if (options.dryRun === true) return { matched, deleted: 0 };
    return { matched, deleted: await removeSelected(storage, accountId, selection) };
  });
  const { matched, deleted } = result;
  const text =
    options.dryRun === true
      ? `${matched} ${matched === 1 ? "answer" : "answers"} would be removed.`
      : `${deleted} ${deleted === 1 ? "answer was" : "answers were"} removed. ` +
        "A running service keeps serving the previous numbers until the facts are rebuilt.";
  printResult(options.json === true, result, text);
}

/** What is removed is named: nothing is meant by default. */
async function selectionOf(
  options: DeleteOptions,
  { control, clock }: Storage,
  accountId: string,
): Promise<AnswerSelection> {
  const { id, from, to } = options;
  if (id !== undefined) {
    const wrong = id.find((each) => !isId(each));
    if (wrong !== undefined) throw new CommandError(`--id: ${wrong} is not a UUID.`, 2);
    return { ...everyAnswer, ids: id.map((each) => each.toLowerCase()) };
  }
  if (from === undefined || to === undefined) {
    throw new CommandError("Say which answers: --id, or --from and --to with other filters.", 2);
  }
  const workspace = async () => {
    const found = await workspaceOf(control, accountId);
    return { topics: found?.topics ?? [], prompts: found?.prompts ?? [] };
  };
  const filters = await filtersOf(options, timeRangeOf(options, clock.now()), workspace);
  return selectionOfFilters(control, accountId, filters);
}

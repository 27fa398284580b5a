import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { openDataFolder } from "../../packages/server/src/platform/data-folder.ts";
import { addAccount, type FilledAccount } from "../fill/fill-sightline.ts";
import type { Workload } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { Served } from "../measure/served.ts";
import { geometricMean, rounded } from "../measure/timing.ts";
import { type Question, questionsOf } from "../questions.ts";
import type { TwoAccountsResult } from "../report/results.ts";
import { type FilledFolder, filledSightline } from "./filled-workload.ts";
import { type BenchOptions, keptFolder, say } from "./options.ts";
import { askServed } from "./service-answers.ts";

/** Each so many questions one is asked. */
const askedEvery = 4;

/** One account alone in a service, and two with as much each, the other one idle. */
export async function twoAccountsPart(
  workload: Workload,
  options: BenchOptions,
): Promise<TwoAccountsResult> {
  const questions = questionsOf(workload).filter((_, place) => place % askedEvery === 0);
  const single = await filledSightline(options, workload);
  const { dataDir, accounts } = await twoAccounts(single, workload, options);
  const { times } = options;
  const ask = (folder: string, account: FilledAccount, neighbour: FilledAccount | null) =>
    Served.during(folder, { cache: false }, async (served) => {
      const asking = { workload, questions, times };
      if (neighbour !== null) await askServed(served, { ...asking, account: neighbour, times: 1 });
      return askServed(served, { ...asking, account });
    });
  const [first, second] = accounts;
  const alone = await ask(single.dataDir, single.account, null);
  const besideSecond = await ask(dataDir, first, second);
  const besideFirst = await ask(dataDir, second, first);
  const medianOf = (asked: typeof alone, { name }: Question) =>
    asked.get(name)?.timing.medianMs ?? Number.NaN;
  const results = questions.map((question) => ({
    name: question.name,
    aloneMs: medianOf(alone, question),
    firstMs: medianOf(besideSecond, question),
    secondMs: medianOf(besideFirst, question),
  }));
  const ratios = results.flatMap(({ aloneMs, firstMs, secondMs }) => {
    return [firstMs / aloneMs, secondMs / aloneMs];
  });
  const meanRatio = rounded(geometricMean(ratios));
  say(`two accounts: ${meanRatio} times alone`);
  return {
    part: "two-accounts",
    workload: workload.name,
    machine: thisMachine(),
    meanRatio,
    questions: results,
  };
}

/** A folder with two accounts that hold the same facts, copied from one that is filled. */
async function twoAccounts(
  single: FilledFolder,
  workload: Workload,
  options: BenchOptions,
): Promise<{
  readonly dataDir: string;
  readonly accounts: readonly [FilledAccount, FilledAccount];
}> {
  const dataDir = keptFolder(options, workload.name, "two-accounts");
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const add = async (name: string): Promise<FilledAccount> => {
    const account = await addAccount(dataDir, workload, name);
    copyFileSync(single.facts, openDataFolder(dataDir).account(account.accountId).facts);
    return account;
  };
  return { dataDir, accounts: [await add("Bench first"), await add("Bench second")] };
}

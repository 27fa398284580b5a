import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { openDataFolder } from "../../packages/server/src/platform/data-folder.ts";
import { addAccount, type FilledAccount } from "../fill/fill-sightline.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { Served } from "../measure/served.ts";
import { geometricMean, rounded } from "../measure/timing.ts";
import { requestOf } from "../question-request.ts";
import { type Question, questionsOf } from "../questions.ts";
import type { TwoAccountsResult } from "../report/results.ts";
import { type FilledFolder, filledSightline } from "./filled-workload.ts";
import { mediansInTurns, untilHeld } from "./in-turns.ts";
import { type BenchOptions, keptFolder, say } from "./options.ts";

/** Each so many questions one is asked. */
const askedEvery = 4;

/** One account alone in a service, and two with as much each in another, asked in turns. */
export async function twoAccountsPart(
  workload: Workload,
  options: BenchOptions,
): Promise<TwoAccountsResult> {
  const questions = questionsOf(workload).filter((_, place) => place % askedEvery === 0);
  const single = await filledSightline(options, workload);
  const { dataDir, accounts } = await twoAccounts(single, workload, options);
  const catalogue = catalogueOf(workload);
  const results = await Served.during(single.dataDir, { cache: false }, (one) =>
    Served.during(dataDir, { cache: false }, async (both) => {
      const alone = { served: one, account: single.account };
      const all = [alone, ...accounts.map((account) => ({ served: both, account }))];
      for (const asked of all) {
        for (const each of selective(questions)) await untilHeld(asked, requestOf(each, catalogue));
      }
      const taken: TwoAccountsResult["questions"][number][] = [];
      for (const question of questions) {
        const request = requestOf(question, catalogue);
        const [aloneMs = Number.NaN, firstMs = Number.NaN, secondMs = Number.NaN] =
          await mediansInTurns(
            all.map((asked) => ({ asked, request })),
            options.times,
          );
        taken.push({ name: question.name, aloneMs, firstMs, secondMs });
      }
      return taken;
    }),
  );
  const ratioOf = (which: "firstMs" | "secondMs") =>
    geometricMean(results.map((result) => result[which] / result.aloneMs));
  const slowerRatio = rounded(Math.max(ratioOf("firstMs"), ratioOf("secondMs")));
  say(`two accounts: the slower takes ${slowerRatio} times as long as alone`);
  return {
    part: "two-accounts",
    workload: workload.name,
    machine: thisMachine(),
    slowerRatio,
    questions: results,
  };
}

/** A series and a page that the index by prompt answers. */
function selective(questions: readonly Question[]): readonly Question[] {
  return (["series", "sources"] as const).flatMap((wanted) => {
    const found = questions.find(({ kind, name }) => kind === wanted && /topic|prompt/.test(name));
    return found === undefined ? [] : [found];
  });
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

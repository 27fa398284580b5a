import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { Served } from "../measure/served.ts";
import { requestOf } from "../question-request.ts";
import { type Question, questionsOf } from "../questions.ts";
import type { GrowthResult } from "../report/results.ts";
import { filledSightline } from "./filled-workload.ts";
import { type Asked, mediansInTurns, untilHeld } from "./in-turns.ts";
import type { BenchOptions } from "./options.ts";

/** The same series of two workloads that differ in their size alone, asked in turns. */
export async function growthPart(
  sizes: readonly [smaller: Workload, larger: Workload],
  options: BenchOptions,
): Promise<GrowthResult> {
  const [smaller, larger] = sizes;
  const questions = await asking(smaller, options, (few) =>
    asking(larger, options, async (many) => {
      const series = questionsOf(smaller).filter(({ kind }) => kind === "series");
      await Promise.all([few.untilHeld(), many.untilHeld()]);
      const results: GrowthResult["questions"][number][] = [];
      for (const { name } of series) {
        const [smallerMs = Number.NaN, largerMs = Number.NaN] = await mediansInTurns(
          [few.question(name), many.question(name)],
          options.times,
        );
        results.push({ name, smallerMs, largerMs });
      }
      return results;
    }),
  );
  const [smallerName, largerName] = [smaller.name, larger.name];
  return { part: "growth", smallerName, largerName, machine: thisMachine(), questions };
}

interface Asking {
  readonly untilHeld: () => Promise<void>;
  readonly question: (name: string) => Parameters<typeof mediansInTurns>[0][number];
}

/** Serves a workload while its questions are asked. */
async function asking<Result>(
  workload: Workload,
  options: BenchOptions,
  work: (asking: Asking) => Promise<Result>,
): Promise<Result> {
  const { dataDir, account } = await filledSightline(options, workload);
  const catalogue = catalogueOf(workload);
  const all = questionsOf(workload);
  const requestFor = (which: (question: Question) => boolean) => {
    const question = all.find(which);
    if (question === undefined) throw new Error(`${workload.name} has no such question`);
    return requestOf(question, catalogue);
  };
  return Served.during(dataDir, { cache: false }, (served) => {
    const asked: Asked = { served, account };
    const selective = requestFor(({ kind, name }) => kind === "series" && name.includes("prompts"));
    return work({
      untilHeld: () => untilHeld(asked, selective),
      question: (wanted) => ({ asked, request: requestFor(({ name }) => name === wanted) }),
    });
  });
}

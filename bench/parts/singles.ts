import { oneWindow } from "../../packages/server/test/load/start-load.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { Served } from "../measure/served.ts";
import { rounded } from "../measure/timing.ts";
import { requestOf } from "../question-request.ts";
import { questionsOf } from "../questions.ts";
import type { SinglesResult } from "../report/results.ts";
import { filledSightline } from "./filled-workload.ts";
import { type BenchOptions, say } from "./options.ts";

const connections = 8;
const warmMs = 5_000;
const windowMs = 15_000;

/** All questions of a workload in turns, one at a time on each of several connections. */
export async function singlesOf(workload: Workload, options: BenchOptions): Promise<SinglesResult> {
  const { dataDir, account } = await filledSightline(options, workload);
  const catalogue = catalogueOf(workload);
  const questions = questionsOf(workload).map((question) => requestOf(question, catalogue));
  say(`board: single questions of ${workload.name} over ${connections} connections ...`);
  return Served.during(dataDir, {}, async ({ url }) => {
    const plan = { url, key: account.key, questions, connections, ratePerSecond: null };
    await oneWindow({ ...plan, windowMs: warmMs });
    const { seconds, replies, failures } = await oneWindow({ ...plan, windowMs });
    const { 200: answered, ...others } = replies;
    if (answered === undefined || Object.keys(others).length > 0) {
      throw new Error(`not only 200: ${JSON.stringify(replies)} ${failures.join("\n")}`);
    }
    return {
      workload: workload.name,
      connections,
      perSecond: rounded(answered.count / seconds),
      timing: {
        medianMs: rounded(answered.p50Ms),
        p99Ms: rounded(answered.p99Ms),
        times: answered.count,
      },
    };
  });
}

import type { LoadQuestion } from "../../packages/server/test/load/load-plan.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import { dayMs, type Workload } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { Served } from "../measure/served.ts";
import { timingOf } from "../measure/timing.ts";
import type { InsightResult, InsightsResult } from "../report/results.ts";
import { filledSightline } from "./filled-workload.ts";
import { type BenchOptions, say } from "./options.ts";

/** A question of the insights, and what it may take. */
interface InsightQuestion extends LoadQuestion {
  readonly name: string;
  /** Null: nothing is wanted of it. */
  readonly wantedMs: number | null;
}

/** So many days are compared with as many before. */
const days = 90;
const warmUps = 3;

/** What an analyst opens and waits for: comparisons, what a change consists of, plans, gaps. */
export async function insightsPart(
  workload: Workload,
  options: BenchOptions,
): Promise<InsightsResult> {
  const { only, times } = options;
  const { dataDir, account } = await filledSightline(options, workload);
  const questions = questionsOf(workload).filter(({ name }) => only === null || only.test(name));
  const results = await Served.during(dataDir, {}, async (served) => {
    const asked: InsightResult[] = [];
    for (const { name, wantedMs, path, body } of questions) {
      const ask = () => served.ask(account, { path, body });
      for (let time = 0; time < warmUps; time++) await ask();
      const taken: number[] = [];
      let bytes = 0;
      while (taken.length < times) {
        const reply = await ask();
        taken.push(reply.ms);
        bytes = Buffer.byteLength(reply.body);
      }
      const ours = timingOf(taken);
      say(`${name}: ${ours.medianMs} ms`);
      asked.push({ name, wantedMs, ours, bytes });
    }
    return asked;
  });
  const machine = thisMachine();
  return { part: "insights", workload: workload.name, machine, days, questions: results };
}

function questionsOf(workload: Workload): readonly InsightQuestion[] {
  const range = (from: number, to: number) => {
    const [start, end] = [from, to].map((each) => workload.toMs - each * dayMs);
    return {
      timeRange: {
        from: new Date(start ?? 0).toISOString(),
        to: new Date(end ?? 0).toISOString(),
      },
    };
  };
  const filters = range(days, 0);
  const compared = { filters, compare: { filters: range(2 * days, days) } };
  const entityId = catalogueOf(workload).entities[0]?.id;
  const change = { entityId, metric: "mentions", limit: 50, ...compared };
  const summary = "/v1/insights/summary";
  const changes = "/v1/insights/changes";
  const gaps = { groupBy: "domain", orderBy: "opportunity", limit: 100, offset: 0 };
  const question = (name: string, wantedMs: number | null, [path, body]: Asked) => {
    return { name, wantedMs, path, body };
  };
  return [
    question("summary, compared", null, [summary, { groupBy: "none", ...compared }]),
    question("summary by prompt", null, [summary, { groupBy: "prompt", filters }]),
    question("summary by prompt, compared", 250, [summary, { groupBy: "prompt", ...compared }]),
    question("summary of the brand by prompt, compared", 250, [
      summary,
      { groupBy: "prompt", entityIds: [entityId], ...compared },
    ]),
    question("changes by prompt", 250, [changes, { by: "prompt", ...change }]),
    question("changes by domain", 250, [changes, { by: "domain", ...change }]),
    question("plan", 150, ["/v1/insights/plan", { entityId, metric: "mentions", filters }]),
    question("gaps by opportunity", null, ["/v1/insights/sources", { ...gaps, filters }]),
    question("gaps by opportunity, compared", null, [
      "/v1/insights/sources",
      { ...gaps, ...compared },
    ]),
  ];
}

type Asked = readonly [path: LoadQuestion["path"], body: object];

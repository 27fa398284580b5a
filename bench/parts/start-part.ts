import { startServing, stopped } from "@sightline/test-kit/command.ts";
import type { LoadQuestion } from "../../packages/server/test/load/load-plan.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { unlimited } from "../measure/served.ts";
import { SocketClient } from "../measure/socket-client.ts";
import { timingOf } from "../measure/timing.ts";
import { requestOf } from "../question-request.ts";
import { questionsOf } from "../questions.ts";
import type { StartResult } from "../report/results.ts";
import { filledSightline } from "./filled-workload.ts";
import { type BenchOptions, say } from "./options.ts";

const starts = 7;

/** From the start of the process to `listening on`, to ready, and to the first reply after. */
export async function startPart(workload: Workload, options: BenchOptions): Promise<StartResult> {
  const { dataDir, account } = await filledSightline(options, workload);
  const [question] = questionsOf(workload);
  if (question === undefined) throw new Error("no question to ask");
  const request = requestOf(question, catalogueOf(workload));
  const taken: StartTimes[] = [];
  while (taken.length < starts) taken.push(await timedStart(dataDir, account.key, request));
  const result: StartResult = {
    part: "start",
    workload: workload.name,
    machine: thisMachine(),
    listening: timingOf(taken.map(({ listeningMs }) => listeningMs)),
    ready: timingOf(taken.map(({ readyMs }) => readyMs)),
    firstQuestion: timingOf(taken.map(({ firstMs }) => firstMs)),
  };
  say(`start: listening ${result.listening.medianMs} ms, ready ${result.ready.medianMs} ms`);
  return result;
}

interface StartTimes {
  readonly listeningMs: number;
  readonly readyMs: number;
  /** Of the first question, by itself. */
  readonly firstMs: number;
}

async function timedStart(
  dataDir: string,
  key: string,
  { path, body }: LoadQuestion,
): Promise<StartTimes> {
  const started = performance.now();
  const serving = await startServing(dataDir, { environment: unlimited });
  const listeningMs = performance.now() - started;
  const client = new SocketClient(serving.url);
  try {
    while ((await client.ask({ path: "/readyz", token: null })).status !== 200);
    const readyMs = performance.now() - started;
    const token = await client.session(key);
    const reply = await client.ask({ path, token, body });
    if (reply.status !== 200) throw new Error(`first question: ${reply.status} ${reply.body}`);
    return { listeningMs, readyMs, firstMs: reply.ms };
  } finally {
    client.close();
    await stopped(serving);
  }
}

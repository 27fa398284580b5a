import { percentile } from "../../packages/server/test/load/load-plan.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { startBare } from "../measure/bare-service.ts";
import { type ClosedLoop, closedLoop } from "../measure/closed-loop.ts";
import { thisMachine } from "../measure/machine.ts";
import { Served } from "../measure/served.ts";
import { SocketClient } from "../measure/socket-client.ts";
import { requestOf } from "../question-request.ts";
import { questionsOf } from "../questions.ts";
import type { CacheResult } from "../report/results.ts";
import { filledSightline } from "./filled-workload.ts";
import { type BenchOptions, say } from "./options.ts";

const connections = 16;
/** Short rounds in turns: what the machine does besides is done to both. */
const seconds = 2;
const rounds = 11;
/** A small reply, a usual one, a page of sources. */
const questionNames: readonly string[] = [
  "mentions daily 7d",
  "mentions daily 90d",
  "sources by domain 90d",
];

/** Requests per second of cached questions, beside a bare route that sends the same bytes. */
export async function cachePart(workload: Workload, options: BenchOptions): Promise<CacheResult> {
  const { dataDir, account } = await filledSightline(options, workload);
  const catalogue = catalogueOf(workload);
  const asked = questionsOf(workload).filter(({ name }) => questionNames.includes(name));
  const bare = await startBare();
  try {
    const questions = await Served.during(dataDir, { cache: true }, async (served) => {
      const token = await sessionOf(served.url, account.key);
      const compared: CacheResult["questions"][number][] = [];
      for (const question of asked) {
        const request = requestOf(question, catalogue);
        const bytes = Buffer.byteLength((await served.ask(account, request)).body);
        const loop = { body: request.body, connections, seconds };
        const figures = await perSecond(
          { ...loop, url: served.url, path: request.path, token },
          { ...loop, url: bare.url, path: `/bytes/${bytes}`, token: null },
        );
        say(`cache: ${question.name}: ${JSON.stringify(figures)}`);
        compared.push({ name: question.name, bytes, ...figures });
      }
      return compared;
    });
    const { name } = workload;
    return { part: "cache", workload: name, connections, machine: thisMachine(), questions };
  } finally {
    bare.stop();
  }
}

async function sessionOf(url: string, key: string): Promise<string> {
  const client = new SocketClient(url);
  const token = await client.session(key);
  client.close();
  return token;
}

/** Replies a second of both, in turns: the medians. */
async function perSecond(own: ClosedLoop, bare: ClosedLoop) {
  const figures: Readonly<Record<"perSecond" | "barePerSecond", number[]>> = {
    perSecond: [],
    barePerSecond: [],
  };
  const run = async (loop: ClosedLoop) => {
    const result = await closedLoop(loop);
    return result.replies / result.seconds;
  };
  for (let round = 0; round < rounds; round++) {
    figures.perSecond.push(await run(own));
    figures.barePerSecond.push(await run(bare));
  }
  return {
    perSecond: Math.round(percentile(figures.perSecond, 0.5)),
    barePerSecond: Math.round(percentile(figures.barePerSecond, 0.5)),
  };
}

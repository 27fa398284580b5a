import { differenceOf } from "../engine-rows.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { Served } from "../measure/served.ts";
import { pause, repeated, rounded, type Timing, timingOf } from "../measure/timing.ts";
import type { PeerName } from "../peers/peer.ts";
import { countPlainly } from "../plain-counting.ts";
import { requestOf } from "../question-request.ts";
import { type Question, questionsOf } from "../questions.ts";
import type { QuestionResult, WorkloadResult } from "../report/results.ts";
import {
  duringPeers,
  type FilledFolder,
  type FilledPeer,
  filledPeer,
  filledSightline,
} from "./filled-workload.ts";
import { type BenchOptions, say } from "./options.ts";

/** A question costs a peer no more than this a turn, unless it is slower than so many times. */
const peerRepetition = { least: 2, most: 10, budgetMs: 1_000 };

/**
 * Fills a workload, checks that all engines give the same numbers to every question, and times
 * them. @throws when two engines differ.
 */
export async function workloadPart(
  workload: Workload,
  options: BenchOptions,
): Promise<WorkloadResult> {
  const { only } = options;
  const questions = questionsOf(workload).filter(({ name }) => only === null || only.test(name));
  const folder = await filledSightline(options, workload);
  const peers = new Map<PeerName, FilledPeer>();
  for (const name of options.peers) peers.set(name, await filledPeer(options, workload, name));
  const plans = await checked({ workload, questions, folder, peers });
  const { asked, peerMs, versions } = await askAll({ workload, questions, folder, peers }, options);
  const results = questions.map((question) => {
    const own = asked.get(question.name);
    if (own === undefined) throw new Error(`${question.name} was not asked`);
    const timings = [...peerMs].map(([name, ms]) => [name, timingOf(ms.get(question) ?? [])]);
    return resultOf(question, own, {
      plan: plans.get(question) ?? "",
      peers: Object.fromEntries(timings),
    });
  });
  const fillSeconds: Record<string, number> = { sightline: rounded(folder.account.seconds) };
  for (const [name, { fillSeconds: seconds }] of peers) fillSeconds[name] = rounded(seconds);
  return {
    part: "workload",
    workload: workload.name,
    answers: workload.answers,
    machine: thisMachine(),
    fillSeconds,
    versions,
    questions: results,
  };
}

function resultOf(
  question: Question,
  { timing, bytes }: AskedQuestion,
  { plan, peers }: Pick<QuestionResult, "plan" | "peers">,
): QuestionResult {
  return {
    name: question.name,
    kind: question.kind,
    days: question.days,
    ours: timing,
    bytes,
    plan,
    peers,
  };
}

interface ToCheck {
  readonly workload: Workload;
  readonly questions: readonly Question[];
  readonly folder: FilledFolder;
  readonly peers: ReadonlyMap<PeerName, FilledPeer>;
}

/** Without a peer, some questions are counted plainly instead. */
const countedPlainlyEvery = 10;

/** @returns the plan that answered each question. @throws naming all questions that differ. */
async function checked({ workload, questions, folder, peers }: ToCheck) {
  const catalogue = catalogueOf(workload);
  const replies = new Map<Question, string>();
  const plans = new Map<Question, string>();
  await Served.during(folder.dataDir, {}, async (served) => {
    const plan = await PlanMetric.of(served);
    for (const question of questions) {
      const { body } = await served.ask(folder.account, requestOf(question, catalogue));
      replies.set(question, body);
      plans.set(question, await plan.ofLastQuestion());
    }
  });
  const differences: string[] = [];
  let compared = 0;
  const compare = (name: string, question: Question, rows: Parameters<typeof differenceOf>[2]) => {
    compared++;
    const difference = differenceOf(question, replies.get(question) ?? "", rows);
    if (difference !== null) differences.push(`${question.name} (${name}): ${difference}`);
  };
  await duringPeers(peers, async (running) => {
    for (const [name, peer] of running) {
      say(`${workload.name}: comparing with ${name} ...`);
      for (const question of questions) {
        const [rows] = (await peer.ask([question])).rows;
        if (rows !== undefined) compare(name, question, rows);
      }
    }
  });
  if (peers.size === 0) {
    for (const [place, question] of questions.entries()) {
      if (place % countedPlainlyEvery !== 0) continue;
      compare("plain counting", question, countPlainly(workload, question));
    }
  }
  if (differences.length > 0) throw new Error(`replies differ:\n${differences.join("\n")}`);
  say(`${workload.name}: ${compared} replies were compared`);
  return plans;
}

interface AskedAll {
  readonly asked: ReadonlyMap<string, AskedQuestion>;
  readonly peerMs: ReadonlyMap<PeerName, ReadonlyMap<Question, readonly number[]>>;
  readonly versions: Readonly<Record<string, string>>;
}

/** Asks the service and its peers in turns: a slow minute of the machine is one for all. */
function askAll(
  { workload, questions, folder, peers }: ToCheck,
  { times }: BenchOptions,
): Promise<AskedAll> {
  return duringPeers(peers, async (running) => {
    say(`${workload.name}: asking the service and its peers ...`);
    const peerMs = new Map<PeerName, Map<Question, number[]>>();
    const versions: Record<string, string> = {};
    for (const [name, peer] of running) {
      versions[name] = peer.version;
      peerMs.set(name, new Map(questions.map((question) => [question, []])));
      for (const question of questions) await peer.ask([question]); // warm
    }
    const inTurns = async (question: Question) => {
      for (const [name, peer] of running) {
        const turn = await repeated(async () => (await peer.ask([question])).ms, peerRepetition);
        peerMs
          .get(name)
          ?.get(question)
          ?.push(...turn);
      }
    };
    const asked = await askService(folder, workload, { questions, times, inTurns });
    return { asked, peerMs, versions };
  });
}

/** The service writes its metrics at most once a second, so a count can be this old, and more. */
const textAgeMaxMs = 1_000;
const waitMaxMs = 5 * textAgeMaxMs;
const betweenReadsMs = 50;
const count = /^sightline_facts_query_seconds_count\{(.+)\} (\d+)$/gm;

/** Which plans the service used, as its own metric counts them. Nothing else may ask meanwhile. */
class PlanMetric {
  readonly #served: Served;
  #counts: ReadonlyMap<string, number>;

  private constructor(served: Served, counts: ReadonlyMap<string, number>) {
    this.#served = served;
    this.#counts = counts;
  }

  /** Begins to count: what was asked before does not count. */
  static async of(served: Served): Promise<PlanMetric> {
    await pause(textAgeMaxMs);
    return new PlanMetric(served, countsIn(await served.metrics()));
  }

  /** The plan of the one question asked since the last call. @throws when none is counted. */
  async ofLastQuestion(): Promise<string> {
    const end = performance.now() + waitMaxMs;
    while (performance.now() < end) {
      const before = this.#counts;
      const after = countsIn(await this.#served.metrics());
      const [used] = [...after].find(([labels, times]) => times > (before.get(labels) ?? 0)) ?? [];
      this.#counts = after;
      if (used !== undefined) return /plan="([^"]*)"/.exec(used)?.[1] ?? "";
      await pause(betweenReadsMs);
    }
    throw new Error("the service's metrics do not count a question that it has answered");
  }
}

function countsIn(exposition: string): ReadonlyMap<string, number> {
  return new Map(
    [...exposition.matchAll(count)].map(([, labels = "", times]) => [labels, Number(times)]),
  );
}

/** What was seen of a question that the service was asked. */
interface AskedQuestion {
  readonly timing: Timing;
  /** Of the reply. */
  readonly bytes: number;
}

/** How the service is asked. */
interface Asking {
  readonly questions: readonly Question[];
  readonly times: number;
  /** What has its turn after each turn of a question. */
  readonly inTurns: (question: Question) => Promise<void>;
}

/** Each question is asked in so many turns, so that a slow moment of the machine spoils none. */
const rounds = 3;
const warmUps = 20;

/** Asks the service each question some times, one after the other, over one connection. */
function askService(
  { dataDir, account }: FilledFolder,
  workload: Workload,
  { questions, times, inTurns }: Asking,
): Promise<ReadonlyMap<string, AskedQuestion>> {
  return Served.during(dataDir, {}, async (served) => {
    const catalogue = catalogueOf(workload);
    const taken = new Map<Question, number[]>(questions.map((question) => [question, []]));
    const sizes = new Map<Question, number>();
    for (let round = 0; round < rounds; round++) {
      for (const [question, ms] of taken) {
        const request = requestOf(question, catalogue);
        for (let time = 0; time < warmUps; time++) await served.ask(account, request);
        for (let time = 0; time < Math.ceil(times / rounds); time++) {
          const reply = await served.ask(account, request);
          ms.push(reply.ms);
          sizes.set(question, Buffer.byteLength(reply.body));
        }
        await inTurns(question);
      }
    }
    const asked = new Map<string, AskedQuestion>();
    for (const [question, ms] of taken) {
      asked.set(question.name, { timing: timingOf(ms), bytes: sizes.get(question) ?? 0 });
    }
    return asked;
  });
}

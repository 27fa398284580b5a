import { differenceOf } from "../engine-rows.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { type ReadRows, rowsRead } from "../measure/rows-read.ts";
import { Served } from "../measure/served.ts";
import { repeated, rounded, timingOf } from "../measure/timing.ts";
import type { Peer, PeerName } from "../peers/peer.ts";
import { countPlainly } from "../plain-counting.ts";
import { requestOf } from "../question-request.ts";
import { type Question, questionsOf } from "../questions.ts";
import type { QuestionResult, WorkloadResult } from "../report/results.ts";
import {
  type FilledFolder,
  type FilledPeer,
  filledPeer,
  filledSightline,
} from "./filled-workload.ts";
import { type Floors, floors } from "./floors.ts";
import { type BenchOptions, say } from "./options.ts";
import { type AskedQuestion, askService } from "./service-answers.ts";

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
  const replies = await checked({ workload, questions, folder, peers });
  const { asked, peerMs, versions } = await askAll({ workload, questions, folder, peers }, options);
  const read = await rowsRead(folder.facts, questions, catalogueOf(workload));
  const floor = await floors(workload, questions, asked);
  const results = questions.map((question) => {
    const own = asked.get(question.name);
    if (own === undefined) throw new Error(`${question.name} was not asked`);
    const timings = [...peerMs].map(([name, ms]) => [name, timingOf(ms.get(question) ?? [])]);
    return resultOf(question, own, { floor, read, peers: Object.fromEntries(timings) });
  });
  const fillSeconds: Record<string, number> = { sightline: rounded(folder.account.seconds) };
  for (const [name, { fillSeconds: seconds }] of peers) fillSeconds[name] = rounded(seconds);
  say(`${workload.name}: ${replies} replies were compared with the peers'`);
  return {
    part: "workload",
    workload: workload.name,
    answers: workload.answers,
    machine: thisMachine(),
    memoryGbPerSecond: rounded(floor.bytesPerSecond / 1e9),
    fillSeconds,
    versions,
    questions: results,
  };
}

function resultOf(
  question: Question,
  { timing, bytes }: AskedQuestion,
  { floor, read, peers }: Beside,
): QuestionResult {
  return {
    name: question.name,
    kind: question.kind,
    days: question.days,
    ours: timing,
    bytes,
    rows: read.get(question.name)?.rows ?? 0,
    plan: read.get(question.name)?.plan ?? "",
    floor: floor.of(question),
    peers,
  };
}

/** What is known of questions besides the service's times. */
interface Beside {
  readonly floor: Floors;
  readonly read: ReadonlyMap<string, ReadRows>;
  readonly peers: QuestionResult["peers"];
}

interface ToCheck {
  readonly workload: Workload;
  readonly questions: readonly Question[];
  readonly folder: FilledFolder;
  readonly peers: ReadonlyMap<PeerName, FilledPeer>;
}

/** Without a peer, some questions are counted plainly instead. */
const countedPlainlyEvery = 10;

/** @returns how many comparisons were made. @throws naming the first differences. */
async function checked({ workload, questions, folder, peers }: ToCheck): Promise<number> {
  const catalogue = catalogueOf(workload);
  const replies = new Map<Question, string>();
  await Served.during(folder.dataDir, { cache: false }, async (served) => {
    for (const question of questions) {
      const { body } = await served.ask(folder.account, requestOf(question, catalogue));
      replies.set(question, body);
    }
  });
  const differences: string[] = [];
  let compared = 0;
  const compare = (name: string, question: Question, rows: Parameters<typeof differenceOf>[2]) => {
    compared++;
    const difference = differenceOf(question, replies.get(question) ?? "", rows);
    if (difference !== null) differences.push(`${question.name} (${name}): ${difference}`);
  };
  for (const [name, filled] of peers) {
    say(`${workload.name}: comparing with ${name} ...`);
    await filled.during(async (peer) => {
      for (const question of questions) compare(name, question, (await peer.ask(question)).rows);
    });
  }
  if (peers.size === 0) {
    for (const [place, question] of questions.entries()) {
      if (place % countedPlainlyEvery !== 0) continue;
      compare("plain counting", question, countPlainly(workload, question));
    }
  }
  if (differences.length > 0) throw new Error(`replies differ:\n${differences.join("\n")}`);
  return compared;
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
  const peerMs = new Map<PeerName, Map<Question, number[]>>();
  const versions: Record<string, string> = {};
  const running: { readonly peer: Peer; readonly ms: Map<Question, number[]> }[] = [];
  const ask = async () => {
    say(`${workload.name}: asking the service and its peers ...`);
    const asked = await askService(folder, workload, { questions, times, inTurns: peersTurn });
    return { asked, peerMs, versions };
  };
  const peersTurn = async (question: Question) => {
    for (const { peer, ms } of running) {
      const own = ms.get(question) ?? [];
      const turn = await repeated(async () => (await peer.ask(question)).ms, peerRepetition);
      ms.set(question, [...own, ...turn]);
    }
  };
  // Each peer runs while those after it do.
  const during = (left: readonly (readonly [PeerName, FilledPeer])[]): Promise<AskedAll> => {
    const [first, ...others] = left;
    if (first === undefined) return ask();
    const [name, filled] = first;
    return filled.during(async (peer) => {
      versions[name] = peer.version;
      const ms = new Map<Question, number[]>();
      running.push({ peer, ms });
      peerMs.set(name, ms);
      for (const question of questions) await peer.ask(question); // warm
      return during(others);
    });
  };
  return during([...peers]);
}

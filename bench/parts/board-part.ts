import { oneWindow } from "../../packages/server/test/load/start-load.ts";
import { differenceOf } from "../engine-rows.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import { dayMs, type Workload } from "../generator/workload.ts";
import { BoardClient } from "../measure/board-client.ts";
import { thisMachine } from "../measure/machine.ts";
import { Served } from "../measure/served.ts";
import { repeated, rounded, timingOf } from "../measure/timing.ts";
import type { Peer, PeerName } from "../peers/peer.ts";
import { requestOf } from "../question-request.ts";
import {
  type Filter,
  type Question,
  questionsOf,
  type SeriesQuestion,
  type SourcesQuestion,
} from "../questions.ts";
import type { BoardRange, BoardResult, SinglesResult } from "../report/results.ts";
import {
  duringPeers,
  type FilledFolder,
  type FilledPeer,
  filledPeer,
  filledSightline,
} from "./filled-workload.ts";
import { type BenchOptions, say } from "./options.ts";

/** Processes whose first board counts; one before them fills the disk's cache. */
const freshStarts = 4;
/** The service and its peers are asked in so many turns: a slow minute is one for all. */
const rounds = 3;
const warmUps = 5;
const ownTurn = { least: 10, most: 10, budgetMs: 0 };
const peerTurn = { least: 2, most: 10, budgetMs: 2_000 };
const people = 8;
const peopleMs = 5_000;

/** Boards of the first workload, and single questions of all of them. */
export async function boardPart(
  [workload, ...others]: readonly [Workload, ...Workload[]],
  options: BenchOptions,
): Promise<BoardResult> {
  const folder = await filledSightline(options, workload);
  const peers = new Map<PeerName, FilledPeer>();
  for (const name of options.peers) peers.set(name, await filledPeer(options, workload, name));
  const boards = boardDays.map((days) => new Board(workload, folder, days));
  const [first = new Board(workload, folder, boardDays[0])] = boards;
  const fresh = await freshBoards(first);
  const versions: Record<string, string> = {};
  const ranges = await duringPeers(peers, (running) => {
    for (const [name, { version }] of running) versions[name] = version;
    return asked(boards, running);
  });
  const perSecond = await peoplePerSecond(first);
  const singles = [];
  for (const each of [workload, ...others]) singles.push(await singlesOf(each, options));
  return {
    part: "board",
    workload: workload.name,
    machine: thisMachine(),
    panels: first.questions.map(({ name }) => name),
    versions,
    fresh: timingOf(fresh),
    ranges,
    people,
    boardsPerSecond: rounded(perSecond),
    singles,
  };
}

/** A board of a filled folder. */
class Board {
  readonly days: number;
  readonly questions: readonly Question[];
  readonly #requests: readonly ReturnType<typeof requestOf>[];
  readonly #folder: FilledFolder;

  constructor(workload: Workload, folder: FilledFolder, days: number) {
    const catalogue = catalogueOf(workload);
    this.days = days;
    this.questions = boardOf(workload, days);
    this.#requests = this.questions.map((question) => requestOf(question, catalogue));
    this.#folder = folder;
  }

  serve<Result>(work: (served: Served) => Promise<Result>): Promise<Result> {
    return Served.during(this.#folder.dataDir, {}, work);
  }

  open({ url }: Served): Promise<BoardClient> {
    return BoardClient.open(url, this.#folder.account.key, this.questions.length);
  }

  ask(client: BoardClient): ReturnType<BoardClient["ask"]> {
    return client.ask(this.#requests);
  }
}

/** The time of the first board that each of some processes is asked for. */
async function freshBoards(board: Board): Promise<readonly number[]> {
  say("board: fresh processes ...");
  const times: number[] = [];
  while (times.length <= freshStarts) {
    const first = await board.serve(async (served) => {
      const client = await board.open(served);
      const { ms } = await board.ask(client);
      client.close();
      return ms;
    });
    times.push(first);
  }
  return times.slice(1);
}

/** Asks the service and its peers in turns. @throws when their numbers differ. */
function asked(
  boards: readonly Board[],
  peers: ReadonlyMap<PeerName, Peer>,
): Promise<readonly BoardRange[]> {
  const [first] = boards;
  if (first === undefined) return Promise.resolve([]);
  return first.serve(async (served) => {
    const client = await first.open(served);
    const ranges: BoardRange[] = [];
    for (const board of boards) {
      say(`board: ${board.days} days, warm ...`);
      await compare(board, client, peers);
      const own: number[] = [];
      const others = new Map([...peers.keys()].map((name) => [name, [] as number[]]));
      for (let round = 0; round < rounds; round++) {
        for (let time = 0; time < warmUps; time++) await board.ask(client);
        own.push(...(await repeated(async () => (await board.ask(client)).ms, ownTurn)));
        for (const [name, peer] of peers) {
          const turn = await repeated(async () => (await peer.ask(board.questions)).ms, peerTurn);
          others.get(name)?.push(...turn);
        }
      }
      const timings = [...others].map(([name, times]) => [name, timingOf(times)]);
      ranges.push({
        days: board.days,
        ours: timingOf(own),
        peers: Object.fromEntries(timings) as BoardRange["peers"],
      });
    }
    client.close();
    return ranges;
  });
}

async function compare(board: Board, client: BoardClient, peers: ReadonlyMap<PeerName, Peer>) {
  const { bodies } = await board.ask(client);
  for (const [name, peer] of peers) {
    const { rows } = await peer.ask(board.questions);
    for (const [place, question] of board.questions.entries()) {
      const theirs = rows[place];
      const difference =
        theirs === undefined ? "no rows" : differenceOf(question, bodies[place] ?? "", theirs);
      if (difference !== null) throw new Error(`${question.name} (${name}): ${difference}`);
    }
  }
}

/** Boards a second of several people who each open the next as soon as one is complete. */
function peoplePerSecond(board: Board): Promise<number> {
  say(`board: ${people} people ...`);
  return board.serve(async (served) => {
    const clients = await Promise.all(Array.from({ length: people }, () => board.open(served)));
    for (let time = 0; time < warmUps; time++) {
      await Promise.all(clients.map((client) => board.ask(client)));
    }
    const started = performance.now();
    let opened = 0;
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() - started < peopleMs) {
          await board.ask(client);
          opened++;
        }
        client.close();
      }),
    );
    return (opened * 1_000) / (performance.now() - started);
  });
}

/** Days that a board shows; the first is what a board opens with. */
const boardDays = [90, 365] as const;

/** More days than this are shown by week. */
const dailyDaysMax = 90;
const rankedSources = 10;
const topic: Filter = { topics: [3] };

/** The eight panels of a board over the last days of a workload. A browser asks them together. */
function boardOf({ toMs }: Workload, days: number): readonly Question[] {
  const range = { days, fromMs: toMs - days * dayMs, toMs };
  const interval = days > dailyDaysMax ? "weekly" : "daily";
  const series = (metric: SeriesQuestion["metric"], name = "", filter: Filter = {}): Question => ({
    kind: "series",
    name: `${metric} ${interval}${name}`,
    metric,
    interval,
    filter,
    ...range,
  });
  const sources = (groupBy: SourcesQuestion["groupBy"]): Question => ({
    kind: "sources",
    name: `sources by ${groupBy}`,
    groupBy,
    limit: rankedSources,
    offset: 0,
    filter: {},
    ...range,
  });
  return [
    series("mentions"),
    series("overall-visibility"),
    series("citations"),
    series("rank"),
    series("mentions", " topic", topic),
    series("mentions", " topic+provider", { ...topic, providers: ["OPENAI"] }),
    sources("domain"),
    sources("url"),
  ];
}

const connections = 8;
const warmMs = 5_000;
const windowMs = 15_000;

/** All questions of a workload in turns, one at a time on each of several connections. */
async function singlesOf(workload: Workload, options: BenchOptions): Promise<SinglesResult> {
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

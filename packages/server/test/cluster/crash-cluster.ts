import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { RunningCommand } from "@sightline/test-kit/command.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { until } from "@sightline/test-kit/until.ts";
import { applyWorkspace } from "../../src/accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../../src/accounts/workspace-file/read-workspace-file.ts";
import { openClusterAnswers } from "../../src/answers/clickhouse/open-clickhouse.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { type CheckedAnswers, checkAnswers } from "../crash/check-record.ts";
import { answersAt, ask, repliesOf, sessionOf } from "./cluster-client.ts";
import { type DurablePostgres, startDurablePostgres } from "./durable-postgres.ts";
import { embeddedReplies } from "./embedded-replies.ts";
import { type RunningCluster, startCluster } from "./running-cluster.ts";

/** What a run of crashes is made of. */
export interface ClusterCrashOptions {
  readonly rounds: number;
  /** The same seed gives the same answers and the same delays. */
  readonly seed: number;
  /** Of each account. */
  readonly answersEachRound: number;
  readonly onRound: (line: string) => void;
}

/** What can be ended by `kill -9`, and a node that sleeps for longer than its leases. */
type Victim = "node" | "shard" | "importer" | "postgres" | "pause";

/** What happened. */
export interface ClusterCrashReport {
  readonly kills: Readonly<Record<Victim, number>>;
  readonly answers: number;
  /** Answers recorded before the last, undisturbed import. */
  readonly recordedAmidCrashes: number;
  /** Answers that were acknowledged and are not recorded. */
  readonly lost: number;
  readonly torn: number;
  readonly doubled: number;
}

interface CrashAccount {
  readonly name: string;
  readonly accountId: string;
  readonly key: string;
  /** Of the session, which a long run outlives. */
  token: string;
  /** Rounds whose import was acknowledged. */
  readonly acknowledged: Set<number>;
}

/** Enough for both shards. */
const names = ["Acme", "Birch", "Cedar"] as const;
/** How probable it is that a round kills each. */
const chances: Readonly<Record<Victim, number>> = {
  node: 0.5,
  shard: 0.5,
  importer: 0.8,
  postgres: 0.3,
  pause: 0.08,
};
/** An import takes about a second beside the others. */
const killedWithinMs = 1_500;
/** A lease lasts for 6 s. */
const pausedMs = 8_000;

/**
 * Imports through nodes and commands and changes workspaces, while nodes, shards, importers and
 * PostgreSQL are killed at random, again and again. Then everything is imported undisturbed.
 * @throws AssertionError when a reply was not clean, or the replies at the end are not those of an
 * embedded service that was fed the same answers.
 */
export async function crashCluster(
  t: Pick<TestContext, "after">,
  options: ClusterCrashOptions,
): Promise<ClusterCrashReport> {
  const postgres = await startDurablePostgres(t);
  const cluster = await startCluster(t, { postgres: postgres.url });
  const run = new ClusterCrash(cluster, postgres, options);
  await run.begin();
  for (let round = 0; round < options.rounds; round++) await run.round(round);
  return run.end();
}

class ClusterCrash {
  readonly #cluster: RunningCluster;
  readonly #postgres: DurablePostgres;
  readonly #options: ClusterCrashOptions;
  readonly #random: () => number;
  readonly #accounts: CrashAccount[] = [];
  readonly #kills = { node: 0, shard: 0, importer: 0, postgres: 0, pause: 0 };

  constructor(cluster: RunningCluster, postgres: DurablePostgres, options: ClusterCrashOptions) {
    this.#cluster = cluster;
    this.#postgres = postgres;
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  async begin(): Promise<void> {
    for (const name of names) {
      const { accountId, key } = await this.#cluster.account(workspaceOf(name, false));
      this.#accounts.push({ name, accountId, key, token: "", acknowledged: new Set() });
    }
    await this.#signIn();
  }

  async #signIn(): Promise<void> {
    for (const account of this.#accounts) {
      account.token = await sessionOf(this.#cluster.urls[0] ?? "", account.key);
    }
  }

  /** One import for each account, the last by a command, and whatever is killed meanwhile. */
  async round(round: number): Promise<void> {
    const before = { ...this.#kills };
    const importing = this.#accounts.map((account, place) =>
      place === names.length - 1
        ? this.#importByCommand(account, round)
        : this.#importOverHttp(account, round, (round + place) % 2),
    );
    const changed = names[Math.floor(this.#random() * names.length)] ?? names[0];
    const file = this.#workspaceFile(changed, this.#random() < 0.5);
    const applying = this.#cluster.run("apply", file);
    await Promise.all(this.#killSome());
    await Promise.all(importing);
    const { status, stderr } = await applying;
    assert.ok(status === 0 || status === 1, `apply ended with ${status}: ${stderr}`);
    const kills = Object.entries(this.#kills).map(([victim, count]) => {
      return `${victim} ${count - before[victim as Victim]}`;
    });
    this.#options.onRound(`round ${round + 1}: killed ${kills.join(", ")}`);
  }

  /** Imports everything undisturbed, twice, and compares with what an embedded service has. */
  async end(): Promise<ClusterCrashReport> {
    const { rounds, answersEachRound } = this.#options;
    const answers = rounds * answersEachRound;
    await this.#signIn();
    for (const name of names) {
      const workspace = readWorkspaceFile(JSON.stringify(workspaceOf(name, false)));
      await this.#cluster.beside(({ control }) =>
        applyWorkspace(control, workspace.accountId, workspace, { now: systemClock.now() }),
      );
    }
    const checked = await this.#checked();
    const lost = this.#lostOf(checked);
    for (const account of this.#accounts) {
      await this.#importAgain(account, checked.get(account.name)?.numbers.size ?? 0);
      await this.#importAgain(account, answers);
    }
    const complete = [...(await this.#checked()).values()];
    for (const { numbers } of complete) assert.equal(numbers.size, answers);
    await this.#compare(answers);
    const all = [...checked.values(), ...complete];
    return {
      kills: this.#kills,
      answers: answers * names.length,
      recordedAmidCrashes: sumOf([...checked.values()].map(({ numbers }) => numbers.size)),
      lost,
      torn: sumOf(all.map(({ torn }) => torn.length)),
      doubled: sumOf(all.map(({ doubled }) => doubled.length)),
    };
  }

  /** Each is killed at a moment of its own, and started again when it was. */
  #killSome(): readonly Promise<void>[] {
    const { shards, killNode, startNode, pauseNode, wakeNode } = this.#cluster;
    const one = () => (this.#random() < 0.5 ? 0 : 1);
    const [node, shard] = [one(), one()];
    const isPaused = this.#random() < chances.pause;
    return [
      this.#maybe("node", async () => {
        await killNode(node);
        return () =>
          until("a node starts", () => startNode(node).then(() => true, nothing), 60_000);
      }),
      this.#maybe("shard", async () => {
        await shards.kill(shard);
        return () => shards.restart(shard);
      }),
      this.#maybe("postgres", async () => {
        await this.#postgres.kill();
        return () => this.#postgres.restart();
      }),
      isPaused
        ? this.#after(async () => {
            pauseNode(1 - node);
            this.#kills.pause++;
            await this.#wait(pausedMs);
            wakeNode(1 - node);
          })
        : Promise.resolve(),
    ];
  }

  async #maybe(victim: Victim, kill: () => Promise<() => Promise<unknown>>): Promise<void> {
    const isKilled = this.#random() < chances[victim];
    const delayMs = this.#random() * killedWithinMs;
    const awayMs = this.#random() * killedWithinMs;
    if (!isKilled) return;
    await this.#wait(delayMs);
    const restart = await kill();
    this.#kills[victim]++;
    await this.#wait(awayMs);
    await restart();
  }

  async #after(work: () => Promise<void>): Promise<void> {
    await this.#wait(this.#random() * killedWithinMs);
    await work();
  }

  async #wait(ms: number): Promise<void> {
    const end = performance.now() + ms;
    await until("the moment", () => (performance.now() >= end ? true : null), ms + 60_000);
  }

  async #importOverHttp(account: CrashAccount, round: number, node: number): Promise<void> {
    const { status, body } = await this.#post(account, this.#lines(round), node);
    if (![0, 200, 503].includes(status)) {
      const { requestId = body } = JSON.parse(body) as { requestId?: string };
      assert.fail(`an import gave ${status}: ${body}\n${this.#cluster.logOf(requestId)}`);
    }
    if (status === 200) account.acknowledged.add(round);
  }

  async #importByCommand(account: CrashAccount, round: number): Promise<void> {
    const file = this.#cluster.file(`answers-${round}.ndjson`, this.#lines(round));
    const running = this.#cluster.start("import", file, "--account", account.accountId, "--json");
    const [killed] = await Promise.all([this.#killImporter(running), running.finished]);
    const { status, stderr } = await running.finished;
    if (status === 0) account.acknowledged.add(round);
    else assert.ok(killed || status === 1, `an import ended with ${status}: ${stderr}`);
  }

  async #killImporter({ process: importer, finished }: RunningCommand): Promise<boolean> {
    const isKilled = this.#random() < chances.importer;
    // Starting takes half of its time.
    const delayMs = (0.3 + this.#random()) * killedWithinMs;
    if (!isKilled) return false;
    await Promise.race([this.#wait(delayMs), finished]);
    importer.kill("SIGKILL");
    const { signal } = await finished;
    if (signal === "SIGKILL") this.#kills.importer++;
    return signal === "SIGKILL";
  }

  async #importAgain(account: CrashAccount, recorded: number): Promise<void> {
    const { rounds, answersEachRound } = this.#options;
    const tally = { accepted: 0, duplicates: 0, rejected: 0 };
    for (let round = 0; round < rounds; round++) {
      const { status, body } = await this.#post(account, this.#lines(round), round % 2);
      assert.equal(status, 200, body);
      const { accepted, duplicates, rejected } = JSON.parse(body) as typeof tally;
      tally.accepted += accepted;
      tally.duplicates += duplicates;
      tally.rejected += rejected;
    }
    const answers = rounds * answersEachRound;
    const wanted = { accepted: answers - recorded, duplicates: recorded, rejected: 0 };
    assert.deepEqual(tally, wanted);
  }

  #post({ token }: CrashAccount, body: string, node: number) {
    const type = "application/x-ndjson";
    return ask(this.#cluster.urls[node] ?? "", "/v1/answers", { token, body, type });
  }

  async #checked(): Promise<ReadonlyMap<string, CheckedAnswers>> {
    const store = await openClusterAnswers(this.#cluster.address, systemClock);
    const checked = new Map<string, CheckedAnswers>();
    for (const { name, accountId } of this.#accounts) {
      checked.set(name, await checkAnswers(store, accountId));
    }
    await store.close();
    return checked;
  }

  #lostOf(checked: ReadonlyMap<string, CheckedAnswers>): number {
    const { answersEachRound } = this.#options;
    let lost = 0;
    for (const { name, acknowledged } of this.#accounts) {
      const numbers = checked.get(name)?.numbers ?? new Set();
      for (const round of acknowledged) {
        for (let index = 0; index < answersEachRound; index++) {
          if (!numbers.has(round * answersEachRound + index)) lost++;
        }
      }
    }
    return lost;
  }

  /** Counts at both nodes, and replies of both, are those of an embedded service. */
  async #compare(answers: number): Promise<void> {
    const wanted = await embeddedReplies(
      names.map((name) => workspaceOf(name, false)),
      answers,
    );
    for (const { name, token, accountId } of this.#accounts) {
      const { replies, counted } = wanted.get(accountId) ?? { replies: [], counted: -1 };
      for (const url of this.#cluster.urls) {
        const counts = async () => ((await answersAt(url, token)) === counted ? true : null);
        await until(`${counted} answers of ${name} count at ${url}`, counts, 60_000);
        assert.deepEqual(await repliesOf(url, token), replies, `replies of ${name} at ${url}`);
      }
    }
  }

  #lines(round: number): string {
    const { answersEachRound } = this.#options;
    return Array.from({ length: answersEachRound }, (_, index) => {
      return `${JSON.stringify(corpusAnswer(round * answersEachRound + index))}\n`;
    }).join("");
  }

  #workspaceFile(name: string, isChanged: boolean): string {
    return this.#cluster.file(`${name}.json`, JSON.stringify(workspaceOf(name, isChanged)));
  }
}

/** The changed one has another entity and no alias: facts are rebuilt. */
function workspaceOf(name: string, isChanged: boolean): object {
  const account = { name };
  if (!isChanged) return { ...corpusWorkspace, account };
  const competitors = [...corpusWorkspace.competitors, { name: "Initech" }];
  return { ...corpusWorkspace, account, competitors };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function nothing(): null {
  return null;
}

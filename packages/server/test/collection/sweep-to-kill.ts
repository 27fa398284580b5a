import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planSweepOf } from "@sightline/test-kit/collection/plan-sweep-of.ts";
import { freePort } from "@sightline/test-kit/engines/free-port.ts";
import { until } from "@sightline/test-kit/until.ts";
import { allAccounts } from "../../src/accounts/account-store.ts";
import { importsOf } from "../../src/answers/import-store.ts";
import { sweepById } from "../../src/collection/store/sweep-reads.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { StoragePlace } from "../../src/platform/cluster-address.ts";
import type { Storage } from "../../src/storage.ts";

/** What is there when a sweep has ended whose processes were killed. */
export interface KilledSweep {
  readonly place: string | StoragePlace;
  readonly accountId: string;
  readonly sweepId: string;
  readonly billFile: string;
  /** How many `kill -9` there were, by what was killed. */
  readonly kills: Readonly<Record<string, number>>;
}

/** Prices of these are the same in the list and of the stand-in. */
const providers = [
  { provider: "OPENAI", model: "gpt-4.1" },
  { provider: "ANTHROPIC", model: "claude-haiku-4-5" },
  "GOOGLE_AI_MODE",
  "COPILOT",
];
const faults = {
  tasks: { queueMs: 500, runMs: 500 },
  rates: { pauseTurn: 0.3, serverError: 0.02 },
};
const latencyMs = 200;
/** Each kill cuts off what is under way: few, so that most jobs are not. */
export const concurrency = "2";
/** The longest that anything of a sweep is waited for: leases and circuits end within minutes. */
const sweepMsMax = 30 * 60_000;

/** A workspace file whose sweep has four times as many jobs. */
export function sweepWorkspace(prompts: number): string {
  const asked = Array.from({ length: prompts }, (_, bed) => `Which seeds are best for bed ${bed}?`);
  const account = { account: "Killed", brand: "Acme" };
  return JSON.stringify({ ...account, collection: { providers }, prompts: asked });
}

/** Plans the sweep of the only account. */
export async function planKilledSweep(storage: Storage) {
  const [account] = await allAccounts(storage.control);
  const accountId = account?.id ?? "";
  return { accountId, sweepId: await planSweepOf(storage, accountId) };
}

/** True; or null: not all is. */
export async function isPublished(
  { control }: Pick<Storage, "control">,
  { accountId, sweepId }: Pick<KilledSweep, "accountId" | "sweepId">,
): Promise<true | null> {
  // Cheap, and asked often: each part is an import.
  if ((await importsOf(control, accountId)).length < providers.length) return null;
  const sweep = await sweepById(control, accountId, sweepId, systemClock.now());
  return sweep?.parts.every(({ publishedAt }) => publishedAt !== null) === true ? true : null;
}

/** The stand-in in a process of its own, with a bill that its end does not end. */
export class StandInProcess {
  readonly url: string;
  readonly billFile: string;
  readonly #parameters: readonly string[];
  #child: ChildProcess | null = null;

  private constructor(folder: string, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.billFile = join(folder, "bill.ndjson");
    const faultsFile = join(folder, "faults.json");
    writeFileSync(faultsFile, JSON.stringify(faults));
    const files = ["--bill", this.billFile, "--faults", faultsFile];
    this.#parameters = ["--port", String(port), "--latency", String(latencyMs), ...files];
  }

  /** One that is not started; its files are in a folder that is there. */
  static async in(folder: string): Promise<StandInProcess> {
    return new StandInProcess(folder, await freePort());
  }

  async start(): Promise<void> {
    this.#child = await startedScript("../../../stand-in/test/run-providers.ts", this.#parameters);
  }

  async kill(): Promise<void> {
    if (this.#child !== null) await killed(this.#child);
  }

  /** In bytes: it grows with each request. */
  billSize(): number {
    return existsSync(this.billFile) ? statSync(this.billFile).size : 0;
  }
}

/** Starts a script of this folder; resolves when it says something. */
export async function startedScript(
  script: string,
  parameters: readonly string[],
): Promise<ChildProcess> {
  const path = join(import.meta.dirname, script);
  const child = spawn(process.execPath, [path, ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.stdout.resume();
  return child;
}

/** Ends a process with `kill -9`, if it has not ended. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** What is killed at random, and until when. */
export interface RandomKills<Victim extends string> {
  readonly victims: readonly Victim[];
  /** How many at most. */
  readonly kills: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly standIn: StandInProcess;
  /** True; or null: the sweep goes on. */
  readonly ended: () => Promise<true | null>;
  /** Kills it and starts it again. */
  readonly kill: (victim: Victim) => Promise<void>;
  readonly onKill: (line: string) => void;
}

/**
 * Kills after random numbers of requests, until the sweep has ended. Victims come in random order,
 * each as often as the others, or once less.
 * @returns how often each was killed.
 */
export async function killAtRandom<Victim extends string>({
  victims,
  random,
  standIn,
  ended,
  ...options
}: RandomKills<Victim>): Promise<Record<Victim, number>> {
  const kills = Object.fromEntries(victims.map((each) => [each, 0])) as Record<Victim, number>;
  let waiting: Victim[] = [];
  for (let sum = 0; sum < options.kills; sum++) {
    // So many bytes of the bill are some fifteen requests at most.
    const size = standIn.billSize() + random() * 6_000;
    const met = () => (standIn.billSize() > size ? true : null);
    await until("a random number of requests", async () => met() ?? ended(), sweepMsMax);
    if (await ended()) break;
    if (waiting.length === 0) waiting = [...victims];
    const [victim] = waiting.splice(Math.floor(random() * waiting.length), 1);
    if (victim === undefined) break;
    kills[victim]++;
    options.onKill(`kill ${sum + 1}: ${victim}`);
    await options.kill(victim);
  }
  await until("the sweep is published", ended, sweepMsMax);
  return kills;
}

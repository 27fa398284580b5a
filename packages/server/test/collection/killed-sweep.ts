import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStorage, type Storage } from "../../src/storage.ts";
import { runCommand, startServing } from "../command.ts";
import { seededRandom } from "../crash/seeded-random.ts";
import { freePort } from "../engines/free-port.ts";
import { until } from "../until.ts";
import { planSweepOf } from "./plan-sweep-of.ts";
import { vendorEnvironment } from "./vendor-environment.ts";

/** A sweep whose processes are killed. */
export interface KilledSweepOptions {
  /** An empty folder. */
  readonly folder: string;
  /** The sweep has four times as many jobs. */
  readonly prompts: number;
  /** How many `kill -9` there are at most. */
  readonly kills: number;
  readonly seed: number;
  readonly onKill?: (line: string) => void;
}

/** What is there when the sweep has ended. */
export interface KilledSweep {
  readonly dataDir: string;
  readonly accountId: string;
  readonly sweepId: string;
  readonly billFile: string;
  readonly kills: Readonly<Record<ProcessName, number>>;
}

const processNames = ["stand-in", "serve", "collector"] as const;
type ProcessName = (typeof processNames)[number];

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
const concurrency = "2";
/** The longest that anything of a sweep is waited for: leases and circuits end within minutes. */
const sweepMsMax = 30 * 60_000;

/**
 * Runs a sweep by a server and a collector beside it, and kills them and the stand-in, at random
 * and again and again, until it is published.
 */
export async function killedSweep(options: KilledSweepOptions): Promise<KilledSweep> {
  const { folder, prompts, seed, onKill = () => undefined } = options;
  const random = seededRandom(seed);
  const dataDir = join(folder, "data");
  const workspace = join(folder, "workspace.json");
  const asked = Array.from(
    { length: prompts },
    (_, each) => `Which seeds are best for bed ${each}?`,
  );
  const file = { account: "Killed", brand: "Acme", collection: { providers }, prompts: asked };
  writeFileSync(workspace, JSON.stringify(file));
  const applied = await runCommand(["apply", workspace, "--data-dir", dataDir]);
  if (applied.status !== 0) throw new Error(applied.stderr);
  const processes = new Processes(folder, dataDir, await freePort());
  const storage = await openStorage(dataDir);
  const kills = { "stand-in": 0, serve: 0, collector: 0 };
  try {
    for (const name of processNames) await processes.start(name);
    const { accountId, sweepId } = await plan(storage);
    const ended = () => isPublished(storage, accountId, sweepId);
    for (let sum = 0; sum < options.kills; sum++) {
      // So many bytes of the bill are some fifteen requests at most.
      const size = processes.billSize() + random() * 6_000;
      const met = () => (processes.billSize() > size ? true : null);
      await until("a random number of requests", async () => met() ?? ended(), sweepMsMax);
      if (await ended()) break;
      const name = processNames[Math.floor(random() * processNames.length)] ?? "serve";
      await processes.kill(name);
      kills[name]++;
      onKill(`kill ${sum + 1}: ${name}`);
      await processes.start(name);
    }
    await until("the sweep is published", ended, sweepMsMax);
    return { dataDir, accountId, sweepId, billFile: processes.billFile, kills };
  } finally {
    await processes.close();
    await storage.close();
  }
}

async function plan(storage: Storage) {
  const [account] = await storage.control.accounts();
  const accountId = account?.id ?? "";
  return { accountId, sweepId: await planSweepOf(storage, accountId) };
}

/** True; or null: not all is. */
async function isPublished({ control }: Storage, accountId: string, sweepId: string) {
  // Cheap, and asked often: each part is an import.
  if ((await control.imports(accountId)).length < providers.length) return null;
  const sweep = await control.sweep(accountId, sweepId);
  return sweep?.parts.every(({ publishedAt }) => publishedAt !== null) === true ? true : null;
}

/** The processes of a sweep, each of which can be killed and started again. */
class Processes {
  readonly billFile: string;
  readonly #dataDir: string;
  readonly #faultsFile: string;
  readonly #port: number;
  readonly #running = new Map<ProcessName, ChildProcess>();

  constructor(folder: string, dataDir: string, port: number) {
    this.billFile = join(folder, "bill.ndjson");
    this.#faultsFile = join(folder, "faults.json");
    this.#dataDir = dataDir;
    this.#port = port;
    writeFileSync(this.#faultsFile, JSON.stringify(faults));
  }

  billSize(): number {
    return existsSync(this.billFile) ? statSync(this.billFile).size : 0;
  }

  async start(name: ProcessName): Promise<void> {
    const standIn = `http://127.0.0.1:${this.#port}`;
    if (name === "serve") {
      const environment = {
        ...vendorEnvironment(standIn),
        SIGHTLINE_COLLECT_CONCURRENCY: concurrency,
      };
      const serving = await startServing(this.#dataDir, { environment });
      serving.finished.catch(() => undefined);
      this.#running.set(name, serving.process);
      return;
    }
    const [script, parameters] =
      name === "collector"
        ? ["run-collector.ts", [this.#dataDir, standIn, concurrency]]
        : ["../run-providers.ts", this.#standInParameters()];
    const path = join(import.meta.dirname, script);
    const child = spawn(process.execPath, [path, ...parameters], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#running.set(name, child);
    await once(child.stdout, "data");
    child.stdout.resume();
  }

  async kill(name: ProcessName): Promise<void> {
    const child = this.#running.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  async close(): Promise<void> {
    for (const name of processNames) await this.kill(name);
  }

  #standInParameters(): readonly string[] {
    const files = ["--bill", this.billFile, "--faults", this.#faultsFile];
    return ["--port", String(this.#port), "--latency", String(latencyMs), ...files];
  }
}

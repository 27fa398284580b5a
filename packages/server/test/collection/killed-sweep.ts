import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { vendorEnvironment } from "@sightline/test-kit/collection/vendor-environment.ts";
import { runCommand, startServing } from "@sightline/test-kit/command.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { openStorage } from "../../src/storage.ts";
import {
  concurrency,
  isPublished,
  type KilledSweep,
  killAtRandom,
  killed,
  planKilledSweep,
  StandInProcess,
  startedScript,
  sweepWorkspace,
} from "./sweep-to-kill.ts";

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

const processNames = ["stand-in", "serve", "collector"] as const;
type ProcessName = (typeof processNames)[number];

/**
 * Runs a sweep by a server and a collector beside it, and kills them and the stand-in, at random
 * and again and again, until it is published.
 */
export async function killedSweep(options: KilledSweepOptions): Promise<KilledSweep> {
  const { folder, prompts, kills: most, seed, onKill = () => undefined } = options;
  const dataDir = join(folder, "data");
  const workspace = join(folder, "workspace.json");
  writeFileSync(workspace, sweepWorkspace(prompts));
  const applied = await runCommand(["apply", workspace, "--data-dir", dataDir]);
  if (applied.status !== 0) throw new Error(applied.stderr);
  const standIn = await StandInProcess.in(folder);
  const processes = new Processes(dataDir, standIn);
  const storage = await openStorage(dataDir);
  try {
    for (const name of processNames) await processes.start(name);
    const sweep = await planKilledSweep(storage);
    const kills = await killAtRandom({
      victims: processNames,
      kills: most,
      random: seededRandom(seed),
      standIn,
      onKill,
      ended: () => isPublished(storage, sweep),
      kill: async (name) => {
        await processes.kill(name);
        await processes.start(name);
      },
    });
    return { place: dataDir, ...sweep, billFile: standIn.billFile, kills };
  } finally {
    await processes.close();
    await storage.close();
  }
}

/** The processes of a sweep, each of which can be killed and started again. */
class Processes {
  readonly #dataDir: string;
  readonly #standIn: StandInProcess;
  readonly #running = new Map<ProcessName, ChildProcess>();

  constructor(dataDir: string, standIn: StandInProcess) {
    this.#dataDir = dataDir;
    this.#standIn = standIn;
  }

  async start(name: ProcessName): Promise<void> {
    const { url } = this.#standIn;
    if (name === "stand-in") return this.#standIn.start();
    if (name === "collector") {
      const parameters = [this.#dataDir, url, concurrency];
      this.#running.set(name, await startedScript("run-collector.ts", parameters));
      return;
    }
    const environment = {
      ...vendorEnvironment(url),
      SIGHTLINE_COLLECT_CONCURRENCY: concurrency,
    };
    const serving = await startServing(this.#dataDir, { environment });
    serving.finished.catch(() => undefined);
    this.#running.set(name, serving.process);
  }

  async kill(name: ProcessName): Promise<void> {
    if (name === "stand-in") return this.#standIn.kill();
    const child = this.#running.get(name);
    if (child !== undefined) await killed(child);
  }

  async close(): Promise<void> {
    for (const name of processNames) await this.kill(name);
  }
}

import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as timeout } from "node:timers/promises";
import { printedDocument, runCommand, startServing, stopped } from "@sightline/test-kit/command.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { corpusFile, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { sessionOf } from "../cluster/cluster-client.ts";

/** One of the accounts: its id, and a key and a session that may do everything. */
export interface AccountCaller {
  readonly accountId: string;
  readonly key: string;
  readonly token: string;
}

/** A service with three accounts of equal size. */
export interface ThreeAccounts {
  readonly url: string;
  readonly pid: number;
  readonly callers: readonly [AccountCaller, AccountCaller, AccountCaller];
}

const names = ["first", "second", "third"] as const;
const answers = 4_000;
const longSessions = ["--session-ttl-seconds", "3600", "--hooks-to-private", "on"];

/** A data folder with the accounts, of which each service gets a copy. */
export async function threeAccountsFolder() {
  const folder = temporaryFolder();
  const dataDir = join(folder, "data");
  const run = async (...parameters: readonly string[]) => {
    const finished = await runCommand([...parameters, "--data-dir", dataDir, "--json"]);
    assert.equal(finished.status, 0, finished.stderr);
    return finished;
  };
  const keys: Omit<AccountCaller, "token">[] = [];
  for (const name of names) {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify({ ...corpusWorkspace, account: { name } }));
    const { accountId } = printedDocument<{ accountId: string }>(await run("apply", path));
    writeFileSync(path, corpusFile(answers));
    await run("import", path, "--account", accountId);
    const create = ["keys", "create", "--account", accountId];
    const made = await run(...create, "--scope", "read,import,manage");
    keys.push({ accountId, key: printedDocument<{ key: string }>(made).key });
  }
  return {
    /** Serves a copy, with further settings. */
    serve: async (t: AfterHook, ...settings: readonly string[]): Promise<ThreeAccounts> => {
      const copy = temporaryFolder();
      t.after(async () => rmSync(copy, { recursive: true }));
      cpSync(dataDir, join(copy, "data"), { recursive: true });
      const parameters = [...longSessions, "--reply-cache", "off", ...settings];
      const serving = await startServing(join(copy, "data"), { parameters });
      t.after(async () => void (await stopped(serving)));
      const { url } = serving;
      const callers = await Promise.all(
        keys.map(async (each) => ({ ...each, token: await sessionOf(url, each.key) })),
      );
      const [first, second, third] = callers;
      assert.ok(first !== undefined && second !== undefined && third !== undefined);
      return { url, pid: serving.process.pid ?? 0, callers: [first, second, third] };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The memory of a process while it is watched, in MB. */
export class WatchedMemory {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  readonly beforeMb: number;
  peakMb = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.beforeMb = this.#residentMb();
    const look = () => {
      this.peakMb = Math.max(this.peakMb, this.#residentMb());
    };
    this.#timer = setInterval(look, 50);
  }

  /** Ends watching, and waits until it is back; what it is then. */
  async back(growthMb: number, withinMs: number): Promise<number> {
    clearInterval(this.#timer);
    const isBack = () => (this.#residentMb() - this.beforeMb <= growthMb ? true : null);
    await until("memory comes back", isBack, withinMs).catch(() => undefined);
    return this.#residentMb();
  }

  #residentMb(): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, "utf8");
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
    return Number(kilobytes) / 1_024;
  }
}

/** What a client that keeps to a pace is told to do: nothing is expected to happen meanwhile. */
export const pause = (ms: number): Promise<void> => timeout(ms);

/** Asks for /healthz until `hasEnded` says so, and returns how long each reply took. */
export async function healthMs(url: string, hasEnded: () => boolean): Promise<readonly number[]> {
  const taken: number[] = [];
  while (!hasEnded()) {
    const startedMs = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    taken.push(performance.now() - startedMs);
    await pause(5); // one client that asks without a pause takes a core
  }
  return taken;
}

import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import {
  runCommand,
  type Serving,
  startCommand,
  startServing,
  stopped,
} from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openStorage } from "../../src/storage.ts";
import { goodputOf, type LoadPlan, type LoadQuestion, repliesOf } from "./load-plan.ts";
import { demoYear, moreAnswers, soakQuestions } from "./soak-questions.ts";
import { median, type SoakMinute, soakReport, soakTable } from "./soak-report.ts";
import { oneWindow, startLoad } from "./start-load.ts";

// tasks/soak [MINUTES] [RATE_SHARE]: a real server on a year of demo answers under a steady share
// of the load it can take, and what promise 25 says of it. It ends by itself.
const connections = 8;
const warmMs = 5_000;
const peakMs = 10_000;
const minuteMs = 60_000;
const sampleMs = 1_000;
const answersEachImport = 20;
/** Every question is to reach the engine. */
const unlimited = {
  SIGHTLINE_RATE_LIMIT: "off",
  SIGHTLINE_DAILY_QUOTA: "off",
  SIGHTLINE_REPLY_CACHE: "off",
};
const say = (line: string) => process.stdout.write(`${line}\n`);

const [minutes = 30, rateShare = 0.7] = process.argv.slice(2).map(Number);
if (!(Number.isInteger(minutes) && minutes >= 1 && minutes <= 600 && rateShare > 0)) {
  process.stderr.write("usage: tasks/soak [MINUTES from 1 to 600] [RATE_SHARE above 0]\n");
  process.exit(2);
}
const folder = temporaryFolder();
const dataDir = join(folder, "data");
let serving: Serving | null = null;
try {
  const { key, accountId } = await filled();
  const storage = await openStorage(dataDir);
  const questions = await soakQuestions(storage, accountId);
  serving = await startServing(dataDir, { environment: unlimited });
  const base = { url: serving.url, key, questions, connections };
  const peakPerSecond = await peakOf(base);
  const offeredPerSecond = Math.max(1, Math.round(peakPerSecond * rateShare));
  say(`peak ${peakPerSecond}/s; ${offeredPerSecond}/s for ${minutes} minutes; load ${loadavg()}`);
  const importFailures: string[] = [];
  let sample = 0;
  const importMore = async () => {
    sample++; // the demo's own answers are number 0
    const path = join(folder, "more.ndjson");
    writeFileSync(
      path,
      await moreAnswers(storage, accountId, { count: answersEachImport, sample }),
    );
    const { status, stdout, stderr } = await runCommand(["import", path, "--data-dir", dataDir]);
    if (status !== 0) importFailures.push(`import: ${stdout}${stderr}`);
  };
  const measured = await soaked(
    { ...base, ratePerSecond: offeredPerSecond, windowMs: minuteMs, windows: minutes },
    serving,
    importMore,
  );
  const report = soakReport({ peakPerSecond, offeredPerSecond }, measured, importFailures);
  await storage.close();
  const cores = availableParallelism();
  say(JSON.stringify({ ...report, cores, loadAverage: loadavg(), timeRange: demoYear }));
  say(soakTable(report));
  const complete = measured.length === minutes;
  const holds = report.memoryHolds && report.noErrors && report.latencyHolds;
  process.exitCode = complete && holds ? 0 : 1;
} finally {
  if (serving !== null) await stopped(serving);
  rmSync(folder, { recursive: true });
}

/** Fills the data folder as `sightline demo` does. */
async function filled(): Promise<{ readonly key: string; readonly accountId: string }> {
  const parameters = ["demo", "--data-dir", dataDir, "--port", "0", "--json"];
  const demo = startCommand(parameters, { environment: unlimited });
  await Promise.race([once(demo.process.stdout, "data"), demo.finished]);
  const { stdout, stderr } = await stopped(demo);
  if (stdout === "") throw new Error(`the demo did not start:\n${stderr}`);
  return JSON.parse(stdout) as { key: string; accountId: string };
}

interface Target {
  readonly url: string;
  readonly key: string;
  readonly questions: readonly LoadQuestion[];
  readonly connections: number;
}

/** Successful replies a second when every connection asks without a pause. */
async function peakOf(target: Target): Promise<number> {
  const plan = { ...target, ratePerSecond: null };
  await oneWindow({ ...plan, windowMs: warmMs });
  return Math.round(goodputOf(await oneWindow({ ...plan, windowMs: peakMs })));
}

/** Offers the load, imports every minute, and notes each minute. */
async function soaked(
  plan: LoadPlan,
  { process: server }: Serving,
  importMore: () => Promise<void>,
): Promise<readonly SoakMinute[]> {
  const measured: SoakMinute[] = [];
  let samples: number[] = [];
  let imports = Promise.resolve();
  const sampling = setInterval(() => samples.push(rssKbOf(server.pid)), sampleMs);
  const load = startLoad(plan, (window) => {
    const rssKb = median(samples.filter((sample) => sample > 0));
    samples = [];
    measured.push({ window, rssKb });
    const { p50Ms, p99Ms, count } = repliesOf(window, "200");
    const figures = [Math.round(rssKb / 1024), p50Ms.toFixed(1), p99Ms.toFixed(1)];
    const statuses = Object.entries(window.replies).map(([name, tally]) => [name, tally.count]);
    say(`minute ${measured.length}: ${count} replies; MB, p50, p99 ms: ${figures.join(", ")}`);
    if (statuses.length > 1) say(`  ${JSON.stringify(Object.fromEntries(statuses))}`);
    if (measured.length < plan.windows) imports = imports.then(importMore);
  });
  imports = imports.then(importMore); // a soak of one minute has one too
  const died = once(server, "exit").then(() => load.stop());
  await Promise.race([load.finished, died.then(() => load.finished)]);
  clearInterval(sampling);
  await imports;
  return measured;
}

/** Resident memory of a process in kB; 0 when it is gone. */
function rssKbOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

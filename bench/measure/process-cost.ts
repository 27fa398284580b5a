import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pause } from "./timing.ts";

/** Ticks of a processor's time in a second, as /proc counts them. */
const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** The share of a core that a process takes in some time, in percent. */
export async function corePercent(pid: number, ms: number): Promise<number> {
  const [before, started] = [processorSeconds(pid), performance.now()];
  await pause(ms);
  const seconds = (performance.now() - started) / 1_000;
  return (100 * (processorSeconds(pid) - before)) / seconds;
}

/** The memory that a process holds, in MB: now, or the most it ever held. */
export function memoryMb(pid: number, which: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`^${which}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1_024);
}

/** Of all threads, in the kernel and outside. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Fields are counted from behind the program's name, which may hold anything: 14 and 15 of all.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

import { type LoadWindow, percentile, repliesOf } from "./load-plan.ts";

/** One minute of a soak. */
export interface SoakMinute {
  readonly window: LoadWindow;
  /** Resident memory of the server, the median of the minute's samples. */
  readonly rssKb: number;
}

/** What a soak measured, and whether promise 25 holds. */
export interface SoakReport {
  readonly peakPerSecond: number;
  readonly offeredPerSecond: number;
  readonly minutes: number;
  readonly replies: number;
  readonly errors: number;
  readonly failures: readonly string[];
  /** Medians of minutes 3 to 5 and of the last three; of fewer when the soak is short. */
  readonly rssMb: readonly [warm: number, end: number];
  /** Medians of the minutes' percentiles in the first and in the last third. */
  readonly p50Ms: readonly [first: number, last: number];
  readonly p99Ms: readonly [first: number, last: number];
  readonly memoryHolds: boolean;
  readonly noErrors: boolean;
  readonly latencyHolds: boolean;
}

const memoryGrowthMax = 1.05;
const latencyDriftMax = 1.1;

/** Judges a soak's minutes by promise 25. @param importFailures imports that did not succeed. */
export function soakReport(
  rates: Pick<SoakReport, "peakPerSecond" | "offeredPerSecond">,
  minutes: readonly SoakMinute[],
  importFailures: readonly string[],
): SoakReport {
  const windows = minutes.map(({ window }) => window);
  const rss = minutes.map(({ rssKb }) => rssKb / 1024);
  // A soak of less than six minutes has no minutes 3 to 5 apart from its last.
  const warm = rss.length > 5 ? rss.slice(2, 5) : rss.slice(0, 1);
  const rssMb = [median(warm), median(rss.slice(-3))] as const;
  const [p50Ms, p99Ms] = [thirds(windows, "p50Ms"), thirds(windows, "p99Ms")];
  const all = windows.flatMap(({ replies }) => Object.entries(replies));
  const count = (wanted: (status: string) => boolean) =>
    all.reduce((sum, [status, tally]) => sum + (wanted(status) ? tally.count : 0), 0);
  const errors = count((status) => status !== "200") + importFailures.length;
  return {
    ...rates,
    minutes: minutes.length,
    replies: count(() => true),
    errors,
    failures: [...windows.flatMap(({ failures }) => failures), ...importFailures].slice(0, 10),
    rssMb: [round(rssMb[0]), round(rssMb[1])],
    p50Ms,
    p99Ms,
    memoryHolds: rssMb[1] <= rssMb[0] * memoryGrowthMax,
    noErrors: errors === 0,
    latencyHolds: p99Ms[1] <= p99Ms[0] * latencyDriftMax,
  };
}

/** The report for people, a line for each thing that was promised. */
export function soakTable(report: SoakReport): string {
  const verdict = (holds: boolean) => (holds ? "PASS" : "FAIL");
  const pair = ([first, last]: readonly [number, number], unit: string) =>
    `${first} -> ${last} ${unit} (${round((last / first - 1) * 100)} %)`;
  const lines: readonly (readonly string[])[] = [
    ["load", `${report.offeredPerSecond}/s of a peak of ${report.peakPerSecond}/s`, ""],
    ["errors", `${report.errors} of ${report.replies}`, verdict(report.noErrors)],
    ["memory, warm to end", pair(report.rssMb, "MB"), verdict(report.memoryHolds)],
    ["p50, first to last third", pair(report.p50Ms, "ms"), ""],
    ["p99, first to last third", pair(report.p99Ms, "ms"), verdict(report.latencyHolds)],
  ];
  return lines
    .map(([name = "", figure = "", holds = ""]) => `${name.padEnd(26)}${figure.padEnd(42)}${holds}`)
    .join("\n");
}

/** The middle value; 0 of none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function thirds(windows: readonly LoadWindow[], figure: "p50Ms" | "p99Ms") {
  const third = Math.max(1, Math.floor(windows.length / 3));
  const of = (part: readonly LoadWindow[]) =>
    round(median(part.map((window) => repliesOf(window, "200")[figure])));
  return [of(windows.slice(0, third)), of(windows.slice(-third))] as const;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

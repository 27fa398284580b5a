import { type ClusterDiagnosis, diagnoseNodes } from "@sightline/server/diagnose-nodes";
import { diagnose } from "@sightline/server/doctor";
import { Mailer } from "@sightline/server/mailer";
import { maskedAddress } from "@sightline/server/masked-address";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { counted } from "../output/counted.ts";
import { safeText } from "../output/safe-text.ts";
import { printResult } from "../result.ts";
import { clusterPlace, type DataOptions, existingFolder, placeOf } from "../storage.ts";

/** `sightline doctor`: reads and checks every file completely, or every engine of a cluster. */
export function doctorCommand(): Command {
  const command = new Command("doctor")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(runDoctor);
  return withExamples(command, ["sightline doctor --data-dir data", "reads every file whole"]);
}

async function runDoctor(options: DataOptions): Promise<void> {
  const cluster = clusterPlace(options);
  const { diagnosis, report } =
    cluster === null
      ? await diagnosedFolder(options)
      : await diagnoseNodes(placeOf(options), cluster).then((found) => {
          return { diagnosis: found, report: clusterReport(found) };
        });
  const mail = await diagnosedMail(options);
  const ok = diagnosis.ok && (mail === null || mail.fault === null);
  const text = mail === null ? report : `${mailReport(mail)}\n${report}`;
  printResult(options.json === true, { ...diagnosis, ok, mail }, text);
  if (!ok) process.exitCode = 1;
}

/** Whether the SMTP server takes mails. */
interface DiagnosedMail {
  /** Without name and password. */
  readonly server: string;
  /** Null: it does. */
  readonly fault: string | null;
}

/** Null: no SMTP server is set. */
async function diagnosedMail(options: DataOptions): Promise<DiagnosedMail | null> {
  const place = placeOf(options);
  const mailer = Mailer.of(place, { clock: { now: Date.now } });
  if (mailer === null) return null;
  const fault = await mailer.check(new AbortController().signal);
  return { server: maskedAddress(place.smtpUrl ?? ""), fault };
}

function mailReport({ server, fault }: DiagnosedMail): string {
  return fault === null ? `${server}: takes mails` : `${server}: ${fault}`;
}

async function diagnosedFolder(options: DataOptions) {
  const diagnosis = await diagnose(existingFolder(options));
  const { checked, faults, skipped } = diagnosis;
  const lines = [
    ...faults.map(({ file, fault }) => `${file}: ${fault}`),
    ...skipped.map(({ file, fault }) => `${file}: not checked: ${fault}`),
    `${counted(checked.length, "file")} checked, ${counted(faults.length, "fault")}.`,
  ];
  return { diagnosis, report: lines.join("\n") };
}

type CheckedEngine = ClusterDiagnosis["engines"][number];

/** How many tables of an engine, and of what it says about itself, are named. */
const tablesShown = 3;

/** What the doctor found on a cluster, for people. */
function clusterReport({ engines, leases, totals, faults }: ClusterDiagnosis): string {
  const lines = [
    ...engines.flatMap(engineLines),
    ...(leases === null || totals === null ? [] : progressLines(leases, totals)),
    ...faults.map(({ file, fault }) => `${file}: ${fault}`),
    `${counted(engines.length, "engine")} checked, ${counted(faults.length, "fault")}.`,
  ];
  return lines.map(safeText).join("\n");
}

function engineLines({ kind, version, address, clockAheadMs, sizes }: CheckedEngine) {
  const direction = clockAheadMs > 0 ? "ahead of" : "behind";
  const difference = clockAheadMs === 0 ? "equal to" : `${Math.abs(clockAheadMs)} ms ${direction}`;
  const ours = sizes.filter(({ isOfEngine }) => !isOfEngine);
  const own = sizes.filter(({ isOfEngine }) => isOfEngine);
  return [
    `${kind} ${version} at ${address}: clock ${difference} this node's`,
    ...(ours.length === 0 ? [] : [`  data: ${sizesText(ours)}`]),
    ...(own.length === 0 ? [] : [`  about itself: ${sizesText(own)}`]),
  ];
}

/** The sum, and the largest. */
function sizesText(sizes: CheckedEngine["sizes"]): string {
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const shown = sizes.slice(0, tablesShown).map(({ table, bytes }) => `${table} ${sized(bytes)}`);
  const others = sizes.length - shown.length;
  return `${sized(total)} (${shown.join(", ")}${others > 0 ? `, ${others} more` : ""})`;
}

function progressLines(
  { held, holders }: NonNullable<ClusterDiagnosis["leases"]>,
  { recorded, behind }: NonNullable<ClusterDiagnosis["totals"]>,
): readonly string[] {
  return [
    `Leases: held by ${counted(holders, "node")}, of ${counted(held, "account")}.`,
    `Answers: ${recorded} recorded, ${behind} not in the facts yet.`,
  ];
}

const units = ["kB", "MB", "GB", "TB"];

function sized(bytes: number): string {
  let [size, unit] = [bytes, "B"];
  for (const larger of units) {
    if (size < 1_000) break;
    [size, unit] = [size / 1_000, larger];
  }
  return `${unit === "B" ? size : size.toFixed(1)} ${unit}`;
}

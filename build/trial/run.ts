import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { buildClient } from "../client-package.ts";
import { buildCommand } from "../command-package.ts";
import { clientDist, commandDist, root } from "../folders.ts";
import { tryCheckout } from "./checkout-trial.ts";
import { tryClient } from "./client-trial.ts";
import { tryCommand, tryOldNode } from "./command-trial.ts";
import { Report } from "./report.ts";
import { runProgram, type ServedDemo, serveDemo } from "./run-program.ts";

/** The versions of Node that each is promised to run on: the oldest, and those in use since. */
const clientVersions = ["20", "24"];
const commandVersions = ["22.18.0", "24", "25"];
/** A checkout fetches a Node of its own where the machine's is older than the command needs. */
const checkoutVersions = ["20", ...commandVersions];

// An interrupted trial leaves no demo behind.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1));

const report = new Report();
const folder = mkdtempSync(join(tmpdir(), "sightline-trial-"));
let demo: ServedDemo | undefined;
try {
  await buildClient(clientDist);
  await buildCommand(commandDist);
  const client = await packed("@sightline/client", clientDist);
  const command = await packed("sightline", commandDist);
  const main = join(root, "packages/cli/src/main.ts");
  demo = await serveDemo(process.execPath, [main], { folder, environment: process.env });
  for (const version of clientVersions) await tryClient(version, { tarball: client, demo }, report);
  await demo.stop();
  for (const version of commandVersions) await tryCommand(version, command, report);
  await tryOldNode("20", commandDist, report);
  for (const version of checkoutVersions) await tryCheckout(version, report);
} finally {
  await demo?.stop();
  rmSync(folder, { recursive: true });
}
process.stdout.write(`${report.table()}\n`);
process.exitCode = report.failed ? 1 : 0;

/** Packs a built package as `npm publish` would. @returns the tarball's path. */
async function packed(name: string, dist: string): Promise<string> {
  let path = "";
  await report.step(name, "is packed", async () => {
    const place = { folder, environment: process.env };
    const printed = await runProgram("npm", ["pack", "--json", dist], place);
    const [tarball] = JSON.parse(printed) as readonly Tarball[];
    if (tarball === undefined) throw new Error(printed);
    path = join(folder, tarball.filename);
    return `${tarball.entryCount} files, ${Math.round(tarball.size / 1_024)} KiB packed`;
  });
  await report.step(name, "publint", async () => {
    const { messages, pkg } = await publint({ pkgDir: dist, pack: "npm", strict: true });
    if (messages.length === 0) return "nothing to say";
    throw new Error(messages.map((message) => formatMessage(message, pkg)).join("\n"));
  });
  return path;
}

interface Tarball {
  readonly filename: string;
  readonly size: number;
  readonly entryCount: number;
}

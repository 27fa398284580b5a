import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../folders.ts";
import { tryCommands } from "./command-steps.ts";
import { ask, npmSettings } from "./command-trial.ts";
import type { Report } from "./report.ts";
import { runProgram, serveDemo } from "./run-program.ts";
import { trialNode } from "./trial-node.ts";

/**
 * Clones the repository's last commit, with an empty home, under a version of Node; serves the
 * demo from there, asks it one question, and runs every command. Under a Node that is too old the
 * clone fetches its own.
 */
export async function tryCheckout(version: string, report: Report): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), "sightline-trial-checkout-"));
  const [clone, folder, home] = [join(top, "clone"), join(top, "folder"), join(top, "home")];
  for (const each of [folder, home]) mkdirSync(each);
  const environment = { ...(await trialNode(version)), ...(await npmSettings()), HOME: home };
  const place = { folder, environment };
  const of = `checkout, Node ${version}`;
  const launcher = { program: join(clone, "sightline"), parameters: [] };
  try {
    await report.step(of, "is cloned and sets itself up", async () => {
      await runProgram("git", ["clone", "--quiet", root, clone], place);
      await runProgram(launcher.program, ["--version"], place);
      return (await runProgram("du", ["-sh", clone], place)).split("\t")[0] ?? "";
    });
    await report.step(of, "serves the demo", async () => {
      const demo = await serveDemo(launcher.program, launcher.parameters, place);
      const answered = await ask(demo).finally(demo.stop);
      return `after ${demo.seconds.toFixed(1)} s: ${answered}`;
    });
    await tryCommands(of, { launcher, place }, report);
  } finally {
    rmSync(top, { recursive: true });
  }
}

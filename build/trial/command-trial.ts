import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sightline } from "@sightline/client";
import { commandDist } from "../folders.ts";
import { tryCommands } from "./command-steps.ts";
import type { Report } from "./report.ts";
import { runProgram, type ServedDemo, serveDemo } from "./run-program.ts";
import { trialNode } from "./trial-node.ts";

const launcher = { program: "npx", parameters: ["--no-install", "sightline"] } as const;

/**
 * Installs the command's tarball in an empty folder under a version of Node, with an empty home,
 * serves the demo from there with npx, asks it one question, and runs every command.
 */
export async function tryCommand(version: string, tarball: string, report: Report): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), "sightline-trial-command-"));
  const [folder, home] = [join(top, "folder"), join(top, "home")];
  for (const each of [folder, home]) mkdirSync(each);
  const environment = { ...(await trialNode(version)), ...(await npmSettings()), HOME: home };
  const place = { folder, environment };
  const of = `command, Node ${version}`;
  const step = (what: string, work: () => Promise<string>): Promise<void> =>
    report.step(of, what, work);
  let demo: ServedDemo | undefined;
  try {
    await step("installs", async () => {
      const parameters = ["install", "--no-audit", "--no-fund", tarball];
      await runProgram("npm", parameters, place);
      return (await runProgram("node", ["--version"], place)).trim();
    });
    await step("npx sightline demo listens", async () => {
      demo = await serveDemo(launcher.program, launcher.parameters, place);
      return `after ${demo.seconds.toFixed(1)} s`;
    });
    const served = demo;
    if (served !== undefined) {
      await step("answers one question", () => ask(served));
      await step("serves the documents", () => documents(served));
      await step("stops", async () => {
        await served.stop();
        return "";
      });
    }
    await tryCommands(of, { launcher, place }, report);
  } finally {
    await demo?.stop();
    rmSync(top, { recursive: true });
  }
}

/** Under a Node that is too old, the command says so and nothing else. */
export async function tryOldNode(version: string, dist: string, report: Report): Promise<void> {
  const place = { folder: dist, environment: await trialNode(version) };
  await report.step(`command, Node ${version}`, "says that Node is too old", async () => {
    const said = await runProgram("./sightline", ["--version"], place).catch(String);
    if (!/needs Node\.js 22\.18 or newer; this is 20\./.test(said)) throw new Error(said);
    return "";
  });
}

/** An empty home has none of npm's settings: which registry it uses, what it fetched already. */
export async function npmSettings(): Promise<NodeJS.ProcessEnv> {
  const setting = async (name: string): Promise<string> =>
    (await runProgram("npm", ["config", "get", name], here)).trim();
  return {
    npm_config_userconfig: await setting("userconfig"),
    npm_config_cache: await setting("cache"),
  };
}

const here = { folder: tmpdir(), environment: process.env };

/** Asks the demo one question. @returns what it answers, in words. */
export async function ask({ url, key }: ServedDemo): Promise<string> {
  const sightline = new Sightline({ baseUrl: url, key });
  const timeRange = { from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z" };
  const reply = await sightline.analytics.mentions({ interval: "monthly", filters: { timeRange } });
  const [brand] = reply.series;
  const value = brand?.data[0]?.value;
  if (typeof value !== "number" || value <= 0) throw new Error(JSON.stringify(reply));
  return `${brand?.name} is mentioned in ${Math.round(value * 100)} % of the answers of a month`;
}

async function documents({ url }: ServedDemo): Promise<string> {
  const paths = ["/docs/errors/rate_limited", "/openapi.json"];
  if (existsSync(join(commandDist, ".tools/api-page"))) paths.push("/docs");
  for (const path of paths) {
    const reply = await fetch(`${url}${path}`);
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    await reply.arrayBuffer();
  }
  return paths.join(", ");
}

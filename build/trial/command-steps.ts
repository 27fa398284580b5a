import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sightline } from "@sightline/client";
import { commands } from "../../packages/cli/src/commands.ts";
import type { Report } from "./report.ts";
import { type ProgramOptions, runProgram, startServer } from "./run-program.ts";

const promptId = "11111111-1111-4111-8111-111111111111";
const workspace = `account: { name: Acme }
brand: { name: Acme, domains: [acme.example] }
prompts:
  - { id: ${promptId}, text: What is the best anvil? }
`;
const answer = {
  promptId,
  provider: "OPENAI",
  answeredAt: "2026-01-05T08:00:00Z",
  text: "Take Acme.",
};

/** How the command is started: a program, and the parameters before the command's own. */
export interface Launcher {
  readonly program: string;
  readonly parameters: readonly string[];
}

/** Starts every command, runs those that work on a data folder, and asks `serve` a question. */
export async function tryCommands(
  of: string,
  { launcher, place }: { readonly launcher: Launcher; readonly place: ProgramOptions },
  report: Report,
): Promise<void> {
  const run = (...parameters: readonly string[]): Promise<string> =>
    runProgram(launcher.program, [...launcher.parameters, ...parameters], place);
  writeFileSync(join(place.folder, "workspace.yaml"), workspace);
  writeFileSync(join(place.folder, "answers.ndjson"), `${JSON.stringify(answer)}\n`);
  await report.step(of, "starts every command", async () => {
    for (const command of Object.keys(commands)) await run(command, "--help");
    return `${Object.keys(commands).length} commands`;
  });
  let key = "";
  await report.step(of, "applies, imports, makes a key", async () => {
    await run("apply", "workspace.yaml");
    await run("import", "answers.ndjson");
    [key = ""] = (await run("keys", "create", "--name", "trial")).split("\n");
    return "";
  });
  await report.step(of, "serves", async () => {
    const parameters = [...launcher.parameters, "serve", "--port", "0"];
    const server = await startServer(launcher.program, parameters, place);
    try {
      return await mentioned(/^listening on (http:\S+)$/m.exec(server.printed)?.[1] ?? "", key);
    } finally {
      await server.stop();
    }
  });
  await report.step(of, "checks, backs up, restores, rebuilds", async () => {
    await run("doctor");
    await run("backup", "backup.tar.zst");
    await run("restore", "backup.tar.zst", "--data-dir", "restored");
    await run("rebuild");
    return "";
  });
}

async function mentioned(baseUrl: string, key: string): Promise<string> {
  const sightline = new Sightline({ baseUrl, key });
  const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const reply = await sightline.analytics.mentions({ interval: "monthly", filters: { timeRange } });
  const value = reply.series[0]?.data[0]?.value;
  if (value !== 1) throw new Error(`Acme is in the one answer: ${JSON.stringify(reply)}`);
  return "Acme is mentioned in the one answer";
}

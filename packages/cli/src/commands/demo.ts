import { readConfig } from "@sightline/server/config";
import { importAnswers } from "@sightline/server/import-answers";
import type { Storage } from "@sightline/server/storage";
import { readWorkspaceFile } from "@sightline/server/workspace-file";
import { Command } from "commander";
import { type DemoAnswer, demoAnswers, demoAnswersTotal } from "../demo/demo-answers.ts";
import { demoWorkspace } from "../demo/demo-workspace.ts";
import { withExamples } from "../examples.ts";
import { printResult } from "../result.ts";
import { runServer } from "../run-server.ts";
import { withStorage } from "../storage.ts";

interface DemoOptions {
  readonly dataDir: string;
  readonly host?: string;
  readonly port?: string;
  readonly json?: boolean;
}

/** `sightline demo`: a year of generated answers, imported like any others, and served. */
export function demoCommand(): Command {
  const command = new Command("demo")
    .description("serve a year of generated demo answers")
    .option("--data-dir <dir>", "folder of the demo's data", "./sightline-demo")
    .option("--host <host>", "address to listen on (default: SIGHTLINE_HOST, else 127.0.0.1)")
    .option("--port <port>", "port to listen on (default: SIGHTLINE_PORT, else 8080)")
    .option("--json", "print one JSON document when it is ready")
    .action(demo);
  return withExamples(command, ["sightline demo --port 0", "on a free port, which it prints"]);
}

async function demo({ dataDir, host, port, json }: DemoOptions): Promise<void> {
  const config = readConfig({ dataDir, host, port, logLevel: "warn" }, process.env);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const key = await withStorage({ dataDir }, async (storage) => {
    say(`Making ${demoAnswersTotal} demo answers in ${dataDir} ...`);
    await fill(storage);
    const { accountId } = readWorkspaceFile(JSON.stringify(demoWorkspace));
    const name = "demo";
    return (await storage.keyRing.create(accountId, { name, expiresAt: null })).key;
  });
  await runServer(config, async ({ url }) => {
    const document = { url, key, accountId: demoWorkspace.account.id };
    printResult(json === true, document, welcome(url, key));
  });
}

async function fill({ control, answers, clock }: Storage): Promise<void> {
  const workspace = readWorkspaceFile(JSON.stringify(demoWorkspace));
  const { accountId } = workspace;
  await control.apply(accountId, workspace);
  if (answers.lastSequence(accountId) >= demoAnswersTotal) return;
  await importAnswers(ndjson(demoAnswers()), {
    accountId,
    prompts: await control.declaredPrompts(accountId),
    now: clock.now,
    store: answers,
    onRejected: async ([first]) => {
      throw new Error(`demo answer ${first?.line} was rejected: ${first?.reason}`);
    },
    onProgress: () => undefined,
  });
}

async function* ndjson(answers: Iterable<DemoAnswer>): AsyncGenerator<Buffer> {
  for (const answer of answers) yield Buffer.from(`${JSON.stringify(answer)}\n`);
}

/** How this command is started again: from a clone, or as npm installed it. */
const launcher = import.meta.filename.includes("node_modules") ? "npx sightline" : "./sightline";
const day = (instant: string) => instant.slice(0, 10);

function welcome(url: string, key: string): string {
  const { brand, competitors } = demoWorkspace;
  const timeRange = { from: "2025-11-01T00:00:00Z", to: "2026-11-01T00:00:00Z" };
  const body = JSON.stringify({ interval: "monthly", filters: { timeRange } });
  const address = `${url}/v1/auth/accesskey/exchange`;
  const exchange = `curl -s -X POST ${address} -H 'Authorization: Bearer ${key}'`;
  const token = `$(${exchange} | sed 's/.*"sessionJwt":"\\([^"]*\\)".*/\\1/')`;
  return `listening on ${url}

The demo is ready: a year of answers about ${brand.name} and ${competitors.length} competitors.
API key: ${key}

Paste this to see how often each is mentioned, month by month:

  curl -s ${url}/v1/analytics/brands/mentions -H 'Content-Type: application/json' \\
    -H "Authorization: Bearer ${token}" \\
    -d '${body}'

  # The same as a chart, week by week:
  SIGHTLINE_URL=${url} SIGHTLINE_KEY=${key} \\
    ${launcher} query mentions --from ${day(timeRange.from)} --to ${day(timeRange.to)} --plot

Ctrl-C stops it.`;
}

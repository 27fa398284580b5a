import { dayMs, instantOf, scopes } from "@sightline/contract";
import { declaredPromptsOf } from "@sightline/server/account-store";
import { applyWorkspace } from "@sightline/server/apply-workspace";
import { readConfig } from "@sightline/server/config";
import { importAnswers } from "@sightline/server/import-answers";
import type { Storage } from "@sightline/server/storage";
import { readWorkspaceFile } from "@sightline/server/workspace-file";
import { Command, InvalidArgumentError, Option } from "commander";
import {
  demoCollectionText,
  demoEnvironment,
  startDemoVendors,
  sweepOfDemo,
} from "../collect/demo-collection.ts";
import {
  dayBefore,
  demoAnswers,
  demoAnswersTotal,
  demoWorkspaceText,
  firstDayOf,
  lastDayOf,
} from "../demo-year.ts";
import { withExamples } from "../examples.ts";
import { printResult } from "../result.ts";
import { runServer } from "../run-server.ts";
import { refuseCluster, withStorage } from "../storage.ts";

/** As long as a browser may stay signed in. */
const consoleKeyMs = 7 * dayMs;

interface DemoOptions {
  readonly dataDir: string;
  readonly lastDay?: string;
  readonly host?: string;
  readonly port?: string;
  readonly collect?: boolean;
  readonly json?: boolean;
}

/** `sightline demo`: a year of generated answers, imported like any others, and served. */
export function demoCommand(): Command {
  const command = new Command("demo")
    .option("--data-dir <dir>", "folder of the demo's data", "./sightline-demo")
    .addOption(
      new Option("--last-day <date>", "last UTC day of the answers (default: yesterday)").argParser(
        dateOf,
      ),
    )
    .option("--host <host>", "address to listen on (default: SIGHTLINE_HOST, else 127.0.0.1)")
    .option("--port <port>", "port to listen on (default: SIGHTLINE_PORT, else 8080)")
    .option("--collect", "first ask a stand-in for all providers; needs no key and no internet")
    .option("--json", "print one JSON document when it is ready")
    .action(demo);
  return withExamples(
    command,
    ["sightline demo --port 0", "on a free port, which it prints"],
    ["sightline demo --collect", "shows how providers are asked, without asking them"],
  );
}

function dateOf(given: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(given) ? instantOf(`${given}T00:00:00Z`) : null;
  // The year before the day must exist as well.
  if (ms !== null && ms > Date.UTC(1000, 0)) return given;
  throw new InvalidArgumentError("Use a UTC date, such as 2026-10-31.");
}

async function demo(options: DemoOptions): Promise<void> {
  if (options.collect !== true) return serveDemo(options, null);
  const vendors = await startDemoVendors(readWorkspaceFile(demoWorkspaceText()).entities);
  try {
    await serveDemo(options, vendors.url);
  } finally {
    await vendors.close();
  }
}

/** @param vendorStandIn address of what stands in for all vendors; null: nobody is asked. */
async function serveDemo(
  { dataDir, lastDay: given, host, port, json }: DemoOptions,
  vendorStandIn: string | null,
): Promise<void> {
  refuseCluster({ dataDir }); // a demo's answers are for nobody's cluster
  const settings = { dataDir, host, port, logLevel: "warn" };
  const config =
    vendorStandIn === null
      ? readConfig({ ...settings, collect: "off" }, process.env)
      : readConfig({ ...settings, vendorStandIn, collect: "on" }, demoEnvironment(process.env));
  const workspaceText =
    vendorStandIn === null ? demoWorkspaceText() : demoWorkspaceText() + demoCollectionText;
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const { accountId, entities } = readWorkspaceFile(workspaceText);
  const { key, consoleKeyId, lastDay } = await withStorage({ dataDir }, async (storage) => {
    say(`Importing ${demoAnswersTotal} demo answers in ${dataDir} ...`);
    const wanted = given ?? dayBefore(storage.clock.now());
    const lastDay = await fill(storage, wanted, workspaceText);
    if (lastDay !== wanted) {
      say(
        `${dataDir} holds a year that ends on ${lastDay}. ` +
          `Delete the folder for one that ends on ${wanted}.`,
      );
    }
    // With every scope, as the link has them: the link is good for ten minutes.
    const { key } = await storage.keyRing.create(accountId, {
      name: "demo",
      expiresAt: null,
      scopes,
    });
    // Nobody sees this one: the link alone signs in with it.
    const expiresAt = storage.clock.now() + consoleKeyMs;
    const console = { name: "demo console", expiresAt, scopes };
    const { keyId } = await storage.keyRing.create(accountId, console);
    return { key, consoleKeyId: keyId, lastDay };
  });
  await runServer({ ...config, logFormat: "prose" }, async (server) => {
    const { url, services } = server;
    if (vendorStandIn !== null && (await sweepOfDemo(server, accountId, say)) === null) return;
    // In the fragment, which browsers send to nobody: it gets into no log.
    const link = `${url}/#sign-in=${services.consoleLinks.create(consoleKeyId)}`;
    const document = { url, key, accountId, console: link };
    printResult(json === true, document, welcome({ url, key, link, lastDay, entities }));
  });
}

/**
 * Fills the folder.
 * @returns the last day of its answers: an existing folder keeps its year.
 */
async function fill(
  { control, answers, clock }: Storage,
  wanted: string,
  workspaceText: string,
): Promise<string> {
  const workspace = readWorkspaceFile(workspaceText);
  const { accountId } = workspace;
  await applyWorkspace(control, accountId, workspace, { now: clock.now() });
  const [first] = await answers.read(accountId, { after: 0, limit: 1 });
  const lastDay = first === undefined ? wanted : lastDayOf(first.answeredAt);
  const { sequence } = await answers.end(accountId);
  if (sequence >= demoAnswersTotal) return lastDay;
  await importAnswers(demoAnswers(lastDay), {
    source: "demo",
    accountId,
    prompts: await declaredPromptsOf(control, accountId),
    now: clock.now,
    store: answers,
    control,
    clock,
    onRejected: async ([first]) => {
      throw new Error(`demo answer ${first?.line} was rejected: ${first?.reason}`);
    },
    onProgress: () => undefined,
  });
  return lastDay;
}

/** The command that starts this again: from a clone, or as npm installed it. */
const launcher = import.meta.filename.includes("node_modules") ? "npx sightline" : "./sightline";
const day = (instant: string) => instant.slice(0, 10);

interface ReadyDemo {
  readonly url: string;
  readonly key: string;
  /** Signs a browser in once. */
  readonly link: string;
  readonly lastDay: string;
  /** The brand first. */
  readonly entities: readonly { readonly name: string }[];
}

function welcome({ url, key, link, lastDay, entities }: ReadyDemo): string {
  const [brand, ...competitors] = entities;
  const after = new Date(Date.parse(`${lastDay}T00:00:00Z`) + dayMs).toISOString();
  const timeRange = { from: `${firstDayOf(lastDay)}T00:00:00Z`, to: `${day(after)}T00:00:00Z` };
  const body = JSON.stringify({ interval: "monthly", filters: { timeRange } });
  const address = `${url}/v1/auth/accesskey/exchange`;
  const exchange = `curl -s -X POST ${address} -H 'Authorization: Bearer ${key}'`;
  const token = `$(${exchange} | sed 's/.*"sessionJwt":"\\([^"]*\\)".*/\\1/')`;
  return `listening on ${url}

The demo is ready: a year of answers about ${brand?.name} and ${competitors.length} competitors.
See it in the console (this link signs in once, within 10 minutes):

  ${link}

The whole interface on one page, to read and to try: ${url}/docs
API key: ${key}
It has every scope, and signs in to the console when the link no longer does.

Paste this to see how often each is mentioned, month by month:

  curl -s ${url}/v1/analytics/brands/mentions -H 'Content-Type: application/json' \\
    -H "Authorization: Bearer ${token}" \\
    -d '${body}'

  # The same as a chart, week by week:
  SIGHTLINE_URL=${url} SIGHTLINE_KEY=${key} \\
    ${launcher} query mentions --from ${day(timeRange.from)} --to ${day(timeRange.to)} --plot

Ctrl-C stops it.`;
}

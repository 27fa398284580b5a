import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { gzipSync, zstdCompressSync } from "node:zlib";
import {
  type Finished,
  printedDocument,
  type Serving,
  startCommand,
  startServing,
  stopped,
} from "@sightline/test-kit/command.ts";
import { runHosted } from "../command-host.ts";
import type { Page } from "./blocks.ts";
import { hostCommands } from "./hosted-commands.ts";
import { type StandInGrafana, startGrafana } from "./stand-in-grafana.ts";

/** A service that pages may ask, with a key and a session for it. */
export interface AskedService {
  /** Base address, such as http://127.0.0.1:41234. */
  readonly url: string;
  readonly key: string;
  readonly session: string;
}

/** What all pages share. */
export interface SharedServices {
  /** The three answers of docs/guide/start.md. */
  readonly acme: AskedService;
  /** The year of `sightline demo`. */
  readonly demo: AskedService;
  readonly grafana: StandInGrafana;
  /** A folder with `data` (acme's), `sightline-demo` and the files that pages name. */
  readonly template: string;
  /** The id of a key in the template's data. */
  readonly keyId: string;
  /** The socket of `hostCommands`. */
  readonly commands: string;
  readonly close: () => Promise<void>;
}

/** Makes the template and starts both services, through the real command. */
export async function startShared(folder: string, start: Page): Promise<SharedServices> {
  const template = join(folder, "template");
  mkdirSync(template);
  for (const [name, content] of filesOf(start)) writeFileSync(join(template, name), content);
  const madeDemo = startDemo(template).then(async ({ running }) => {
    // Pages copy it, so it must rest.
    await stopped(running);
    cpSync(join(template, "sightline-demo"), join(folder, "sightline-demo"), { recursive: true });
    return startDemo(folder);
  });
  const run = async (...parameters: string[]): Promise<Finished> => {
    const finished = await runHosted(parameters, { folder: template });
    if (finished.status !== 0) throw new Error(`${parameters[0]}: ${finished.stderr}`);
    return finished;
  };
  await run("apply", "workspace.yaml");
  await run("import", "answers.ndjson");
  const made = await run("keys", "create", "--name", "documents", "--json");
  const { key, keyId } = printedDocument<{ key: string; keyId: string }>(made);
  // The template's folders are copied by pages, so what is served is a copy as well.
  cpSync(join(template, "data"), join(folder, "served"), { recursive: true });
  const serving: Serving = await startServing(join(folder, "served"));
  const demo = await madeDemo;
  // The client's page records an answer, which a demo's own key may not.
  const scopes = ["--scope", "read,import", "--json"];
  const demoFolder = ["--data-dir", join(folder, "sightline-demo")];
  const recording = printedDocument<{ key: string }>(
    await run("keys", "create", ...scopes, ...demoFolder),
  );
  const grafana = await startGrafana();
  const commands = join(folder, "commands");
  const closeCommands = await hostCommands(commands);
  return {
    acme: await asked(serving.url, key),
    demo: await asked(demo.url, recording.key),
    grafana,
    template,
    keyId,
    commands,
    close: async () => {
      grafana.close();
      closeCommands();
      await Promise.all([stopped(serving), stopped(demo.running)]);
    },
  };
}

/** The year whose figures the pages show. */
const demoYear = ["--last-day", "2026-10-31"];

/** Starts `sightline demo` in a folder; resolves when it is ready. @throws when it ends first. */
async function startDemo(folder: string) {
  const running = startCommand(["demo", ...demoYear, "--port", "0", "--json"], {
    folder,
  });
  const ended = running.finished.then((finished): never => {
    throw new Error(`demo ended with status ${finished.status}:\n${finished.stderr}`);
  });
  ended.catch(() => undefined);
  const line = createInterface(running.process.stdout)[Symbol.asyncIterator]().next();
  const { value } = await Promise.race([line, ended]);
  const ready = JSON.parse(value ?? "") as { url: string; key: string };
  return { running, ...ready };
}

/** The files that the first guide makes, and those that other pages name. */
function filesOf(start: Page): ReadonlyMap<string, string | Buffer> {
  const files = new Map<string, string | Buffer>();
  for (const { text } of start.blocks) {
    for (const [, name = "", content = ""] of text.matchAll(
      /^cat > (\S+) <<'END'\n([\s\S]*?)^END$/gm,
    )) {
      files.set(name, content);
    }
  }
  const answers = String(files.get("answers.ndjson")).replaceAll("2026-01", "2026-02");
  files.set("more.ndjson.gz", gzipSync(answers));
  files.set("more.ndjson.zst", zstdCompressSync(answers));
  return files;
}

async function asked(url: string, key: string): Promise<AskedService> {
  const reply = await fetch(`${url}/v1/auth/accesskey/exchange`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
  });
  const { sessionJwt } = (await reply.json()) as { sessionJwt: string };
  return { url, key, session: sessionJwt };
}

/** Asks a service as a client would. */
export async function post(
  { url, session }: AskedService,
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const reply = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${session}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
}

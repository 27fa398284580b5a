import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Block, nameOf, type Page, root } from "./blocks.ts";
import { runHostedInShell } from "./hosted-commands.ts";
import type { AskedService, SharedServices } from "./served-pages.ts";

/** What the shell blocks of a page printed, by block. */
export type Printed = ReadonlyMap<Block, string>;

/** Pages that are about the demo's data; all others are about that of docs/guide/start.md. */
const demoPages = /terminal|mcp|other-tools|notebook|postman|packages\//;

/** The service that a page's snippets ask when they start none themselves. */
export function serviceOf({ path }: Pick<Page, "path">, shared: SharedServices): AskedService {
  return demoPages.test(path) ? shared.demo : shared.acme;
}

/**
 * Stands for `./sightline` in a page's folder. A server goes on in the background, as it would in
 * a terminal of its own, on the page's port, until another one or `rebuild` wants its place.
 */
const launcher = `#!/bin/sh
stop() {
  [ -f .server ] || return 0
  kill "$(cat .server)" 2>/dev/null || :
  while kill -0 "$(cat .server)" 2>/dev/null; do sleep 0.1; done
  rm -f .server
}
start() {
  stop
  "$LAUNCHER" "$@" --port "$PORT" >.server.out 2>.server.err &
  echo $! >.server
  until grep -q 'listening on' .server.out; do
    kill -0 "$(cat .server)" || { cat .server.err >&2; exit 1; }
    sleep 0.1
  done
  cat .server.out
  # The demo says what to paste into another terminal.
  sed -n '/^Paste this/,/^Ctrl-C/{//!p;}' .server.out >.pasted
  sh .pasted
  exit 0
}
case \${1:-} in
  stop) stop; exit 0 ;;
  rebuild) stop ;;
  serve | demo) case " $* " in *" --help "*) ;; *) start "$@" ;; esac ;;
esac
${runHostedInShell}`;

/** Their commands are processes, as they are for a reader. */
const realPages: readonly string[] = ["README.md", "docs/guide/start.md"];

/** Whether a page starts a server of its own. */
function startsServer(blocks: readonly Block[]): boolean {
  return blocks.some(({ text }) => /^\s*\.\/sightline (serve|demo)\b/m.test(text));
}

/** The address that stands for the service in documents. */
export const writtenAddress = /(127\.0\.0\.1|localhost):(8080|8090)\b/g;
/** The key id that stands for one of the reader's. */
const writtenKeyId = "3Fr0hfFBElNT1haq";

/** Runs a page's shell blocks in one shell, in order, in a folder of its own. */
export async function runShell(
  blocks: readonly Block[],
  { folder, shared }: { readonly folder: string; readonly shared: SharedServices },
): Promise<Printed> {
  const [first] = blocks;
  if (first === undefined) return new Map();
  // The folder is a clone's, as far as the commands see; some pages begin outside of it.
  const clone = join(folder, "sightline");
  mkdirSync(clone, { recursive: true });
  const makesOwn = blocks.some(({ text }) => text.includes("cat > workspace.yaml"));
  const leftOut = [
    ...(makesOwn ? ["data", "workspace.yaml", "answers.ndjson"] : []),
    ...(blocks.some(({ text }) => text.includes("./sightline demo")) ? [] : ["sightline-demo"]),
  ].map((name) => join(shared.template, name));
  cpSync(shared.template, clone, {
    recursive: true,
    filter: (source) => !leftOut.includes(source),
  });
  for (const name of ["deploy", "docs"]) symlinkSync(join(root, name), join(clone, name));
  writeFileSync(join(clone, "sightline"), launcher);
  chmodSync(join(clone, "sightline"), 0o755);
  const service = serviceOf({ path: first.page }, shared);
  const port = startsServer(blocks) ? await freePort() : Number(new URL(service.url).port);
  const script = ["set -eu"];
  for (const [index, { text }] of blocks.entries()) {
    const runs = text
      .replaceAll(writtenAddress, `127.0.0.1:${port}`)
      .replaceAll(writtenKeyId, shared.keyId);
    script.push(`{ :\n${runs}\n} >"$OUTPUTS/${index}.out" 2>"$OUTPUTS/${index}.err"`);
  }
  const outputs = join(folder, "outputs");
  mkdirSync(outputs);
  const beginsOutside = /^cd sightline$/m.test(first.text);
  const status = await runScript(script.join("\n"), beginsOutside ? folder : clone, {
    ...environmentOf(service),
    ...shared.grafana.environment,
    LAUNCHER: join(root, "sightline"),
    ...(realPages.includes(first.page) ? {} : { COMMANDS: shared.commands }),
    OUTPUTS: outputs,
    PORT: String(port),
    XDG_CONFIG_HOME: join(folder, "config"),
  });
  await runScript("./sightline stop", clone, {});
  const read = (name: string) =>
    existsSync(join(outputs, name)) ? readFileSync(join(outputs, name), "utf8") : null;
  if (status !== 0) {
    const last = blocks.findLastIndex((_, index) => read(`${index}.out`) !== null);
    const block = blocks[last] ?? first;
    throw new Error(
      `${nameOf(block)} ended with status ${status}:\n${block.text}\n` +
        `${read(`${last}.out`)}\n${read(`${last}.err`)}`,
    );
  }
  return new Map(
    blocks.map((block, index) => [block, `${read(`${index}.out`)}${read(`${index}.err`)}`]),
  );
}

/** What a snippet finds in its environment: the service, and a key and a session for it. */
export function environmentOf({ url, key, session }: AskedService): Record<string, string> {
  return {
    KEY: key,
    SESSION: session,
    SIGHTLINE_URL: url,
    SIGHTLINE_KEY: key,
  };
}

async function runScript(
  script: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<number | null> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(SIGHTLINE_|NODE_TEST|NODE_OPTIONS)/.test(name),
  );
  const child = spawn("sh", ["-c", script], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [status] = (await once(child, "exit")) as [number | null];
  return status;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

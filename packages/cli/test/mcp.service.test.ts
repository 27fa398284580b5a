import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, before, type TestContext, test } from "node:test";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { call, connectedClient } from "@sightline/test-kit/assistant.ts";
import { compileCache, runCommand } from "@sightline/test-kit/command.ts";
import { current, rpc, toolCall } from "@sightline/test-kit/mcp-messages.ts";
import { type AfterHook, startSample } from "@sightline/test-kit/sample-account.ts";

const main = join(import.meta.dirname, "../src/main.ts");
/** A folder without profiles. */
const HOME = "/nonexistent";

const hooks: (() => Promise<void>)[] = [];
const whole: AfterHook = { after: (hook) => void hooks.unshift(hook) };
let environment: { readonly SIGHTLINE_URL: string; readonly SIGHTLINE_KEY: string };
before(async () => {
  const { service, accountId } = await startSample(whole);
  const SIGHTLINE_KEY = await service.key(accountId);
  environment = { SIGHTLINE_URL: await service.listen(), SIGHTLINE_KEY };
});
after(async () => {
  for (const hook of hooks) await hook();
});

function assistant(t: TestContext, given: Record<string, string>) {
  const args = [main, "mcp"];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { HOME, NODE_COMPILE_CACHE: compileCache, ...given },
    stderr: "ignore",
  });
  return connectedClient(t, transport, "legacy");
}

test("the protocol's own client starts the command and calls tools", async (t) => {
  const client = await assistant(t, environment);
  assert.equal((await client.listTools()).tools.length, 9);
  const given = { period: "2026-01", metrics: ["visibility"] };
  const { text: gist, isError } = await call(client, "summary", given);
  assert.equal(isError, false);
  assert.equal(
    gist,
    "Acme: visibility 66.7 %; Globex: visibility 66.7 %; Initech: visibility 0.0 %. " +
      "Answers exist from 2026-01-05 to 2026-01-07, and at no other time.",
  );
});

/** The command, to be talked to by hand. */
function started(t: TestContext) {
  const env = { HOME, NODE_COMPILE_CACHE: compileCache, ...environment };
  const child = spawn(process.execPath, [main, "mcp"], { env });
  t.after(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? "null") as Reply;
  const say = (line: string) => child.stdin.write(`${line}\n`);
  return { child, next, say, stderr: text(child.stderr) };
}

interface Reply {
  readonly id: unknown;
  readonly result?: { readonly isError?: boolean; readonly content?: { text: string }[] };
  readonly error?: { readonly code: number };
}

async function exitOf(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  const [status] = await once(child, "exit");
  return status;
}

const hello = rpc("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "by hand", version: "1.0.0" },
});

test("standard output has messages alone; the rest is told on standard error", async (t) => {
  const { child, next, say, stderr } = started(t);
  say(JSON.stringify(hello));
  assert.equal((await next()).id, 1);
  say("this is not a message");
  say(JSON.stringify([rpc("tools/list")]));
  say('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"__proto__"}}');
  assert.equal((await next()).error?.code, -32602);
  say(JSON.stringify(toolCall("time_series", { metric: 7 })));
  const refused = await next();
  assert.equal(refused.result?.isError, true);
  assert.match(refused.result.content?.[0]?.text ?? "", /must be visibility, .*, got 7/);
  const exited = exitOf(child);
  child.stdin.end();
  assert.equal(await exited, 0);
  assert.equal(await next(), null, "nothing else was written");
  const said = (await stderr).trimEnd().split("\n");
  assert.ok(said.length >= 1);
  for (const line of said)
    assert.match(line, /^sightline: a message from the assistant was rejected: /);
});

test("an assistant may close standard error: its tools go on", async (t) => {
  const { child, next, say, stderr } = started(t);
  stderr.catch(() => undefined);
  child.stderr.destroy();
  say(JSON.stringify(hello));
  assert.equal((await next()).id, 1);
  say(JSON.stringify([rpc("tools/list")])); // a batch, which is told on standard error
  say(JSON.stringify({ ...rpc("ping"), id: 2 }));
  assert.equal((await next()).id, 2);
  say(JSON.stringify({ ...rpc("ping"), id: 3 }));
  assert.equal((await next()).id, 3);
  const exited = exitOf(child);
  child.stdin.end();
  assert.equal(await exited, 0);
});

test("revision 2026-07-28; a message above 1 MiB ends the connection", async (t) => {
  const { child, next, say, stderr } = started(t);
  say(JSON.stringify(current(toolCall("explain_metric", { metric: "rank" }))));
  assert.match((await next()).result?.content?.[0]?.text ?? "", /^rank: Mean rank/);
  child.stdin.on("error", () => undefined);
  const exited = exitOf(child);
  say(`"${"a".repeat(1_100_000)}"`);
  assert.equal(await exited, 1);
  assert.match(await stderr, /rejected: .*1048576.*\n.* was lost\.\n$/);
});

test("without a key it does not start: status 2, one line, no output", async () => {
  const { status, stdout, stderr } = await runCommand(["mcp"], { environment: { HOME } });
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /^sightline: No API key is set\. .*sightline keys create\n$/);
});

test("a service that is not there, and a key that is refused, are the tool's error", async (t) => {
  const wrongKey = `sl_${"0".repeat(54)}`;
  const refusals = [
    [{ ...environment, SIGHTLINE_KEY: wrongKey }, /API key of this tool must be replaced/],
    [{ ...environment, SIGHTLINE_URL: "http://127.0.0.1:9" }, /could not be reached\. Tell the us/],
  ] as const;
  const clients = await Promise.all(refusals.map(([given]) => assistant(t, given)));
  for (const [index, client] of clients.entries()) {
    const { isError, text: error } = await call(client, "describe_workspace");
    assert.equal(isError, true);
    assert.match(error, refusals[index]?.[1] ?? /^$/);
    assert.ok(!error.includes(wrongKey));
  }
});

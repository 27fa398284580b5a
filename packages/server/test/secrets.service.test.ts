import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { printedDocument, runCommand, startServing, stopped } from "@sightline/test-kit/command.ts";
import { type LogLine, recordedLog } from "@sightline/test-kit/recorded-log.ts";
import {
  type AfterHook,
  sampleAnswers,
  sampleRange,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { backup } from "../src/operations/backup/backup.ts";
import { serviceApp } from "../src/server.ts";

const mentions = "/v1/analytics/brands/mentions";
const exchangePath = "/v1/auth/accesskey/exchange";
const question = { interval: "daily", filters: { timeRange: sampleRange } };
/** What no line at info or above may show. */
const privateTexts = ["Which storage?", "Take Globex", "It depends.", "good at hosting"];
const infoLevel = 30;

interface Given {
  readonly key: string;
  readonly token: string;
  /** Of a webhook, if there is one. */
  readonly hook?: string;
  /** Of a vendor, if one is stored. */
  readonly vendor?: string;
}

type Ask = (method: "GET" | "POST" | "PUT", path: string, options: AskOptions) => Promise<Asked>;

interface AskOptions {
  readonly token?: string;
  readonly body?: object | string;
}

interface Asked {
  readonly status: number;
  readonly body: string;
}

/** Asks well and badly, with the secrets in every place where a client may put them. */
async function useSecrets(ask: Ask, key: string): Promise<Given> {
  const exchanged = await ask("POST", exchangePath, { token: key });
  assert.equal(exchanged.status, 200, exchanged.body);
  const { sessionJwt: token } = JSON.parse(exchanged.body) as { readonly sessionJwt: string };
  const good = await ask("POST", mentions, { token, body: question });
  assert.equal(good.status, 200, good.body);
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  assert.equal((await ask("POST", "/mcp", { token: key, body: list })).status, 200);
  const refused: readonly (readonly ["GET" | "POST", string, AskOptions])[] = [
    ["POST", "/mcp", { token: `${key.slice(0, -1)}!`, body: list }],
    ["POST", `/mcp?key=${key}`, { token: `${token}x`, body: [list, key, token] }],
    ["POST", exchangePath, { token: `sightline:${key}x` }],
    ["POST", exchangePath, { token: `${key.slice(0, -1)}!` }],
    ["POST", exchangePath, { token }],
    ["POST", mentions, { token: key, body: question }],
    ["POST", mentions, { token: `${token.slice(0, -9)}AAAAAAAAA`, body: question }],
    ["POST", `${mentions}/${key}/${token}`, { token, body: question }],
    ["GET", `/docs/errors/${key}`, { token }],
    ["GET", `${mentions}?key=${key}&token=${token}`, { token }],
    ["POST", mentions, { token, body: `${key}${token}` }],
  ];
  for (const [method, path, options] of refused) {
    const { status, body } = await ask(method, path, options);
    assert.ok(status >= 400 && status < 500, `${path}: ${status} ${body}`);
  }
  const unknown = { ...question, [key]: token, interval: token };
  assert.equal((await ask("POST", mentions, { token, body: unknown })).status, 400);
  assert.equal((await ask("POST", `${exchangePath}?${key}`, { token: key })).status, 200);
  return { key, token };
}

/** Stores a vendor's credential, and sends it where it is refused. */
async function storeCredential(
  url: string,
  { managing, vendor }: { readonly managing: string; readonly vendor: string },
): Promise<void> {
  const exchanged = await fetch(`${url}${exchangePath}`, {
    method: "POST",
    headers: { authorization: `Bearer ${managing}` },
  });
  const { sessionJwt } = (await exchanged.json()) as { readonly sessionJwt: string };
  const bodies = [{ credential: vendor }, { credential: [vendor] }, { key: vendor }, vendor];
  const statuses: number[] = [];
  for (const body of bodies) {
    const reply = await fetch(`${url}/v1/collection/credentials/openai`, {
      method: "PUT",
      headers: { authorization: `Bearer ${sessionJwt}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    statuses.push(reply.status);
    assert.ok(!(await reply.text()).includes(vendor));
  }
  assert.deepEqual(statuses, [200, 400, 400, 400]);
}

/** The ways in which bytes may hold a secret. */
function needlesOf({ key, token, hook, vendor }: Given): Readonly<Record<string, Buffer>> {
  const secret = key.slice(3 + 16, -6);
  const [, payload = "", signature = ""] = token.split(".");
  const own = hook === undefined ? {} : { hook: hook.slice("whsec_".length) };
  const ofVendor = vendor === undefined ? {} : { "credential of a vendor": vendor };
  const texts = { key, secret, token, payload, signature, ...own, ...ofVendor };
  const needles = Object.entries(texts).flatMap(([what, text]) => [
    [what, Buffer.from(text)] as const,
    [`${what} in UTF-16`, Buffer.from(text, "utf16le")] as const,
    [`${what} in hexadecimal`, Buffer.from(Buffer.from(text).toString("hex"))] as const,
    ...base64Of(what, text),
  ]);
  const signed = Buffer.from(signature, "base64url");
  const bytes = Buffer.from(own.hook ?? signature, own.hook === undefined ? "base64url" : "base64");
  return Object.fromEntries([
    ...needles,
    ["the signature's bytes", signed],
    ["the bytes of a webhook's secret", bytes],
  ]);
}

/** Base64 of a text that stands at any place of what was encoded. */
function base64Of(what: string, text: string): readonly (readonly [string, Buffer])[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    return (["base64", "base64url"] as const).map((encoding) => {
      // The first and last letters also hold bits of the neighbours.
      const inner = bytes.toString(encoding).replace(/=+$/, "").slice(4, -2);
      return [`${what} in ${encoding}, ${before} bytes in`, Buffer.from(inner)] as const;
    });
  });
}

type Haystack = Readonly<Record<string, Buffer>>;

function assertNoneIn(haystack: Haystack, needles: Readonly<Record<string, Buffer>>): void {
  for (const [place, bytes] of Object.entries(haystack)) {
    for (const [what, needle] of Object.entries(needles)) {
      assert.ok(needle.length >= 16 && bytes.indexOf(needle) < 0, `${place} holds the ${what}`);
    }
  }
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function bytesOf(folder: string): Haystack {
  return Object.fromEntries(filesOf(folder).map((path) => [path, readFileSync(path)]));
}

/** Asserts that a folder made by the command, and all in it, is its owner's alone. */
function assertPrivate(folder: string, after: string): void {
  const inside = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const path of [folder, ...inside.map((name) => join(folder, name))]) {
    const { mode } = statSync(path);
    assert.equal(mode & 0o077, 0, `${path} after ${after}: ${(mode & 0o777).toString(8)}`);
  }
}

function assertNoPrivateText(lines: readonly LogLine[]): void {
  const shown = lines.filter(({ level }) => Number(level) >= infoLevel);
  assert.ok(shown.length > 5, "there is a log");
  const text = JSON.stringify(shown);
  for (const each of privateTexts) assert.ok(!text.includes(each), each);
}

function place(t: AfterHook): string {
  const folder = temporaryFolder();
  t.after(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("the real command leaves no secret behind, and its files to its owner alone", async (t) => {
  const folder = place(t);
  const dataDir = join(folder, "data");
  const run = async (...parameters: string[]) => {
    const finished = await runCommand([...parameters, "--data-dir", dataDir]);
    assert.equal(finished.status, 0, finished.stderr);
    assertPrivate(dataDir, parameters[0] ?? "");
    return finished;
  };
  const [workspace, answers] = [join(folder, "workspace.json"), join(folder, "answers.ndjson")];
  writeFileSync(workspace, JSON.stringify(sampleWorkspace));
  writeFileSync(answers, sampleAnswers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));
  await run("apply", workspace);
  await run("import", answers);
  const made = await run("keys", "create", "--json");
  const { key } = printedDocument<{ readonly key: string }>(made);
  const manages = await run("keys", "create", "--scope", "manage", "--json");
  const { key: managing } = printedDocument<{ readonly key: string }>(manages);
  const hooked = await run("hooks", "create", "https://hooks.example.com/", "--json");
  const { secret: hook } = printedDocument<{ readonly secret: string }>(hooked);

  const serving = await startServing(dataDir, { parameters: ["--log-level", "trace"] });
  const given = await useSecrets(async (method, path, { token, body }) => {
    const reply = await fetch(`${serving.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: typeof body === "object" ? JSON.stringify(body) : (body ?? null),
    });
    return { status: reply.status, body: await reply.text() };
  }, key);
  const vendor = "a-vendor's-secret-key-1234567890";
  await storeCredential(serving.url, { managing, vendor });
  assertPrivate(dataDir, "serve");
  const file = join(folder, "backup.tar.zst");
  await run("backup", file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const haystack = {
    ...bytesOf(dataDir), // with the write-ahead logs
    metrics: Buffer.from(await (await fetch(`${serving.url}/metrics`)).text()),
    backup: zstdDecompressSync(readFileSync(file)),
  };
  assert.ok(Object.keys(haystack).some((path) => path.endsWith("-wal")));
  const { stderr: log } = await stopped(serving);
  assertPrivate(dataDir, "the end of serve");
  const needles = needlesOf({ ...given, hook, vendor });
  assertNoneIn({ ...haystack, log: Buffer.from(log) }, needles);
  assertNoneIn(bytesOf(dataDir), needles);
  assert.ok(haystack.metrics.length > 1_000 && haystack.backup.includes("SQLite format 3"));
  assertNoPrivateText(
    log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as LogLine),
  );
  const pepper = readFileSync(join(dataDir, "pepper"));
  for (const told of [haystack.metrics, Buffer.from(log)]) {
    for (const encoding of ["latin1", "hex", "base64", "base64url"] as const) {
      assert.ok(!told.includes(pepper.toString(encoding)), `the pepper in ${encoding}`);
    }
    assert.ok(!told.includes('"d":') && !told.includes("privateKey"), "a signing key");
  }
});

test("a failure within the service logs no secret, no prompt and no answer", async (t) => {
  const { service, accountId } = await startSample(t);
  const { logger, lines } = recordedLog();
  const app = serviceApp({ ...service.services, logger });
  t.after(() => app.close());
  const ask: Ask = async (method, path, { token, body }) => {
    const reply = await app.inject({
      method,
      url: path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: reply.statusCode, body: reply.body };
  };
  const given = await useSecrets(ask, await service.key(accountId));
  await service.services.control.close(); // what a lost disk does
  const failed = await ask("POST", mentions, { token: given.token, body: question });
  assert.equal(failed.status, 500, failed.body);
  const lost = await ask("POST", exchangePath, { token: given.key });
  assert.equal(lost.status, 500, lost.body);
  const file = join(place(t), "backup.tar.zst");
  await backup(service.services.folder, file, service.clock);
  const failures = lines.filter(({ level }) => Number(level) > infoLevel);
  assert.ok(failures.length >= 2);
  assertNoPrivateText(lines);
  assertNoneIn(
    {
      log: Buffer.from(JSON.stringify(lines)),
      replies: Buffer.from(failed.body + lost.body),
      backup: zstdDecompressSync(readFileSync(file)),
      ...bytesOf(service.services.folder.root),
    },
    needlesOf(given),
  );
});

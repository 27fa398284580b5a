import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { compileCache } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { startAskedService } from "./asked-service.ts";
import { type RunOptions, run } from "./run-in-process.ts";

const asked = await startAskedService();
after(() => asked.service.close());
const main = join(import.meta.dirname, "../src/main.ts");

function folderOf(t: TestContext) {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (profile: string) => join(folder, "sightline", "profiles", `${profile}.json`);
  const sightline = (line: string, options: RunOptions = {}) =>
    run(line.split(" "), {
      ...options,
      environment: { XDG_CONFIG_HOME: folder, ...options.environment },
    });
  return { folder, file, sightline };
}

const january = "--from 2026-01-05 --to 2026-01-08";

test("login takes the key from standard input; then questions need nothing else", async (t) => {
  const { file, sightline } = folderOf(t);
  // As keys create prints it.
  const input = `\n${asked.key}\n\nKey x of account y, valid without expiry.\n`;
  const login = await sightline(`login --url ${asked.url}/`, { input });
  const path = file("default");
  assert.deepEqual(login, {
    status: 0,
    stdout: `${asked.url} accepted the key; it is stored in ${path}. The brand is Acme.\n`,
    stderr: "",
  });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { url: asked.url, key: asked.key });
  const { status, stdout } = await sightline(`query mentions ${january}`);
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).series[0].name, "Acme");
});

test("several profiles, from flags and the environment, in JSON", async (t) => {
  const { file, sightline } = folderOf(t);
  const work = await sightline(`login --profile work --url ${asked.url} --key ${asked.key} --json`);
  const document = { profile: "work", url: asked.url, file: file("work"), brand: "Acme" };
  assert.deepEqual(JSON.parse(work.stdout), document);
  const environment = { SIGHTLINE_URL: asked.url, SIGHTLINE_KEY: asked.key };
  await sightline("login", { environment: { ...environment, SIGHTLINE_PROFILE: "other" } });
  assert.ok(existsSync(file("other")) && !existsSync(file("default")));
  assert.equal((await sightline(`query rank ${january}`)).status, 2);
  assert.equal((await sightline(`query rank ${january} --profile other`)).status, 0);

  assert.deepEqual(await sightline("logout --profile work"), {
    status: 0,
    stdout:
      `${file("work")} was removed. The key stays valid until it is revoked: ` +
      "sightline keys revoke\n",
    stderr: "",
  });
  const again = await sightline("logout --profile work --json");
  assert.equal(again.status, 2);
  assert.deepEqual(JSON.parse(again.stdout), {
    error: { message: 'There is no profile "work". Profiles: other.' },
  });
});

test("what the service refuses is not stored, and what was there stays", async (t) => {
  const { file, sightline } = folderOf(t);
  await sightline(`login --url ${asked.url}`, { input: asked.key });
  const before = readFileSync(file("default"), "utf8");
  const wrong = asked.wrongKey;
  const refused = await sightline("login", { input: wrong });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /rejected the key/);
  assert.ok(!refused.stderr.includes(wrong));
  for (const input of ["", "\n\n", "two words", "x".repeat(10_000)]) {
    const { status, stderr } = await sightline("login", { input });
    assert.equal(status, 2);
    assert.match(stderr, /standard input: not an API key/);
  }
  assert.equal(readFileSync(file("default"), "utf8"), before);
});

test("a key on its way in the clear is said", async (t) => {
  const { sightline } = folderOf(t);
  const { stderr } = await sightline("login --url http://sightline.invalid", { input: "sl_x" });
  assert.match(
    stderr,
    /^sightline: http:\/\/sightline\.invalid is plain HTTP: the key is sent unencrypted/,
  );
});

/** Runs `login` on a terminal, and types each answer once its question is shown. */
async function typedLogin(
  folder: string,
  typed: readonly (readonly [question: RegExp, answer: string])[],
): Promise<{ readonly status: unknown; readonly shown: string }> {
  const command = `${process.execPath} ${main} login`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: compileCache,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      TERM: "xterm",
    },
    stdio: ["pipe", "pipe", "inherit"],
    timeout: 30_000, // it waits for ever when a question does not come
  });
  let shown = "";
  let step = 0;
  child.stdout.on("data", (data: Buffer) => {
    shown += data.toString();
    const [question, answer] = typed[step] ?? [];
    if (question === undefined || !question.test(shown)) return;
    step += 1;
    child.stdin.write(answer);
  });
  const [status] = await once(child, "close");
  return { status, shown };
}

test("on a terminal it asks, and never shows the key", async (t) => {
  const { folder, file } = folderOf(t);
  const { shown } = await typedLogin(folder, [
    // The proposed address is taken away first.
    [/Address of the service/, "\u0015elsewhere\r"],
    [/invalid address[\s\S]+Address of the service/, `\u0015${asked.url}\r`],
    [/API key/, "two words\r"],
    [/not an API key[\s\S]+API key/, `${asked.key}\r`],
  ]);
  assert.match(shown, /accepted the key; it is stored in/);
  assert.deepEqual(JSON.parse(readFileSync(file("default"), "utf8")), {
    url: asked.url,
    key: asked.key,
  });
  for (let length = asked.key.length; length >= 8; length--) {
    assert.ok(!shown.includes(asked.key.slice(-length)), `the key's last ${length} are shown`);
  }
});

test("Ctrl-C and Ctrl-D at a question store nothing", async (t) => {
  const { folder, file } = folderOf(t);
  for (const sign of ["\u0003", "\u0004"]) {
    const { status, shown } = await typedLogin(folder, [
      [/Address of the service/, `\u0015${asked.url}\r`],
      [/API key/, sign],
    ]);
    assert.equal(status, 1);
    assert.match(shown, /Cancelled; nothing was stored\./);
  }
  assert.ok(!existsSync(file("default")));
});

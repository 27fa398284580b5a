import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makePepper, readPepper } from "./pepper.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "sightline-pepper-"));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

test("32 random bytes, the same at each call, in a file for its owner alone", (t) => {
  const at = folder(t);
  assert.equal(readPepper(join(at, "pepper")), null, "reading makes none");
  const pepper = makePepper(join(at, "pepper"));
  assert.equal(pepper.length, 32);
  assert.deepEqual(readPepper(join(at, "pepper")), pepper);
  assert.deepEqual(makePepper(join(at, "pepper")), pepper);
  assert.deepEqual(readFileSync(join(at, "pepper")).subarray(0, 32), pepper);
  assert.equal(statSync(join(at, "pepper")).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(at), ["pepper"]);
  assert.notDeepEqual(makePepper(join(folder(t), "pepper")), pepper);
});

test("a damaged pepper is refused: keys are not hashed under another, or nothing", (t) => {
  const path = join(folder(t), "pepper");
  makePepper(path);
  const file = readFileSync(path);
  for (const at of file.keys()) {
    writeFileSync(
      path,
      file.map((byte, place) => (place === at ? byte ^ 1 : byte)),
    );
    assert.throws(() => readPepper(path), /pepper is damaged/);
  }
});

test("a file of another length is not a pepper", (t) => {
  for (const bytes of [0, 32, 35, 37]) {
    const path = join(folder(t), "pepper");
    writeFileSync(path, Buffer.alloc(bytes, 1));
    assert.throws(() => readPepper(path), /pepper is damaged/);
    assert.equal(statSync(path).size, bytes);
  }
});

test("processes that make it at the same time all get the same", async (t) => {
  const at = folder(t);
  const pepper = join(import.meta.dirname, "pepper.ts");
  const program = `
    import { makePepper, readPepper } from ${JSON.stringify(pepper)};
    process.stdout.write("ready");
    process.stdin.once("data", () => {
      process.stdout.write(makePepper(${JSON.stringify(join(at, "pepper"))}).toString("hex"));
      process.stdin.unref();
    });`;
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  await Promise.all(children.map(({ stdout }) => once(stdout, "data")));
  const seen = children.map(async (child) => {
    const [bytes] = await once(child.stdout, "data");
    child.stdin.end();
    return String(bytes);
  });
  for (const { stdin } of children) stdin.write("go");
  const peppers = await Promise.all(seen);
  const closed = children.map((child) => child.exitCode ?? once(child, "exit"));
  await Promise.all(closed);
  assert.deepEqual(new Set(peppers), new Set([readPepper(join(at, "pepper"))?.toString("hex")]));
  assert.deepEqual(readdirSync(at), ["pepper"]);
});

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { isReadableOnTheWay } from "./address.ts";
import { type ConnectionOptions, connectionOf } from "./connection.ts";
import { writeProfile } from "./profile-file.ts";

const home = { url: "https://home.example", key: "sl_home" };
const work = { url: "https://work.example/base", key: "sl_work" };

async function withProfiles(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "sightline-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const XDG_CONFIG_HOME = folder;
  await writeProfile("default", home, { XDG_CONFIG_HOME });
  await writeProfile("work", work, { XDG_CONFIG_HOME });
  return (options: ConnectionOptions, environment: Readonly<Record<string, string>> = {}) =>
    connectionOf(options, {
      environment: { XDG_CONFIG_HOME, ...environment },
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      now: () => 0,
    });
}

test("flags before the environment before the profile", async (t) => {
  const asked = await withProfiles(t);
  const outside = { SIGHTLINE_URL: "https://out.example/", SIGHTLINE_KEY: "sl_out" };
  assert.deepEqual(await asked({}), home);
  assert.deepEqual(await asked({}, outside), { url: "https://out.example", key: "sl_out" });
  assert.deepEqual(await asked({ key: "sl_flag" }, outside), {
    url: "https://out.example",
    key: "sl_flag",
  });
  assert.deepEqual(await asked({ key: "sl_flag" }), { ...home, key: "sl_flag" });
  assert.deepEqual(await asked({}, { SIGHTLINE_KEY: "sl_out" }), { ...home, key: "sl_out" });
  assert.deepEqual(await asked({}, { SIGHTLINE_PROFILE: "work" }), work);
});

test("a profile that a flag names goes before the environment", async (t) => {
  const asked = await withProfiles(t);
  const outside = { SIGHTLINE_URL: "https://out.example", SIGHTLINE_KEY: "sl_out" };
  assert.deepEqual(await asked({ profile: "work" }, outside), work);
  assert.deepEqual(await asked({ profile: "work", key: "sl_flag" }, outside), {
    ...work,
    key: "sl_flag",
  });
});

test("a profile's key goes to no other service", async (t) => {
  const asked = await withProfiles(t);
  const message =
    "The profile's key is for https://home.example and is not sent to https://evil.example. " +
    "Give that service's key in SIGHTLINE_KEY, or create a profile: " +
    "sightline login --profile NAME --url https://evil.example";
  await assert.rejects(asked({ url: "https://evil.example" }), { exitStatus: 2, message });
  await assert.rejects(asked({}, { SIGHTLINE_URL: "https://evil.example" }), { message });
  await assert.rejects(asked({ url: "http://home.example" }), /is not sent to/);
  const path = { url: "https://home.example/v2", key: "sl_home" };
  assert.deepEqual(await asked({ url: "https://home.example/v2/" }), path);
});

test("no key, an unknown profile, an address and a key that are none", async (t) => {
  const asked = await withProfiles(t);
  const nowhere = { XDG_CONFIG_HOME: "/nowhere" };
  await assert.rejects(asked({}, nowhere), { exitStatus: 2, message: /^No API key is set\./ });
  assert.deepEqual(await asked({ key: "sl_flag" }, nowhere), {
    url: "http://127.0.0.1:8080",
    key: "sl_flag",
  });
  await assert.rejects(asked({ profile: "wrk" }), {
    message: 'There is no profile "wrk". Did you mean work?',
  });
  await assert.rejects(asked({ profile: "other" }), {
    message: 'There is no profile "other". Profiles: default, work.',
  });
  await assert.rejects(asked({ profile: "wrk" }, nowhere), {
    message: 'There is no profile "wrk". There are none yet. Create one: sightline login',
  });
  for (const url of ["", "home", "ftp://a.example", "https://a.example?b", "https://a.example#b"]) {
    await assert.rejects(
      asked({ url, key: "k" }),
      /^CommandError: --url: invalid address ".*Use an http/,
    );
  }
  await assert.rejects(asked({ url: "https://a:secret@b.example" }), (error) => {
    assert.doesNotMatch(String(error), /secret/);
    return true;
  });
  for (const key of ["", "sl secret", "sl_secrét", "sl_secret\n", "x".repeat(1_001)]) {
    await assert.rejects(asked({}, { SIGHTLINE_KEY: key }), (error) => {
      assert.match(String(error), /SIGHTLINE_KEY: not an API key/);
      return !/secr/.test(String(error));
    });
  }
});

test("plain HTTP beyond this machine can be read on the way", () => {
  for (const here of [
    "http://127.0.0.1:8080",
    "http://localhost",
    "http://[::1]:1",
    "https://a.b",
  ]) {
    assert.equal(isReadableOnTheWay(here), false, here);
  }
  for (const there of [
    "http://10.0.0.1",
    "http://localhost.evil.example",
    "http://127.0.0.1.x.y",
  ]) {
    assert.equal(isReadableOnTheWay(there), true, there);
  }
});

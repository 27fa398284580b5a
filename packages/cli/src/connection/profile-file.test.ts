import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { profilePath, readProfile, removeProfile, writeProfile } from "./profile-file.ts";

const profile = { url: "https://sightline.example", key: "sl_secret" };

function environmentOf(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "sightline-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return { XDG_CONFIG_HOME: join(folder, "config"), HOME: folder };
}

test("where it is: XDG_CONFIG_HOME when it is absolute, else ~/.config", () => {
  const end = ".config/sightline/profiles/work.json";
  assert.equal(
    profilePath("work", { XDG_CONFIG_HOME: "/etc/x", HOME: "/a" }),
    "/etc/x/sightline/profiles/work.json",
  );
  for (const given of ["", "config", "./config"]) {
    assert.equal(profilePath("work", { XDG_CONFIG_HOME: given, HOME: "/a" }), `/a/${end}`);
  }
});

for (const name of ["", "../x", "a/b", ".hidden", "Work", "a b", "a".repeat(64)]) {
  test(`no name of a profile: ${JSON.stringify(name)}`, () => {
    assert.throws(() => profilePath(name, {}), /Use up to 63 lower-case letters/);
  });
}

test("it is written for its owner alone, whole, and read back", async (t) => {
  const environment = environmentOf(t);
  assert.equal(await readProfile("work", environment), null);
  for (const url of ["https://before.example", profile.url]) {
    const path = await writeProfile("work", { ...profile, url }, environment);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(dirname(path)), ["work.json"]);
    assert.deepEqual(await readProfile("work", environment), { ...profile, url });
  }
});

test("concurrent writers leave one complete profile, never a mixture", async (t) => {
  const environment = environmentOf(t);
  const urls = Array.from({ length: 20 }, (_, number) => `https://${number}.example`);
  await Promise.all(urls.map((url) => writeProfile("work", { url, key: url }, environment)));
  const read = await readProfile("work", environment);
  assert.ok(urls.includes(read?.url ?? ""));
  assert.equal(read?.key, read?.url);
});

for (const mode of [0o640, 0o604, 0o660, 0o644, 0o620]) {
  test(`one of mode ${mode.toString(8)} is not used`, async (t) => {
    const environment = environmentOf(t);
    const path = await writeProfile("work", profile, environment);
    chmodSync(path, mode);
    await assert.rejects(readProfile("work", environment), {
      exitStatus: 1,
      message:
        `${path} holds a key but is open to other users (mode ${mode.toString(8)}), so it is not ` +
        `used. Run: chmod 600 ${path}. If another user may have read it, revoke the key.`,
    });
  });
}

test("a file that is not a profile is rejected without showing its text", async (t) => {
  const environment = environmentOf(t);
  const path = profilePath("work", environment);
  mkdirSync(dirname(path), { recursive: true });
  const contents = [
    "",
    "sl_secret",
    '{"url":"https://a.example","key":',
    '{"url":1,"key":2}',
    "[]",
  ];
  for (const content of contents) {
    writeFileSync(path, content, { mode: 0o600 });
    const message = `${path} is not a valid profile. Recreate it: sightline login`;
    await assert.rejects(readProfile("work", environment), { message });
  }
  writeFileSync(path, JSON.stringify({ url: "https://a:sl_secret@b.example", key: "sl_secret" }));
  await assert.rejects(
    readProfile("work", environment),
    (error) => !`${error}`.includes("sl_secret"),
  );
});

test("it is removed once", async (t) => {
  const environment = environmentOf(t);
  const path = await writeProfile("work", profile, environment);
  assert.match(readFileSync(path, "utf8"), /sl_secret/);
  assert.equal(await removeProfile("work", environment), path);
  assert.equal(await removeProfile("work", environment), null);
  assert.equal(await readProfile("work", environment), null);
});

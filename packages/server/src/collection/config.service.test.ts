import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { inspect } from "node:util";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";
import { Credentials, credentialSettings, readCredentials } from "./config.ts";

function fileWith(t: TestContext, content: string): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "secret");
  writeFileSync(path, content);
  return path;
}

test("a vendor's credential comes from its variable, or from the file that it names", (t) => {
  const { credentials, faults } = readCredentials({
    SIGHTLINE_OPENAI_KEY: "sk-openai-secret",
    SIGHTLINE_XAI_KEY: "",
    SIGHTLINE_DATAFORSEO_LOGIN_FILE: fileWith(t, "me@example.com:pass-word\n"),
    SIGHTLINE_SERPAPI_KEY_FILE: fileWith(t, "serpapi-secret\r\n"),
    SIGHTLINE_CLORO_KEY_FILE: "",
  });
  assert.deepEqual(faults, []);
  assert.deepEqual(credentials.vendors, ["openai", "dataforseo", "serpapi"]);
  assert.equal(credentials.of("openai"), "sk-openai-secret");
  assert.equal(credentials.of("dataforseo"), "me@example.com:pass-word");
  assert.equal(credentials.of("serpapi"), "serpapi-secret");
  assert.equal(credentials.of("xai"), null);
});

test("a fault names its variable and the allowed values, and never the secret", (t) => {
  const twoLines = fileWith(t, "secret-one\nsecret-two\n");
  const { credentials, faults } = readCredentials({
    SIGHTLINE_OPENAI_KEY: "secret-one",
    SIGHTLINE_OPENAI_KEY_FILE: "/secret-two",
    SIGHTLINE_ANTHROPIC_KEY: "secret one",
    SIGHTLINE_GEMINI_KEY_FILE: "/absent/file",
    SIGHTLINE_PERPLEXITY_KEY: "secret",
    SIGHTLINE_XAI_KEY: "x".repeat(4_097),
    SIGHTLINE_DATAFORSEO_LOGIN: "secret-without-login",
    SIGHTLINE_SERPAPI_KEY_FILE: twoLines,
    SIGHTLINE_CLORO_KEY: "sëcret-with-ümlaut",
  });
  const ascii =
    "the credential has spaces, newlines or characters that are not ASCII. " +
    "Expected: visible ASCII characters.";
  assert.deepEqual(faults, [
    "SIGHTLINE_OPENAI_KEY and SIGHTLINE_OPENAI_KEY_FILE are set. Set one.",
    `SIGHTLINE_ANTHROPIC_KEY: ${ascii}`,
    'SIGHTLINE_GEMINI_KEY_FILE: the file "/absent/file" cannot be read (ENOENT).',
    "SIGHTLINE_PERPLEXITY_KEY: the credential has 6 characters. Expected: 8 to 4096 characters.",
    "SIGHTLINE_XAI_KEY: the credential has 4097 characters. Expected: 8 to 4096 characters.",
    "SIGHTLINE_DATAFORSEO_LOGIN: invalid value. Expected: login:password.",
    `SIGHTLINE_SERPAPI_KEY_FILE: ${ascii}`,
    `SIGHTLINE_CLORO_KEY: ${ascii}`,
  ]);
  assert.deepEqual(credentials.vendors, []);
  for (const fault of faults) assert.ok(!/secret-|secret o/.test(fault), fault);
});

test("secrets are neither logged, written as JSON nor sent to a thread by accident", () => {
  const credentials = new Credentials({ openai: "sk-very-secret", dataforseo: "me:password1" });
  const shown = [
    ...[JSON.stringify({ credentials }), String(credentials), inspect(credentials)],
    inspect(credentials, { showHidden: true, depth: 9 }),
    JSON.stringify(structuredClone({ ...credentials })),
  ];
  for (const text of shown) assert.ok(!/sk-very|password1/.test(text), text);
  const again = new Credentials(credentials.forThread());
  assert.deepEqual(again.vendors, ["openai", "dataforseo"]);
  assert.equal(again.of("dataforseo"), "me:password1");
});

test("no text keeps a secret, neither as it is nor as it is sent", () => {
  const secret = fc.stringMatching(/^[\x21-\x7e]{8,40}$/);
  fc.assert(
    fc.property(secret, secret, fc.string(), (key, password, around) => {
      const login = `me@example.com:${password.replaceAll(":", "x")}`;
      const credentials = new Credentials({ openai: key, dataforseo: login });
      const basic = Buffer.from(login).toString("base64");
      const sent = [key, encodeURIComponent(key), JSON.stringify(key), basic, login];
      const shown = credentials.hideSecrets(sent.map((each) => `${around}<${each}>`).join(" "));
      for (const each of [key, encodeURIComponent(key), basic, login]) {
        assert.ok(!shown.includes(each) || "***".includes(each), `${each} in ${shown}`);
      }
    }),
  );
  assert.equal(new Credentials({}).hideSecrets("as it is"), "as it is");
});

test("every vendor has a variable and its file's", () => {
  const variables = credentialSettings.flatMap((each) => [each.environment, each.fileEnvironment]);
  assert.equal(variables.length, 18);
  assert.ok(variables.includes("SIGHTLINE_DATAFORSEO_LOGIN_FILE"));
});

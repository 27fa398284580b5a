import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { ConfigError, changedSettings, readConfig, secretSettings, settings } from "./config.ts";

const postgresUrl = "postgres://user:secret@db:5432/sightline";
const clickhouseUrl = "http://user:secret@a:8123/sightline,http://user:secret@b:8123/sightline";

function faultsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig({}, environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.ok(!error.message.includes("secret"), error.message);
    return error.faults;
  }
}

test("ClickHouse and PostgreSQL are given together", () => {
  const both = { SIGHTLINE_POSTGRES_URL: postgresUrl, SIGHTLINE_CLICKHOUSE_URL: clickhouseUrl };
  assert.deepEqual(faultsOf(both), []);
  assert.deepEqual(faultsOf({ SIGHTLINE_POSTGRES_URL: postgresUrl }), [
    "SIGHTLINE_POSTGRES_URL is set without SIGHTLINE_CLICKHOUSE_URL. Set both, or neither.",
  ]);
  assert.deepEqual(faultsOf({ SIGHTLINE_CLICKHOUSE_URL: clickhouseUrl }), [
    "SIGHTLINE_CLICKHOUSE_URL is set without SIGHTLINE_POSTGRES_URL. Set both, or neither.",
  ]);
});

test("replicated tables are of a cluster", () => {
  const urls = { SIGHTLINE_POSTGRES_URL: postgresUrl, SIGHTLINE_CLICKHOUSE_URL: clickhouseUrl };
  const replicated = { ...urls, SIGHTLINE_CLICKHOUSE_REPLICATED: "on" };
  assert.deepEqual(faultsOf({ ...replicated, SIGHTLINE_CLICKHOUSE_CLUSTER: "shards" }), []);
  assert.deepEqual(faultsOf(replicated), [
    "SIGHTLINE_CLICKHOUSE_REPLICATED is on without SIGHTLINE_CLICKHOUSE_CLUSTER. Set both.",
  ]);
});

test("a password that is not encoded is refused where the driver cannot read it", () => {
  const address = (scheme: string, password: string) => `${scheme}://user:${password}@host:1234`;
  const faults = (password: string) =>
    faultsOf({
      SIGHTLINE_POSTGRES_URL: address("postgres", password),
      SIGHTLINE_CLICKHOUSE_URL: `http://host:8123,${address("https", password)}`,
      SIGHTLINE_REDIS_URL: address("rediss", password),
    }).map((fault) => fault.split(". Expected: ")[0]);
  assert.deepEqual(faults("secret%25%2C%40"), []);
  const why = "(in names and passwords, write % as %25)";
  assert.deepEqual(faults("secret%"), [
    `SIGHTLINE_CLICKHOUSE_URL: invalid value "https://***@host:1234/" ${why}`,
    `SIGHTLINE_REDIS_URL: invalid value "rediss://***@host:1234" ${why}`,
  ]);
  assert.deepEqual(faults("12/secret"), [
    'SIGHTLINE_CLICKHOUSE_URL: invalid value "http://host:8123/,https:***"',
    'SIGHTLINE_POSTGRES_URL: invalid value "postgres:***"',
    'SIGHTLINE_REDIS_URL: invalid value "rediss:***"',
  ]);
});

test("an invalid address is shown without its password, with every other fault", () => {
  const faults = faultsOf({
    SIGHTLINE_POSTGRES_URL: "mysql://user:secret@db/sightline",
    SIGHTLINE_REDIS_URL: "user:secret@redis:6379",
    SIGHTLINE_PORT: "x",
  });
  assert.deepEqual(
    faults.map((fault) => fault.split(". Expected: ")[0]),
    [
      "SIGHTLINE_POSTGRES_URL is set without SIGHTLINE_CLICKHOUSE_URL. Set both, or neither.",
      'SIGHTLINE_PORT: invalid value "x"',
      'SIGHTLINE_POSTGRES_URL: invalid value "mysql://***@db/sightline"',
      'SIGHTLINE_REDIS_URL: invalid value "user:***"',
    ],
  );
});

test("the log shows addresses without names and passwords", () => {
  const config = readConfig({ postgresUrl, clickhouseUrl }, {});
  assert.deepEqual(changedSettings(config), {
    clickhouseUrl: "http://***@a:8123/sightline,http://***@b:8123/sightline",
    postgresUrl: "postgres://***@db:5432/sightline",
  });
});

test("credentials and prices are read with the settings, and the log shows none of them", () => {
  const secret = "sk-very-secret";
  const environment = {
    SIGHTLINE_OPENAI_KEY: secret,
    SIGHTLINE_VENDOR_STAND_IN: "http://127.0.0.1:8090/",
  };
  const config = readConfig({}, environment);
  assert.deepEqual(config.collection.credentials.vendors, ["openai"]);
  assert.equal(config.collection.credentials.of("openai"), secret);
  assert.equal(config.collection.standIn, "http://127.0.0.1:8090");
  assert.deepEqual(changedSettings(config), { vendorStandIn: "http://127.0.0.1:8090" });
  assert.ok(!JSON.stringify(config).includes(secret));
  const faults = faultsOf({
    SIGHTLINE_OPENAI_KEY: "a secret",
    SIGHTLINE_VENDOR_STAND_IN: "https://vendors.example",
    SIGHTLINE_PRICES_FILE: "/absent/prices.yaml",
  });
  assert.deepEqual(
    faults.map((fault) => fault.split("\n").map((line) => line.trim())),
    [
      [
        "SIGHTLINE_OPENAI_KEY: the credential has spaces, newlines or characters that are not " +
          "ASCII. Expected: visible ASCII characters.",
      ],
      ["The price list /absent/prices.yaml is not valid.", "the file cannot be read (ENOENT)"],
      [
        'SIGHTLINE_VENDOR_STAND_IN: invalid value "https://vendors.example". Expected: ' +
          "Address on this machine (http://127.0.0.1:8090) that is asked for all vendors.",
      ],
    ],
  );
});

test("no flag gives a secret, and each can be in a file", () => {
  const flagged = settings.map(({ environment }) => environment);
  const variables = secretSettings.flatMap((each) => [each.environment, each.fileEnvironment]);
  assert.equal(new Set([...variables, ...flagged]).size, variables.length + flagged.length);
});

test("a provider is whole, and safe to talk to, or refused by name", () => {
  const given = {
    oidcIssuer: "https://login.example",
    oidcClientId: "sightline",
    publicUrl: "https://sightline.example/",
  };
  const secret = { SIGHTLINE_OIDC_CLIENT_SECRET: "a secret" };
  const { people, publicUrl } = readConfig(given, secret);
  assert.equal(people.provider?.clientSecret, "a secret");
  assert.equal(publicUrl, "https://sightline.example");
  const faulty: readonly [object, NodeJS.ProcessEnv, RegExp][] = [
    [{ ...given, oidcIssuer: "" }, secret, /SIGHTLINE_OIDC_ISSUER is not set/],
    [{ ...given, oidcClientId: "" }, secret, /SIGHTLINE_OIDC_CLIENT_ID is not set/],
    [given, {}, /SIGHTLINE_OIDC_CLIENT_SECRET is not set/],
    [{ ...given, publicUrl: "" }, secret, /SIGHTLINE_PUBLIC_URL is not set/],
    [{ ...given, oidcIssuer: "http://login.example" }, secret, /must be an https address/],
    [{ ...given, publicUrl: "https://sightline.example/path" }, secret, /--public-url/],
    [{ personHeader: "X-Email" }, {}, /PERSON_HEADER is set without SIGHTLINE_TRUSTED_PROXIES/],
  ];
  for (const [texts, environment, fault] of faulty) {
    assert.throws(() => readConfig(texts, environment), fault);
  }
});

test("the SMTP server and the sender are given together, and no password is shown", () => {
  const smtpUrl = "smtps://user:secret@smtp.example.com";
  const mailFrom = "Sightline <reports@example.com>";
  const both = { SIGHTLINE_SMTP_URL: smtpUrl, SIGHTLINE_MAIL_FROM: mailFrom };
  const config = readConfig({}, both);
  assert.deepEqual([config.smtpUrl, config.mailFrom], [smtpUrl, mailFrom]);
  assert.deepEqual(changedSettings(config), {
    smtpUrl: "smtps://***@smtp.example.com",
    mailFrom,
  });
  const folder = temporaryFolder();
  const file = join(folder, "smtp");
  writeFileSync(file, `${smtpUrl}\n`);
  const inFile = { SIGHTLINE_SMTP_URL_FILE: file, SIGHTLINE_MAIL_FROM: mailFrom };
  assert.equal(readConfig({}, inFile).smtpUrl, smtpUrl);
  rmSync(folder, { recursive: true });
  assert.deepEqual(faultsOf(inFile), [
    `SIGHTLINE_SMTP_URL_FILE: the file "${file}" cannot be read (ENOENT).`,
    "SIGHTLINE_MAIL_FROM is set without SIGHTLINE_SMTP_URL. Set both, or neither.",
  ]);
  assert.deepEqual(faultsOf({ ...both, SIGHTLINE_SMTP_URL_FILE: file }), [
    "SIGHTLINE_SMTP_URL and SIGHTLINE_SMTP_URL_FILE are set. Set one.",
  ]);
  assert.deepEqual(faultsOf({ SIGHTLINE_SMTP_URL: smtpUrl }), [
    "SIGHTLINE_SMTP_URL is set without SIGHTLINE_MAIL_FROM. Set both, or neither.",
  ]);
  const faulty = faultsOf({
    SIGHTLINE_SMTP_URL: "smtp://user:secret@h/x",
    SIGHTLINE_MAIL_FROM: "me",
  });
  assert.match(
    faulty.join("\n"),
    /^SIGHTLINE_SMTP_URL: invalid value "smtp:\/\/\*\*\*@h\/x"\. Expected: /,
  );
  assert.match(
    faulty.join("\n"),
    /^SIGHTLINE_MAIL_FROM: invalid value "me"\. Expected: Sender of/m,
  );
  assert.doesNotMatch(faulty.join("\n"), /secret/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, changedSettings, readConfig } from "./config.ts";

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

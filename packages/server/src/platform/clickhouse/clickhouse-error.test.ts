import assert from "node:assert/strict";
import { test } from "node:test";
import { ClickhouseError, clickhouseError } from "./clickhouse-error.ts";

test("a failure says which engine failed, and what to look at", () => {
  const messageOf = (text: string) => clickhouseError(new Error(text)).message;
  const certificate = "unable to verify the first certificate";
  assert.equal(messageOf(certificate), `ClickHouse is unavailable: ${certificate}`);
  assert.equal(messageOf("ClickHouse does not answer"), "ClickHouse does not answer");
  assert.match(messageOf("write EPROTO 40: SSL routines: wrong version number:.."), /speaks http:/);
  assert.match(messageOf("<html>\n<title>400 Bad Request</title>"), /is the address right/);
  const refused = new ClickhouseError("refused", new Error("Unknown database sightlin"));
  assert.equal(refused.message, "ClickHouse refuses: Unknown database sightlin");
});

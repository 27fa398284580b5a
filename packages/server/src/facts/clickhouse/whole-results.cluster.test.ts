import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clickhouseUrl,
  sharedClickhouse,
} from "@sightline/test-kit/engines/clickhouse-database.ts";
import { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { ClickhouseError } from "../../platform/clickhouse/clickhouse-error.ts";
import { constant, sql } from "../../platform/sql.ts";

/** Each with the mode that lets the server stop early without saying so. */
const bounds = [
  ["max_rows_to_read=1000", "read_overflow_mode=break"],
  ["max_result_rows=10", "result_overflow_mode=break"],
  ["max_rows_to_group_by=10", "group_by_overflow_mode=any"],
  ["max_rows_in_set=10", "set_overflow_mode=break"],
] as const;

const rows = sql`select number % 1000 as key from numbers(100000)
  where number in (select number from numbers(100000)) group by key`;

test("no settings of its user let the server reply with a part of a result", async (t) => {
  const url = new URL(await clickhouseUrl());
  const database = url.pathname.slice(1);
  const server = await sharedClickhouse();
  await server.command(`create database ${database}`);
  await server.command(
    `create table ${database}.copies (key UInt64) engine MergeTree order by key`,
  );
  for (const bound of bounds) {
    // As the profile of a user would have them.
    url.search = bound.map((setting) => `clickhouse_setting_${setting}`).join("&");
    const clickhouse = await Clickhouse.open([url.toString()]);
    t.after(() => clickhouse.close());
    const reading = clickhouse.query({ query: rows, shape: { key: "number" } });
    await assert.rejects(reading, ClickhouseError, bound.join());
    if (bound[0].startsWith("max_result")) continue; // a copy has no result
    const copying = clickhouse.command(sql`${constant("insert into copies")} ${rows}`);
    await assert.rejects(copying, ClickhouseError, bound.join());
  }
});

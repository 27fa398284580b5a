import type { ClickhouseTable } from "./create-table.ts";

/**
 * Ids are looked up one by one, thousands at a time, and lie at random: a mark of 128 rows has the
 * server read 3 KB for each.
 */
const idsPerMark = 128;

/** The record of all accounts, in the order of recording. */
export const answersTable: ClickhouseTable = {
  name: "answers",
  columns: [
    ["account_id", "UUID", "ZSTD(1)"],
    ["sequence", "UInt64", "Delta, ZSTD(1)"],
    ["id", "UUID", "ZSTD(1)"],
    ["content_hash", "FixedString(32)", "NONE"],
    ["prompt_id", "UUID", "ZSTD(1)"],
    ["provider", "LowCardinality(String)", "ZSTD(1)"],
    // Empty: none.
    ["region", "LowCardinality(String)", "ZSTD(1)"],
    ["answered_at", "Int64", "Delta, ZSTD(1)"],
    ["outcome", "LowCardinality(String)", "ZSTD(1)"],
    ["text", "String", "ZSTD(3)"],
    // As JSON.
    ["citations", "String", "ZSTD(3)"],
    // As JSON: null, or a text; an empty model is another than none.
    ["model", "LowCardinality(String)", "ZSTD(1)"],
    ["surface", "LowCardinality(String)", "ZSTD(1)"],
    ["sample", "UInt64", "ZSTD(1)"],
    ["metadata", "String", "ZSTD(3)"],
    ["recorded_at", "Int64", "Delta, ZSTD(1)"],
    // As JSON, see RemovedText; empty: the text is there.
    ["mentioned", "String", "ZSTD(1)"],
    // As JSON; empty: nothing is known.
    ["search_queries", "String", "ZSTD(3)"],
    ["cost", "String", "ZSTD(1)"],
    ["vendor", "LowCardinality(String)", "ZSTD(1)"],
    ["requested_region", "LowCardinality(String)", "ZSTD(1)"],
  ],
  order: ["account_id", "sequence"],
  engine: "MergeTree",
  // Answers have kilobytes: readers take some hundreds at a time.
  granularity: 512,
  projections: [
    `by_id (select account_id, id, sequence, content_hash order by account_id, id)
      with settings (index_granularity = ${idsPerMark})`,
  ],
};

/**
 * The raw replies of all accounts; of several rows of an answer, the last one inserted counts. Ids
 * are texts: ClickHouse orders UUIDs by their second half.
 */
export const rawRepliesTable: ClickhouseTable = {
  name: "raw_replies",
  columns: [
    ["account_id", "UUID", "ZSTD(1)"],
    ["answer_id", "String", "ZSTD(1)"],
    ["vendor", "LowCardinality(String)", "ZSTD(1)"],
    ["kept_at", "Int64", "ZSTD(1)"],
    // Compressed already.
    ["body", "String", "NONE"],
  ],
  order: ["account_id", "answer_id"],
  engine: "ReplacingMergeTree",
  // Bodies may have megabytes: readers take a few at a time.
  granularity: 16,
};

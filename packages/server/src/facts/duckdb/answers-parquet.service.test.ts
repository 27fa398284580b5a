import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DuckDBInstance, DuckDBListValue, DuckDBTimestampValue } from "@duckdb/node-api";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { writeAnswersParquet } from "./engine.ts";

const id = (number: number) => `aaaaaaaa-0000-4000-8000-00000000000${number}`;

/** Everything that a line may have, and as little as it may. */
const lines = [
  {
    id: id(1),
    promptId: id(9),
    provider: "OPENAI",
    region: "US",
    answeredAt: "2026-01-05T07:00:00.001Z",
    text: "Acme\u0000 or 日本 👍\n\u2028 'quoted'",
    citations: [
      { url: "https://acme.example/a", title: "", cited: false, spans: [[0, 4]] },
      { url: "mailto:a@b", title: "B" },
    ],
    model: "",
    surface: "web",
    sample: 7,
    metadata: { "2": 1, "1": [null, { b: 0.1 }] },
    searchQueries: ["best anvil"],
    cost: { amount: 0.01, currency: "USD", estimated: true },
  },
  {
    id: id(2),
    promptId: id(9),
    provider: "GROK",
    answeredAt: "0001-01-01T00:00:00.000Z",
    text: "None.",
    citations: [],
  },
  {
    id: id(3),
    promptId: id(9),
    provider: "GEMINI",
    answeredAt: "2026-02-01T00:00:00.000Z",
    outcome: "absent",
    text: "",
    citations: [],
  },
];

test("Parquet has the answers of its lines, with what lines leave out", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const [source, target] = ["it's.ndjson", "it's.parquet"].map((name) => join(folder, name));
  assert.ok(source !== undefined && target !== undefined);
  writeFileSync(source, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await writeAnswersParquet(source, target);
  const rows = await rowsOf(target);
  assert.deepEqual(
    rows.map(({ answered_at: at, citations, metadata, ...row }) => {
      assert.ok(at instanceof DuckDBTimestampValue && citations instanceof DuckDBListValue);
      return {
        id: row["id"],
        provider: row["provider"],
        region: row["region"],
        answeredAt: new Date(Number(at.micros / 1_000n)).toISOString(),
        outcome: row["outcome"],
        text: row["text"],
        citations: citations.items.length,
        model: row["model"],
        sample: row["sample"],
        metadata: metadata === null ? null : JSON.parse(String(metadata)),
      };
    }),
    lines.map((line) => ({
      id: line.id,
      provider: line.provider,
      region: line.region ?? null,
      answeredAt: line.answeredAt,
      outcome: line.outcome ?? "answered",
      text: line.text,
      citations: line.citations.length,
      model: line.model ?? null,
      sample: line.sample ?? 0,
      metadata: line.metadata ?? null,
    })),
  );
});

/** What DuckDB reads in a file. */
async function rowsOf(file: string) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const rows = await connection.runAndReadAll(`from '${file.replaceAll("'", "''")}'`);
  connection.closeSync();
  const objects = rows.getRowObjects();
  instance.closeSync();
  return objects;
}

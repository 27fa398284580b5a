import { createRequire } from "node:module";
import { join } from "node:path";
import { catalogueOf } from "../generator/catalogue.ts";
import { type GeneratedAnswer, generate } from "../generator/generate.ts";
import type { Workload } from "../generator/workload.ts";
import type { ClickHouseOrder, ClickHouseReply, ClickHouseRows } from "./clickhouse-messages.ts";
import { clickHouseInstant, clickHouseMerges, clickHouseTables } from "./clickhouse-sql.ts";
import { peerConnections } from "./peer.ts";

/** Where tasks/engines installs what the tests need as well. */
const requireEngine = createRequire(join(import.meta.dirname, "../../.tools/engines/package.json"));

/** What is used of the package chdb, which is ClickHouse in this process. */
interface ClickHousePackage {
  readonly Session: new (path: string) => ClickHouseSession;
}

/** A connection to ClickHouse over one folder; several may have the same folder. */
interface ClickHouseSession {
  readonly query: (sql: string, format: string) => string;
  /** Runs on a thread of libuv's pool. */
  readonly queryAsync: (
    sql: string,
    options: { readonly format: string },
  ) => Promise<{ readonly text: () => string }>;
  readonly insert: (rows: {
    readonly table: string;
    readonly values: Buffer;
    readonly format: "TSV";
  }) => Promise<unknown>;
  readonly cleanup: () => void;
}

/** The package chdb. @throws when tasks/engines has not installed it. */
function clickHousePackage(): ClickHousePackage {
  return requireEngine("chdb") as ClickHousePackage;
}

// The process behind openClickHouse: the engine has memory and threads of its own there.
let sessions: readonly ClickHouseSession[] = [];

process.on("message", (order: ClickHouseOrder) => {
  carriedOut(order).then(
    (reply) => process.send?.(reply),
    (error: unknown) => process.send?.({ kind: "failed", reason: String(error) }),
  );
});
process.once("disconnect", () => {
  for (const session of sessions) session.cleanup();
  process.exit();
});

async function carriedOut(order: ClickHouseOrder): Promise<ClickHouseReply> {
  const started = performance.now();
  const results = await resultsOf(order);
  return { kind: "done", results, ms: performance.now() - started };
}

async function resultsOf(order: ClickHouseOrder): Promise<readonly ClickHouseRows[]> {
  if (order.kind === "open") {
    const { Session } = clickHousePackage();
    sessions = Array.from({ length: peerConnections }, () => new Session(order.folder));
    return [await rowsOf(0, "select version()")];
  }
  if (order.kind === "ask") {
    return Promise.all(order.statements.map((sql, place) => rowsOf(place, sql)));
  }
  await fillClickHouse(sessionAt(0), order.workload);
  return [];
}

/** Each session is a connection of its own to the same engine. */
function sessionAt(place: number): ClickHouseSession {
  const session = sessions[place];
  if (session === undefined) throw new Error("more statements than connections");
  return session;
}

const format = "JSONCompactEachRow";

async function rowsOf(place: number, sql: string): Promise<ClickHouseRows> {
  const result = await sessionAt(place).queryAsync(sql, { format });
  return result
    .text()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as readonly unknown[]);
}

/** Answers per insert: parts large enough to be merged in one pass. */
const batchAnswers = 100_000;

/** Fills ClickHouse's tables with a workload and merges what it wrote. */
async function fillClickHouse(session: ClickHouseSession, workload: Workload): Promise<void> {
  for (const table of clickHouseTables) session.query(table, "CSV");
  const lines = linesOf(workload);
  for (const batch of generate(workload, batchAnswers)) {
    const insert = (table: string, rows: readonly string[]) =>
      session.insert({ table, values: Buffer.from(rows.join("")), format: "TSV" });
    await insert("answers", batch.map(lines.answer));
    await insert("mention_entries", batch.map(lines.mentions));
    await insert("citations", batch.map(lines.citations));
  }
  for (const merge of clickHouseMerges) session.query(merge, "CSV");
}

/** An answer's rows in each table, tab-separated; no value has anything to escape. */
function linesOf(workload: Workload) {
  const { prompts } = catalogueOf(workload);
  const answerValues = ({ answeredAt, prompt, provider, region }: GeneratedAnswer): string => {
    const { topic, branded } = prompts[prompt] ?? { topic: 0, branded: false };
    const instant = clickHouseInstant(answeredAt);
    return [1, instant, prompt, topic, provider, region ?? "", branded].join("\t");
  };
  return {
    answer: (answer: GeneratedAnswer) => `${answerValues(answer)}\n`,
    mentions: (answer: GeneratedAnswer) => {
      const { mentions, citedEntities } = answer;
      const start = answerValues(answer);
      const onlyCited = citedEntities.filter((entity) => !mentions.includes(entity));
      return [
        ...mentions.map((entity, place) => {
          return `${start}\t${entity}\ttrue\t${citedEntities.includes(entity)}\t${place + 1}\n`;
        }),
        ...onlyCited.map((entity) => `${start}\t${entity}\tfalse\ttrue\t0\n`),
      ].join("");
    },
    citations: (answer: GeneratedAnswer) => {
      const start = answerValues(answer);
      return answer.citations.map(({ domain, url }) => `${start}\t${domain}\t${url}\n`).join("");
    },
  };
}

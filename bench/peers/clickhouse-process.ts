import { fillClickHouse } from "../fill/fill-clickhouse.ts";
import type { ClickHouseOrder, ClickHouseReply, ClickHouseRows } from "./clickhouse-messages.ts";
import { peerConnections } from "./peer.ts";
import { type ClickHouseSession, clickHousePackage } from "./peer-packages.ts";

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

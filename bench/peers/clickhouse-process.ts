import { fillClickHouse } from "../fill/fill-clickhouse.ts";
import type { ClickHouseOrder, ClickHouseReply } from "./clickhouse-messages.ts";
import { type ClickHouseSession, clickHousePackage } from "./peer-packages.ts";

// The process behind openClickHouse: the engine has memory and threads of its own there.
let session: ClickHouseSession | null = null;

process.on("message", (order: ClickHouseOrder) => {
  carriedOut(order).then(
    (reply) => process.send?.(reply),
    (error: unknown) => process.send?.({ kind: "failed", reason: String(error) }),
  );
});
process.once("disconnect", () => {
  session?.cleanup();
  process.exit();
});

async function carriedOut(order: ClickHouseOrder): Promise<ClickHouseReply> {
  const started = performance.now();
  const rows = await rowsOf(order);
  return { kind: "done", rows, ms: performance.now() - started };
}

async function rowsOf(order: ClickHouseOrder): Promise<readonly (readonly unknown[])[]> {
  if (order.kind === "open") {
    const { Session } = clickHousePackage();
    session = new Session(order.folder);
    return rowsIn(session.query("select version()", format));
  }
  if (session === null) throw new Error("no folder is open");
  if (order.kind === "fill") {
    await fillClickHouse(session, order.workload);
    return [];
  }
  return rowsIn(session.query(order.sql, format));
}

const format = "JSONCompactEachRow";

function rowsIn(text: string): readonly (readonly unknown[])[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as readonly unknown[]);
}

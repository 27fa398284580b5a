import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Workload } from "../generator/workload.ts";
import type { ClickHouseOrder, ClickHouseReply } from "./clickhouse-messages.ts";
import { clickHouseStatement } from "./clickhouse-sql.ts";
import { type Peer, toEngineRows } from "./peer.ts";

/** ClickHouse over a filled folder, in a process of its own; times are taken in there. */
export async function openClickHouse(folder: string): Promise<Peer> {
  const { order, close, version } = await startClickHouse(folder);
  return {
    version,
    ask: async (questions) => {
      const statements = questions.map(clickHouseStatement);
      const { results, ms } = await order({ kind: "ask", statements });
      const rows = questions.map((question, place) => toEngineRows(question, results[place] ?? []));
      return { rows, ms };
    },
    close,
  };
}

/** Fills a folder with a workload. What was there goes. */
export async function refillClickHouse(folder: string, workload: Workload): Promise<object> {
  rmSync(folder, { recursive: true, force: true });
  const { order, close } = await startClickHouse(folder);
  try {
    await order({ kind: "fill", workload });
  } finally {
    await close();
  }
  return {};
}

type Done = Extract<ClickHouseReply, { kind: "done" }>;

async function startClickHouse(folder: string) {
  const child = fork(join(import.meta.dirname, "clickhouse-process.ts"));
  const exited = once(child, "exit");
  const order = (message: ClickHouseOrder) => ordered(child, message);
  const { results } = await order({ kind: "open", folder });
  return {
    order,
    version: String(results[0]?.[0]?.[0]),
    close: async () => {
      child.disconnect();
      await exited;
    },
  };
}

async function ordered(child: ChildProcess, message: ClickHouseOrder): Promise<Done> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    child.send(message);
    const exit = once(child, "exit", { signal }).then(() => {
      throw new Error("the process with ClickHouse ended");
    });
    const reply = once(child, "message", { signal }) as Promise<[ClickHouseReply]>;
    const [answer] = await Promise.race([reply, exit]);
    if (answer.kind === "failed") throw new Error(`ClickHouse: ${answer.reason}`);
    return answer;
  } finally {
    ended.abort();
  }
}

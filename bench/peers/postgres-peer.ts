import { createHash } from "node:crypto";
import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import type { Question } from "../questions.ts";
import { type Peer, peerConnections, toEngineRows } from "./peer.ts";
import { startPostgres } from "./postgres-server.ts";
import { postgresStatement } from "./postgres-sql.ts";

/** PostgreSQL over a filled folder, asked with prepared statements. */
export async function openPostgres(folder: string, workload: Workload): Promise<Peer> {
  const catalogue = catalogueOf(workload);
  const numbers = new Map(catalogue.entities.map(({ id }, number) => [id, number + 1]));
  const { client, connect, stop } = await startPostgres(folder);
  const clients = [client];
  while (clients.length < peerConnections) clients.push(await connect());
  // A plan for any values would ignore how few rows these select.
  const customPlans = "set plan_cache_mode = force_custom_plan";
  for (const each of clients) await each.query({ text: customPlans, rowMode: "array" });
  const version = await client.query({ text: "show server_version", rowMode: "array" });
  const askOver = (question: Question, place: number) => {
    const { sql, values } = postgresStatement(question, catalogue);
    const name = createHash("sha256").update(sql).digest("hex").slice(0, 32);
    const connection = clients[place];
    if (connection === undefined) throw new Error("more questions than connections");
    return connection.query({ name, text: sql, values: [...values], rowMode: "array" });
  };
  const numbered = (rows: readonly (readonly unknown[])[]) =>
    rows.map(([bucket, id, ...sums]) => [bucket, numbers.get(String(id)) ?? 0, ...sums]);
  return {
    version: String(version.rows[0]?.[0]),
    ask: async (questions) => {
      const started = performance.now();
      const replies = await Promise.all(questions.map(askOver));
      const ms = performance.now() - started;
      const rows = questions.map((question, place) => {
        const own = replies[place]?.rows ?? [];
        return toEngineRows(question, question.kind === "series" ? numbered(own) : own);
      });
      return { rows, ms };
    },
    close: stop,
  };
}

import { createHash } from "node:crypto";
import { catalogueOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { type Peer, toEngineRows } from "./peer.ts";
import { startPostgres } from "./postgres-server.ts";
import { postgresStatement } from "./postgres-sql.ts";

/** PostgreSQL over a filled folder, asked with prepared statements over one connection. */
export async function openPostgres(folder: string, workload: Workload): Promise<Peer> {
  const catalogue = catalogueOf(workload);
  const numbers = new Map(catalogue.entities.map(({ id }, number) => [id, number + 1]));
  const { client, stop } = await startPostgres(folder);
  // A plan for any values would ignore how few rows these select.
  await client.query({ text: "set plan_cache_mode = force_custom_plan", rowMode: "array" });
  const version = await client.query({ text: "show server_version", rowMode: "array" });
  return {
    version: String(version.rows[0]?.[0]),
    ask: async (question) => {
      const { sql, values } = postgresStatement(question, catalogue);
      const name = createHash("sha256").update(sql).digest("hex").slice(0, 32);
      const started = performance.now();
      const { rows } = await client.query({ name, text: sql, values, rowMode: "array" });
      const ms = performance.now() - started;
      const numbered =
        question.kind === "series"
          ? rows.map(([bucket, id, ...sums]) => [bucket, numbers.get(String(id)) ?? 0, ...sums])
          : rows;
      return { rows: toEngineRows(question, numbered), ms };
    },
    close: stop,
  };
}

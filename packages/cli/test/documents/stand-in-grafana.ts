import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** Grafana, as far as deploy/grafana/renew-session calls it: it keeps one data source. */
export interface StandInGrafana {
  /** What the script is told. */
  readonly environment: Readonly<Record<"GRAFANA_URL" | "GRAFANA_TOKEN", string>>;
  /** The calls that came, as method and path. */
  readonly calls: readonly string[];
  /** The data source as it was last written; null when there is none. */
  readonly dataSource: () => DataSource | null;
  readonly close: () => void;
}

/** A data source as Grafana's HTTP interface takes it. */
interface DataSource {
  readonly uid: string;
  readonly type: string;
  readonly url: string;
  readonly jsonData: { readonly auth_method: string; readonly allowedHosts: readonly string[] };
  readonly secureJsonData: { readonly bearerToken: string };
}

const token = "glsa_documents";

/** Starts it: updating a data source that does not exist is 404, as Grafana says. */
export async function startGrafana(): Promise<StandInGrafana> {
  let kept: DataSource | null = null;
  const calls: string[] = [];
  const server = createServer(async (request, reply) => {
    calls.push(`${request.method} ${request.url}`);
    const source = (await json(request)) as DataSource;
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const isThere = kept !== null || request.method === "POST";
    const status = !isKnown ? 401 : isThere ? 200 : 404;
    if (status === 200) kept = source;
    reply.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    environment: { GRAFANA_URL: `http://127.0.0.1:${address.port}`, GRAFANA_TOKEN: token },
    calls,
    dataSource: () => kept,
    close: () => server.close(),
  };
}

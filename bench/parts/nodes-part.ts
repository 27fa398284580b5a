import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startServing, stopped } from "@sightline/test-kit/command.ts";
import { startRedisServer } from "@sightline/test-kit/engines/redis-server.ts";
import { migrateCluster } from "../../packages/server/src/operations/migrate.ts";
import { oneWindow } from "../../packages/server/test/load/start-load.ts";
import { addAccount, type FilledAccount, sightline } from "../fill/fill-sightline.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import { scaled, type Workload } from "../generator/workload.ts";
import { thisMachine } from "../measure/machine.ts";
import { memoryMb } from "../measure/process-cost.ts";
import { metricSum, unlimited } from "../measure/served.ts";
import { SocketClient } from "../measure/socket-client.ts";
import { pause, rounded } from "../measure/timing.ts";
import { type ClusterServers, startClusterServers } from "../peers/cluster-servers.ts";
import { requestOf } from "../question-request.ts";
import { questionsOf } from "../questions.ts";
import type { NodesResult, NodesRun, TableBytes } from "../report/results.ts";
import { ingestFiles, ingestWorkload } from "./ingest-part.ts";
import { type BenchOptions, keptFolder, say } from "./options.ts";

const connections = 8;
const windowMs = 10_000;
const betweenLooksMs = 50;
const newline = 10;

/** Sends the same answers through one node and through two, over engines of their own. */
export async function nodesPart(options: BenchOptions): Promise<NodesResult> {
  const workload = scaled(ingestWorkload, options.scale);
  const { after, megabytes } = await ingestFiles(workload, options);
  const runs: NodesRun[] = [];
  let tables: readonly TableBytes[] = [];
  for (const nodes of [1, 2]) {
    say(`nodes: ${nodes} ...`);
    const folder = keptFolder(options, "nodes", String(nodes));
    rmSync(folder, { recursive: true, force: true });
    const servers = await startClusterServers(folder);
    mkdirSync(join(folder, "redis"));
    const redis = await startRedisServer(join(folder, "redis"));
    try {
      const environment = { ...servers.environment, SIGHTLINE_REDIS_URL: redis.url() };
      const run = { folder, nodes, workload, body: readFileSync(after), environment };
      await migrateCluster(servers.address);
      runs.push(await measured(run));
      tables = await tableBytes(servers, runs.at(-1)?.answers ?? 0);
    } finally {
      await servers.stop();
      await redis.stop();
      rmSync(folder, { recursive: true });
    }
  }
  return { part: "nodes", machine: thisMachine(), megabytes, connections, runs, tables };
}

interface Run {
  readonly folder: string;
  readonly nodes: number;
  readonly workload: Workload;
  readonly body: Buffer;
  readonly environment: Readonly<Record<string, string>>;
}

async function measured({ folder, nodes, workload, body, environment }: Run): Promise<NodesRun> {
  const folders = Array.from({ length: nodes }, (_, node) => join(folder, `node-${node}`));
  const first = folders[0] ?? "";
  const account = await addAccount(first, workload, { name: "Bench nodes", environment });
  const importing = ["keys", "create", "--account", account.accountId, "--scope", "import"];
  const { key } = await sightline<{ key: string }>(first, importing, environment);
  for (const other of folders.slice(1)) {
    mkdirSync(other);
    copyFileSync(join(first, "pepper"), join(other, "pepper"));
  }
  const settings = { environment: { ...unlimited, ...environment } };
  const serving = await Promise.all(folders.map((each) => startServing(each, settings)));
  const urls = serving.map(({ url }) => url);
  const client = new SocketClient(urls[0] ?? "");
  const token = await client.session(key);
  client.close();
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  const parts = linesInParts(body, nodes);
  const counts = await Promise.all(
    urls.map((url, node) => imported(`${url}/v1/answers`, token, parts[node] ?? body)),
  );
  const answers = counts.reduce((sum, each) => sum + each, 0);
  const recordedSeconds = rounded(seconds());
  while ((await projected(urls)) < answers) await pause(betweenLooksMs);
  const visibleSeconds = rounded(seconds());
  const questions = await asked(urls, account, workload);
  const peaks = serving.map(({ process: { pid = 0 } }) => memoryMb(pid, "VmHWM"));
  await Promise.all(serving.map(stopped));
  const answersPerSecond = Math.round(answers / visibleSeconds);
  return {
    nodes,
    answers,
    recordedSeconds,
    visibleSeconds,
    answersPerSecond,
    questionsPerSecond: rounded(questions),
    peakMemoryMb: Math.max(...peaks),
  };
}

/** The lines of a text in so many parts of about the same size. */
function linesInParts(body: Buffer, count: number): readonly Buffer[] {
  const ends = Array.from({ length: count }, (_, part) =>
    part === count - 1
      ? body.length
      : body.indexOf(newline, ((part + 1) * body.length) / count) + 1,
  );
  return ends.map((end, part) => body.subarray(ends[part - 1] ?? 0, end));
}

async function imported(url: string, token: string, body: Buffer): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
  const reply = await fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { readonly accepted: number }).accepted;
}

async function projected(urls: readonly string[]): Promise<number> {
  const metrics = await Promise.all(
    urls.map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  return metrics.reduce(
    (sum, text) => sum + metricSum(text, /^sightline_answers_projected_total/),
    0,
  );
}

/** Questions a second, over all nodes at the same time. */
async function asked(urls: readonly string[], { key }: FilledAccount, workload: Workload) {
  const catalogue = catalogueOf(workload);
  const questions = questionsOf(workload).map((question) => requestOf(question, catalogue));
  const each = connections / urls.length;
  const windows = await Promise.all(
    urls.map((url) =>
      oneWindow({ url, key, questions, connections: each, ratePerSecond: null, windowMs }),
    ),
  );
  return windows.reduce((sum, { seconds, replies: { 200: answered, ...others } }) => {
    if (answered === undefined || Object.keys(others).length > 0) throw new Error("not only 200");
    return sum + answered.count / seconds;
  }, 0);
}

/** What the tables of ClickHouse take on the disk, for each answer. */
async function tableBytes(servers: ClusterServers, answers: number) {
  const query = `select table, sum(bytes_on_disk) from system.parts
    where active and database = 'bench' group by table order by table format TSV`;
  const reply = await fetch(new URL(servers.address.clickhouseUrl).origin, {
    method: "POST",
    body: query,
  });
  const rows = (await reply.text()).trim().split("\n");
  return rows.map((row) => {
    const [table = "", bytes = "0"] = row.split("\t");
    return { table, bytesPerAnswer: Math.round(Number(bytes) / answers) };
  });
}

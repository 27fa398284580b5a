import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import {
  type Finished,
  printedDocument,
  type Serving,
  startServing,
  stopped,
} from "@sightline/test-kit/command.ts";
import {
  type ClickhouseServer,
  startClickhouseServer,
} from "@sightline/test-kit/engines/clickhouse-server.ts";
import { type FaultProxy, startFaultProxy } from "@sightline/test-kit/engines/fault-proxy.ts";
import { freePort } from "@sightline/test-kit/engines/free-port.ts";
import { postgresUrl } from "@sightline/test-kit/engines/postgres-database.ts";
import { redisUrl } from "@sightline/test-kit/engines/redis-database.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { runHosted } from "./command-host.ts";

// Commands on a cluster of one node, with a password in each address: PostgreSQL and Redis of tests
// need none, and take any.

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const promptId = "11111111-1111-4111-8111-111111111111";
const workspace = {
  account: { id: accountId, name: "Acme" },
  brand: { name: "Acme" },
  prompts: [{ id: promptId, text: "What is the best anvil?" }],
};

function withPassword(address: string, user: string): string {
  return Object.assign(new URL(address), { username: user, password: "very-secret" }).toString();
}

/** Engines of tests have no passwords; this one has a user with one. */
async function startGuardedClickhouse(): Promise<ClickhouseServer> {
  const folder = temporaryFolder();
  const users = join(folder, "users.xml");
  const user = "<password>very-secret</password><networks><ip>::/0</ip></networks>";
  const rest = "<profiles><default/></profiles><quotas><default/></quotas>";
  writeFileSync(
    users,
    `<clickhouse>${rest}<users>
      <default><password/><networks><ip>::/0</ip></networks></default>
      <sightline>${user}<grants><query>grant all on *.*</query></grants></sightline>
    </users></clickhouse>`,
  );
  const config = `<users_config>${users}</users_config>`;
  const server = await startClickhouseServer(join(folder, "clickhouse"), { config });
  after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });
  return server;
}

const clickhouse = await startGuardedClickhouse();
let databases = 0;

/** New databases, and a folder in which commands run on them. */
async function startNode(t: TestContext) {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const environment = {
    SIGHTLINE_POSTGRES_URL: withPassword(await postgresUrl(), "postgres"),
    SIGHTLINE_CLICKHOUSE_URL: withPassword(clickhouse.url(`test_${++databases}`), "sightline"),
    SIGHTLINE_REDIS_URL: withPassword(await redisUrl(), ""),
  };
  const run = (command: string, more: Readonly<Record<string, string>> = {}) =>
    runHosted(command.split(" "), { folder, environment: { ...environment, ...more } });
  const done = async (command: string): Promise<Finished> => {
    const finished = await run(command);
    assert.equal(finished.status, 0, `${command}: ${finished.stderr}${finished.stdout}`);
    return finished;
  };
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  return { folder, environment, run, done, write };
}

type Node = Awaited<ReturnType<typeof startNode>>;

function serve(t: TestContext, { folder, environment }: Node): Promise<Serving> {
  const parameters = ["--log-level", "trace"];
  return startServing(join(folder, "data"), { environment, parameters }).then((serving) => {
    t.after(() => stopped(serving));
    return serving;
  });
}

interface Diagnosis {
  readonly ok: boolean;
  readonly engines: readonly { readonly kind: string; readonly address: string }[];
  readonly leases: unknown;
  readonly totals: unknown;
  readonly faults: readonly { readonly file: string; readonly fault: string }[];
}

test("doctor: engines, sizes, leases and lag; then what is wrong, with status 1", async (t) => {
  const node = await startNode(t);
  const before = await node.run("doctor");
  assert.equal(before.status, 1);
  assert.match(
    before.stdout,
    /^\S+:\d+: it lacks 0001-accounts-and-keys, .*run sightline migrate$/m,
  );
  assert.match(before.stdout, /^\S+:\d+: it lacks answers, .*run sightline migrate$/m);
  assert.match(before.stdout, /^3 engines checked, 2 faults\.$/m);

  await node.done("migrate");
  await node.done("keys list"); // makes the pepper
  const good = await node.done("doctor");
  const shapes = [
    /^PostgreSQL 15\.\S+ at 127\.0\.0\.1:\d+: clock (\d+ ms (ahead of|behind)|equal to) this/m,
    /^ {2}data: \S+ [kM]B \(public\.\S+ \S+ kB, .* more\)$/m,
    /^ClickHouse 26\.7\.\S+ at /m,
    /^Redis 7\.\S+ at /m,
    /^Leases: held by 0 nodes, of 0 accounts\.$/m,
    /^Answers: 0 recorded, 0 not in the facts yet\.$/m,
    /^3 engines checked, 0 faults\.$/m,
  ];
  for (const shape of shapes) assert.match(good.stdout, shape);
  const document = printedDocument<Diagnosis>(await node.done("doctor --json"));
  assert.deepEqual(
    { ...document, engines: document.engines.map(({ kind }) => kind) },
    {
      ok: true,
      engines: ["PostgreSQL", "ClickHouse", "Redis"],
      leases: { held: 0, ended: 0, holders: 0 },
      totals: { recorded: 0, behind: 0, recordedAtMs: null },
      faults: [],
      mail: null,
    },
  );

  rmSync(join(node.folder, "data/pepper"));
  const away = `127.0.0.1:${await freePort()}`;
  const { SIGHTLINE_CLICKHOUSE_URL: url } = node.environment;
  const both = `${url},${Object.assign(new URL(url), { host: away })}`;
  const bad = await node.run("doctor --json", { SIGHTLINE_CLICKHOUSE_URL: both });
  assert.equal(bad.status, 1);
  const { faults, engines, ok } = printedDocument<Diagnosis>(bad);
  assert.deepEqual([ok, engines.length, faults.length], [false, 3, 2]);
  assert.match(faults[0]?.file ?? "", /data\/pepper$/);
  assert.match(faults[0]?.fault ?? "", /^is missing; copy the file/);
  assert.deepEqual(faults[1]?.file, away);
  assert.match(faults[1]?.fault ?? "", /^does not answer: connect ECONNREFUSED/);
  for (const { stdout, stderr } of [before, good, bad]) {
    assert.ok(!`${stdout}${stderr}`.includes("very-secret"));
  }
});

test("rebuild: nodes build the facts anew while they serve; no log has a password", async (t) => {
  const node = await startNode(t);
  await node.done("migrate");
  node.write("workspace.json", JSON.stringify(workspace));
  const lines = [0, 1, 2].map((sample) => {
    const answeredAt = "2026-10-01T08:00:00Z";
    return JSON.stringify({ promptId, provider: "GROK", answeredAt, sample, text: "Acme." });
  });
  node.write("answers.ndjson", lines.join("\n"));
  await node.done("apply workspace.json");
  await node.done("import answers.ndjson");
  const serving = await serve(t, node);
  const built = async (times: number) =>
    until(`the facts were built ${times} times`, async () => {
      const text = await (await fetch(`${serving.url}/metrics`)).text();
      const count = /rebuilds_total\{reason="absent"\} (\d+)/.exec(text)?.[1];
      const isCaughtUp = /^sightline_projection_lag_answers 0$/m.test(text);
      return Number(count) === times && isCaughtUp ? true : null;
    });
  await built(1);
  const rebuilt = await node.done("rebuild --json");
  assert.deepEqual(printedDocument(rebuilt), { accounts: [accountId] });
  await built(2);
  const one = await node.done(`rebuild --account ${accountId}`);
  assert.equal(one.stdout, "The facts of 1 account were dropped; the nodes rebuild them.\n");
  await built(3);
  await node.done("rebuild --after-restore");
  await built(4);
  assert.equal((await node.run(`rebuild --after-restore --account ${accountId}`)).status, 2);
  const { key } = printedDocument<{ key: string }>(await node.done("keys create --json"));
  const query = `query workspace --json --url ${serving.url} --key ${key}`;
  const { answers } = printedDocument<{ answers: { count: number } }>(await node.done(query));
  assert.equal(answers.count, 3);
  const { stderr: log } = await stopped(serving);
  assert.ok(log.includes('"msg":"started"') && log.includes("postgres://***@127.0.0.1"));
  assert.ok(!log.includes("very-secret"));
});

test("metrics say which engines answer, whether they do or not", async (t) => {
  const proxies: FaultProxy[] = [];
  const node = await startNode(t);
  const { environment } = node;
  const proxied = async (url: string) => {
    const { hostname, port } = new URL(url);
    const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    t.after(() => proxy.close());
    proxies.push(proxy);
    return proxy.through(url);
  };
  await node.done("migrate");
  const through = {
    ...environment,
    SIGHTLINE_POSTGRES_URL: await proxied(environment.SIGHTLINE_POSTGRES_URL),
    SIGHTLINE_CLICKHOUSE_URL: await proxied(environment.SIGHTLINE_CLICKHOUSE_URL),
  };
  const { url } = await serve(t, { ...node, environment: through });
  const say = (what: string, ...lines: readonly string[]) =>
    until(what, async () => {
      const reply = await fetch(`${url}/metrics`);
      const text = await reply.text();
      assert.equal(reply.status, 200, text);
      return lines.every((line) => text.includes(`\n${line}\n`)) ? true : null;
    });
  const [postgres, clickhouse] = ["postgres", "clickhouse"].map(
    (engine) => `sightline_engine_up{engine="${engine}"}`,
  );
  const lag = "sightline_projection_lag_answers";
  await say("both answer", `${postgres} 1`, `${clickhouse} 1`, `${lag} 0`);
  for (const proxy of proxies) proxy.set({ kind: "reset" });
  await say("both are away", `${postgres} 0`, `${clickhouse} 0`, `${lag} Nan`);
  for (const proxy of proxies) proxy.set({ kind: "pass" });
  await say("both are back", `${postgres} 1`, `${clickhouse} 1`, `${lag} 0`);
});

test("backup and restore say what to do on several nodes", async (t) => {
  const node = await startNode(t);
  const backup = await node.run("backup b.tar.zst");
  assert.equal(backup.status, 2);
  assert.match(backup.stderr, /Use the engines' own backups, PostgreSQL first/);
  const restore = await node.run("restore b.tar.zst --json");
  assert.equal(restore.status, 2);
  const { error } = printedDocument<{ error: { message: string } }>(restore);
  assert.match(error.message, /Restore with the engines' own tools, ClickHouse first/);
});

test("engines that refuse a password are named without it", async (t) => {
  const node = await startNode(t);
  const wrong = {
    SIGHTLINE_REDIS_URL: withPassword(await redisUrl(), "nobody"),
    SIGHTLINE_CLICKHOUSE_URL: withPassword(node.environment.SIGHTLINE_CLICKHOUSE_URL, "nobody"),
    SIGHTLINE_POSTGRES_URL: withPassword(node.environment.SIGHTLINE_POSTGRES_URL, "nobody"),
  };
  const { status, stdout, stderr } = await node.run("doctor --json", wrong);
  assert.equal(status, 1);
  const { engines, faults } = printedDocument<Diagnosis>({ stdout, stderr });
  assert.deepEqual(engines, []);
  const reasons = [/role "nobody" does not exist$/, /nobody: Authentication failed/, /WRONGPASS/];
  assert.equal(faults.length, reasons.length);
  for (const [place, reason] of reasons.entries()) {
    const { fault = "" } = faults[place] ?? {};
    assert.ok(fault.startsWith("does not answer: ") && !fault.includes("\n"), fault);
    assert.match(fault, reason);
  }
  for (const command of ["migrate", "keys list", "accounts list --json"]) {
    const failed = await node.run(command, wrong);
    assert.equal(failed.status, 1);
    assert.ok(!`${failed.stdout}${failed.stderr}${stdout}${stderr}`.includes("very-secret"));
  }
});

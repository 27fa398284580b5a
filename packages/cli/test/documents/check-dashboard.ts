import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./blocks.ts";
import { environmentOf } from "./page-shell.ts";
import { type AskedService, post } from "./served-pages.ts";
import { startGrafana } from "./stand-in-grafana.ts";

interface Dashboard {
  readonly time: { readonly from: string; readonly to: string };
  readonly templating: { readonly list: readonly { readonly options: readonly Option[] }[] };
  readonly panels: readonly { readonly title: string; readonly targets: readonly Target[] }[];
}

interface Option {
  readonly value: string;
}

interface Target {
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly url: string;
  readonly parser: string;
  readonly url_options: { readonly method: string; readonly data: string };
  readonly root_selector: string;
  readonly columns: readonly { readonly selector: string; readonly type: string }[];
}

/**
 * Asks what each panel asks, with the session that renew-session gave to Grafana and for each
 * interval, and finds each column's values in the reply by the panel's own expression.
 */
export async function checkDashboard(demo: AskedService): Promise<void> {
  const grafana = await startGrafana();
  const env = { ...process.env, ...environmentOf(demo), ...grafana.environment };
  await renewSession(env);
  await renewSession(env);
  grafana.close();
  const update = "PUT /api/datasources/uid/sightline";
  assert.deepEqual(grafana.calls, [update, "POST /api/datasources", update]);
  const source = grafana.dataSource();
  assert.ok(source !== null);
  assert.equal(source.jsonData.auth_method, "bearerToken");
  assert.deepEqual(source.jsonData.allowedHosts, [demo.url]);
  const service = { ...demo, url: source.url, session: source.secureJsonData.bearerToken };
  const text = readFileSync(join(root, "deploy/grafana/dashboard.json"), "utf8");
  const { panels, templating, time }: Dashboard = JSON.parse(text);
  assert.equal(panels.length, 5);
  const intervals = templating.list.flatMap(({ options }) => options.map(({ value }) => value));
  assert.deepEqual(intervals, ["daily", "weekly", "monthly"]);
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap((target) => intervals.map((interval) => ({ target, interval }))),
  );
  for (const { target, interval } of asked) {
    assert.deepEqual(target.datasource, { type: source.type, uid: source.uid });
    assert.deepEqual([target.parser, target.url_options.method], ["jq-backend", "POST"]);
    const body = target.url_options.data
      .replace("$" + "{interval}", interval)
      .replace("$" + "{__from:date:iso}", time.from)
      .replace("$" + "{__to:date:iso}", time.to);
    const reply = await post(service, target.url, JSON.parse(body));
    assert.equal(reply.status, 200, `${target.url}: ${JSON.stringify(reply.body)}`);
    checkColumns(target, reply.body);
  }
}

async function renewSession(env: NodeJS.ProcessEnv): Promise<void> {
  const script = join(root, "deploy/grafana/renew-session");
  const { stdout, stderr } = await promisify(execFile)(script, { env });
  assert.deepEqual([stdout, stderr], ["", ""]);
}

/** What a column's values are, by its type in the plugin. */
const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  timestamp: (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
  string: (value) => typeof value === "string" && value !== "",
  number: (value) => typeof value === "number" || value === null,
};

function checkColumns({ root_selector, columns }: Target, reply: unknown): void {
  const { status, stdout, stderr } = spawnSync("jq", ["-c", root_selector], {
    input: JSON.stringify(reply),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, stderr);
  const lines = stdout.trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  assert.ok(rows.length > 1, `${root_selector} finds ${rows.length} rows`);
  for (const { selector, type } of columns) {
    for (const row of rows) {
      assert.ok(isOfType[type]?.(row[selector]), `${selector}: ${JSON.stringify(row)}`);
    }
    assert.ok(
      rows.some((row) => row[selector] !== null),
      `${selector} has no value`,
    );
  }
}

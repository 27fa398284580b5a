import assert from "node:assert/strict";
import { before, type TestContext, test } from "node:test";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { openCall } from "@sightline/test-kit/requests/open-call.ts";
import {
  type CorpusAnswer,
  corpusAnswer,
  corpusWorkspace,
} from "@sightline/test-kit/sample-corpus.ts";
import { until } from "@sightline/test-kit/until.ts";
import { allAccounts } from "../../src/accounts/account-store.ts";
import { untilAborted } from "../../src/platform/until-aborted.ts";
import { answersAt, ask, repliesOf, sessionOf } from "./cluster-client.ts";
import { type RunningCluster, startCluster, succeeded } from "./running-cluster.ts";

// Two service nodes, two shards of ClickHouse, PostgreSQL and Redis: one cluster for all tests,
// which run one after the other.

const ends: (() => Promise<void> | void)[] = [];
let cluster: RunningCluster;

before(async () => {
  cluster = await startCluster({ after: (hook) => void ends.unshift(hook as () => Promise<void>) });
});

test.after(async () => {
  for (const end of ends) await end();
});

/** Accounts enough for both shards. */
const names = ["Acme", "Birch", "Cedar", "Dogwood"];

interface Account {
  readonly accountId: string;
  readonly keyId: string;
  readonly token: string;
}

async function account(name: string, limits: { dailyQuota?: number } = {}): Promise<Account> {
  const workspace = { ...corpusWorkspace, account: { name } };
  const { accountId, keyId, key } = await cluster.account(workspace, limits);
  return { accountId, keyId, token: await sessionOf(cluster.urls[0] ?? "", key) };
}

function linesOf(first: number, end: number): string {
  const answers: CorpusAnswer[] = [];
  for (let number = first; number < end; number++) answers.push(corpusAnswer(number));
  return answers.map((answer) => `${JSON.stringify(answer)}\n`).join("");
}

function post(node: number, token: string, body: string) {
  const type = "application/x-ndjson";
  return ask(cluster.urls[node] ?? "", "/v1/answers", { token, body, type });
}

/** Of the corpus, three in four answers count. */
async function counted(token: string, first: number, end: number): Promise<void> {
  let wanted = 0;
  for (let number = first; number < end; number++) {
    if (corpusAnswer(number).outcome === "answered") wanted++;
  }
  for (const url of cluster.urls) {
    await until(`${wanted} answers count at ${url}`, async () =>
      (await answersAt(url, token)) === wanted ? true : null,
    );
  }
}

/** Sends what the console's page of a link sends. */
async function fromLink(node: number, path: string, body: object) {
  const reply = await fetch(`${cluster.urls[node] ?? ""}/console/first-run${path}`, {
    method: "POST",
    headers: { ...fromConsole, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

test("a link that one node printed creates the first account once, at either node", async () => {
  const [code = null, other = null] = cluster.firstRuns;
  assert.ok(code !== null && other !== null);
  const codes: readonly string[] = [code, other];
  const checked = await Promise.all([0, 1].map((node) => fromLink(node, "", { code })));
  assert.deepEqual([checked[0]?.status, checked[0]], [200, checked[1]]);
  // A browser that is balanced to both nodes sends the form twice.
  const workspace = { ...corpusWorkspace, account: { name: "First" } };
  const made = await Promise.all(
    [1, 0, 1].map((node) => fromLink(node, "/account", { code, workspace })),
  );
  const [created, ...others] = made.toSorted((one, two) => one.status - two.status);
  assert.deepEqual(
    [created?.status, ...others.map(({ status, body }) => `${status} ${String(body["code"])}`)],
    [200, "401 key_invalid", "401 key_invalid"],
  );
  const accounts = await cluster.beside(({ control }) => allAccounts(control));
  assert.deepEqual(
    accounts.map(({ name }) => name),
    ["First"],
  );
  const token = await sessionOf(cluster.urls[0] ?? "", String(created?.body["key"]));
  for (const node of cluster.urls.keys()) {
    const shown = await ask(cluster.urls[node] ?? "", "/v1/workspace", { token });
    assert.equal(shown.status, 200, shown.body);
    for (const each of codes) {
      assert.equal((await fromLink(node, "", { code: each })).status, 401);
      const again = await fromLink(node, "/account", { code: each, workspace });
      assert.equal(again.status, 401);
    }
  }
});

test("answers that one node takes count at both, in equal replies", async () => {
  for (const [place, name] of names.entries()) {
    const { token } = await account(name);
    const reply = await post(place % 2, token, linesOf(0, 300));
    assert.equal(reply.status, 200, reply.body);
    await counted(token, 0, 300);
    const [one, two] = await Promise.all(cluster.urls.map((url) => repliesOf(url, token)));
    assert.ok(one !== null && one !== undefined);
    assert.deepEqual(one, two);
  }
});

test("a key that is revoked dies at both nodes within 5 s, with what it began", async (t) => {
  const { keyId, token } = await account("Elder");
  const head = { method: "POST", path: "/v1/answers", type: "application/x-ndjson" } as const;
  const imports = [];
  for (const url of cluster.urls) {
    assert.equal((await ask(url, "/v1/workspace", { token })).status, 200);
    imports.push(await openCall(t, url, { ...head, token, first: linesOf(0, 1) }));
  }
  succeeded(await cluster.run("keys", "revoke", keyId));
  const ended = imports.map(({ reply }) => reply); // their bodies never end
  const late = AbortSignal.timeout(5_000);
  const replies = await untilAborted(Promise.all(ended), late);
  for (const { status, body } of replies) {
    assert.deepEqual([status, body["code"]], [401, "session_invalid"]);
  }
  for (const url of cluster.urls) {
    const dies = async () =>
      (await ask(url, "/v1/workspace", { token })).status === 401 ? true : null;
    await until(`the session ends at ${url}`, dies, 5_000);
  }
});

test("a quota holds over both nodes, to the call", async () => {
  const { token } = await account("Fir", { dailyQuota: 41 }); // the exchange was one of them
  const calls = Array.from({ length: 90 }, (_, place) =>
    ask(cluster.urls[place % 2] ?? "", "/v1/workspace", { token }),
  );
  const replies = await Promise.all(calls);
  assert.equal(replies.filter(({ status }) => status === 200).length, 40);
  assert.equal(replies.filter(({ status }) => status === 429).length, 50);
});

test("a node killed while it imports loses nothing, and the other goes on", async (t) => {
  const { accountId, token } = await account("Ginkgo");
  const lines = linesOf(0, 4_000);
  const cut = post(0, token, lines);
  await recordedSome(accountId);
  await cluster.killNode(0);
  await cut;
  t.after(() => undefined);
  const again = await post(1, token, lines);
  assert.equal(again.status, 200, again.body);
  const { accepted, duplicates } = JSON.parse(again.body) as {
    accepted: number;
    duplicates: number;
  };
  assert.equal(accepted + duplicates, 4_000);
  await cluster.startNode(0);
  await counted(token, 0, 4_000);
});

test("a shard killed amid inserts and questions gives clean errors, and heals", async (t) => {
  const accounts = await Promise.all(
    ["Hazel", "Iris", "Juniper", "Kapok"].map((name) => account(name)),
  );
  await healsAfterKill(t, accounts, 0);
  await healsAfterKill(t, accounts, 1);
});

let imported = 0;

async function healsAfterKill(t: TestContext, accounts: readonly Account[], shard: number) {
  const [first, end] = [imported, imported + 1_500];
  imported = end;
  const lines = linesOf(first, end);
  const posts = accounts.map(({ token }, place) => post(place % 2, token, lines));
  await cluster.shards.kill(shard);
  const asked = await Promise.all(
    accounts.map(({ token }, place) => repliesStatuses(place % 2, token)),
  );
  for (const status of asked.flat()) assert.ok([200, 503].includes(status), `status ${status}`);
  t.diagnostic(`while shard ${shard} was away: ${asked.flat().join(" ")}`);
  await cluster.shards.restart(shard);
  await Promise.all(posts);
  for (const { token } of accounts) {
    await until(
      "questions are answered again",
      async () => ((await repliesOf(cluster.urls[1] ?? "", token)) === null ? null : true),
      20_000,
    );
    const again = await post(0, token, lines);
    assert.equal(again.status, 200, again.body);
    await counted(token, 0, end);
  }
}

async function repliesStatuses(node: number, token: string): Promise<readonly number[]> {
  const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) {
    const body = JSON.stringify({ interval: "daily", filters: { timeRange } });
    const url = cluster.urls[node] ?? "";
    statuses.push((await ask(url, "/v1/analytics/brands/mentions", { token, body })).status);
  }
  return statuses;
}

async function recordedSome(accountId: string): Promise<void> {
  await cluster.beside(async ({ countAnswers }) => {
    const some = async () => ((await countAnswers(accountId)).answers > 0 ? true : null);
    await until("some answers are recorded", some);
  });
}

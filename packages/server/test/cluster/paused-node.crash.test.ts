import assert from "node:assert/strict";
import { before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { corpusFile, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { until } from "@sightline/test-kit/until.ts";
import { answersAt, ask, repliesOf, sessionOf } from "./cluster-client.ts";
import { type EmbeddedReplies, embeddedReplies } from "./embedded-replies.ts";
import { type RunningCluster, startCluster, succeeded } from "./running-cluster.ts";

// A node that sleeps with all its connections open (SIGSTOP) is not dead: it wakes and goes on.

/** Longer than a lease (6 s), and than a connection that holds a lock may be silent (5 s). */
const pausedMs = 8_000;
const answers = 12_000;
const lines = corpusFile(answers);

const ends: (() => unknown)[] = [];
let cluster: RunningCluster;

before(async () => {
  cluster = await startCluster({ after: (hook) => void ends.unshift(hook as () => unknown) });
});

test.after(async () => {
  for (const end of ends) await end();
});

test("a node that sleeps amid a projection doubles nothing when it wakes", async (t) => {
  const { workspace, accountId, token } = await account("Acme");
  const expected = (await embeddedReplies([workspace], answers)).get(accountId);
  for (const node of [0, 1]) cluster.pauseNode(node);
  const file = cluster.file("answers.ndjson", lines);
  succeeded(await cluster.run("import", file, "--account", accountId, "--json"));
  cluster.wakeNode(0); // which then projects, alone
  const counted = await until("some answers count", () => countAt(0, token), 20_000);
  cluster.pauseNode(0);
  const paused = performance.now();
  t.diagnostic(`asleep when ${counted} answers counted`);
  cluster.wakeNode(1);
  assert.ok(expected !== undefined && counted < expected.counted);
  await complete(1, token, expected);
  t.diagnostic(`replaced after ${Math.round(performance.now() - paused)} ms`);
  await wake(paused);
  for (const node of [0, 1]) await complete(node, token, expected);
});

test("a node that sleeps amid an import holds up nobody, and doubles nothing", async (t) => {
  const { workspace, accountId, token } = await account("Birch");
  const expected = (await embeddedReplies([workspace], answers)).get(accountId);
  const first = post(0, token);
  await until("some answers count", () => countAt(1, token), 20_000);
  cluster.pauseNode(0);
  const paused = performance.now();
  const { status, body } = await post(1, token);
  assert.equal(status, 200, body);
  const { accepted, duplicates } = JSON.parse(body) as { accepted: number; duplicates: number };
  assert.equal(accepted + duplicates, answers);
  t.diagnostic(`${duplicates} recorded before; ${Math.round(performance.now() - paused)} ms`);
  await wake(paused);
  assert.ok([200, 503].includes((await first).status), (await first).body);
  for (const node of [0, 1]) await complete(node, token, expected);
});

async function account(name: string) {
  const workspace = { ...corpusWorkspace, account: { name } };
  const { accountId, key } = await cluster.account(workspace);
  return { workspace, accountId, token: await sessionOf(cluster.urls[0] ?? "", key) };
}

function post(node: number, token: string) {
  const type = "application/x-ndjson";
  return ask(cluster.urls[node] ?? "", "/v1/answers", { token, body: lines, type });
}

/** Null: none. */
async function countAt(node: number, token: string): Promise<number | null> {
  return (await answersAt(cluster.urls[node] ?? "", token)) || null;
}

/** Everything counts, once, and the replies are those of an embedded service. */
async function complete(
  node: number,
  token: string,
  expected: EmbeddedReplies | undefined,
): Promise<void> {
  const isComplete = async () => ((await countAt(node, token)) === expected?.counted ? true : null);
  await until(`all answers count at node ${node}`, isComplete, 20_000);
  // A node that has just woken may have lost a connection: 503, and then it is well again.
  const replied = () => repliesOf(cluster.urls[node] ?? "", token);
  const replies = await until("the questions are answered", replied, 5_000);
  assert.ok(isDeepStrictEqual(replies, expected?.replies), `other replies at node ${node}`);
}

/** Wakes the node when it has slept for long enough. */
async function wake(paused: number): Promise<void> {
  const isLong = () => (performance.now() - paused > pausedMs ? true : null);
  await until("it has slept", isLong, 2 * pausedMs);
  cluster.wakeNode(0);
}

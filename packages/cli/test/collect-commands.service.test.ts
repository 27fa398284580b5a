import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  type CollectionsResponse,
  collectionSchema,
  collectionsResponseSchema,
  type ListedCollection,
  type StartedCollection,
  startedCollectionSchema,
} from "@sightline/contract";
import { standInCredentials, startStandIn } from "@sightline/stand-in";
import { vendorEnvironment } from "@sightline/test-kit/collection/vendor-environment.ts";
import {
  printedDocument,
  startCommand,
  startServing,
  stopped,
} from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { runHosted } from "./command-host.ts";

const workspace = {
  account: "Acme",
  brand: "Acme",
  topics: ["Anvils"],
  prompts: [{ text: "What is the best anvil?", topic: "Anvils" }, "Who ships overnight?"],
  collection: { cron: "0 6 * * 1", providers: ["OPENAI", "GOOGLE_AI_OVERVIEW"] },
};

/** A data folder with a workspace, and a stand-in of the vendors. */
async function collecting(t: TestContext, { faults = {}, caps = {} } = {}) {
  const folder = temporaryFolder();
  const standIn = await startStandIn({ faults });
  t.after(async () => {
    await standIn.close();
    rmSync(folder, { recursive: true });
  });
  const declared = { ...workspace, collection: { ...workspace.collection, caps } };
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(declared));
  const credentials = vendorEnvironment(standIn.url);
  const run = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runHosted(words, { folder, environment });
  assert.equal((await run(["apply", "workspace.json"])).status, 0);
  return { folder, standIn, credentials, run };
}

const now = ["collect", "--now"];

test("--dry-run says what it would cost, and --now asks until all counts", async (t) => {
  const { run, credentials, standIn } = await collecting(t);
  const dry = await run([...now, "--dry-run", "--json"]);
  const estimate = startedCollectionSchema.parse(printedDocument<StartedCollection>(dry));
  assert.deepEqual([dry.status, estimate.id, estimate.jobs], [0, null, 4]);
  const none = await run([...now, "--dry-run"]);
  assert.match(none.stdout, /\nNo provider can be queried: no credentials are configured\.\n/);
  const { SIGHTLINE_OPENAI_KEY: key = "" } = credentials;
  const one = await run([...now, "--dry-run"], { SIGHTLINE_OPENAI_KEY: key });
  assert.match(one.stdout, /\n2 of these can be sent, for \$0\.\d{4}: the others lack a /);
  const asked = await run(now, credentials);
  assert.equal(asked.status, 0, asked.stderr);
  assert.match(asked.stdout, /^provider +surface +questions +calls +tokens +searches +dollars\n/);
  assert.match(asked.stdout, /\n4 questions, estimated at \$0\.\d{4} by the prices of 20\d\d-/);
  assert.match(
    asked.stdout,
    /\nAll 4 questions are answered, and count\. \$0\.\d{4} was spent\.\n$/,
  );
  const status = await run(["collect", "status", "--json"]);
  const listed = collectionsResponseSchema.parse(printedDocument<CollectionsResponse>(status));
  const [sweep] = listed.collections;
  assert.deepEqual([listed.collectors, sweep?.done, sweep?.missing], [0, 4, 0]);
  const billed = Object.values(standIn.bill().totals).reduce((sum, { micros }) => sum + micros, 0);
  const spent = listed.spend.month.reduce((sum, { dollars }) => sum + dollars, 0);
  assert.ok(Math.abs(spent - billed / 1e6) < 1e-9, `${spent} and ${billed}`);
  const shown = await run(["collect", "status", sweep?.id ?? ""]);
  assert.match(shown.stdout, /\nOPENAI +api +2 +2 +0 +0\.\d{4} +20\d\d-/);
  assert.match(
    (await run(["collect", "status"])).stdout,
    /No process collects: nothing is asked\./,
  );
  const cancelled = await run(["collect", "cancel", sweep?.id ?? "", "--json"]);
  const ended = collectionSchema.parse(printedDocument<ListedCollection>(cancelled));
  assert.deepEqual([ended.done, ended.endedAt], [4, sweep?.endedAt]);
});

test("answers that are missing are status 2, none at all is status 1", async (t) => {
  const { run, credentials, standIn } = await collecting(t);
  standIn.setFaults({ vendors: { openai: { rates: { incomplete: 1 } } } });
  const some = await run([...now, "--json"], credentials);
  const { collection } = printedDocument<{ collection: ListedCollection }>(some);
  assert.deepEqual([some.status, collection.done, collection.missing], [2, 2, 2]);
  const none = await run([...now, "--provider", "openai"], credentials);
  assert.equal(none.status, 1);
  assert.match(none.stdout, /0 of 2 questions are answered, and count; 2 are missing\./);
  assert.match(none.stdout, /\nOPENAI: 2 failed: /);
});

test("a vendor that is stopped is said once, and ends the command when all are", async (t) => {
  const { run, credentials, standIn } = await collecting(t);
  const wrong = { ...credentials, SIGHTLINE_OPENAI_KEY: "a-wrong-key-of-openai" };
  const one = await run([...now, "--provider", "openai"], wrong);
  assert.equal(one.status, 1, one.stdout);
  const [said, ended, ...others] = one.stderr.trim().split("\n");
  assert.match(said ?? "", /^openai is stopped: .*401.* Check SIGHTLINE_OPENAI_KEY and the acc/);
  assert.match(ended ?? "", /^sightline: Every vendor of the open questions is stopped\./);
  assert.deepEqual(others, []);
  const status = await run(["collect", "status"]);
  assert.match(status.stdout, /\n[0-9a-f-]{36} +\S+ +now +0\/2 /);
  standIn.setFaults({ rates: { dailyQuota: 1 } });
  const quota = await run([...now, "--provider", "gemini"], credentials);
  assert.equal(quota.status, 1, quota.stdout);
  assert.match(quota.stderr, /^gemini is not asked until 20\d\d-\S+: .*429.*quota/);
});

test("apply and the estimate warn of a cap that asks nothing", async (t) => {
  const { run, folder } = await collecting(t, { caps: { dollarsPerDay: 0.3 } });
  const warning = /the cap caps\.dollarsPerDay of 0\.3 is below what one question of OPENAI may /;
  assert.match((await run([...now, "--dry-run"])).stdout, warning);
  assert.match((await run(["apply", join(folder, "workspace.json")])).stderr, warning);
});

test("check tells keys and models for nothing, and asks with --yes", async (t) => {
  const { run, credentials, folder, standIn } = await collecting(t);
  const check = ["collect", "check"];
  const free = await run(check, credentials);
  assert.equal(free.status, 0, free.stderr);
  assert.match(free.stdout, /\nopenai +OPENAI +yes +gpt-6\.2-sol +yes +- +200 /);
  assert.match(
    free.stdout,
    /\n8 paid questions: about \$0\.\d\d, at most \$\d\.\d\d\. To ask, add /,
  );
  assert.equal(standIn.bill().requests.length, 0);
  const samples = join(folder, "samples");
  const words = [...check, "--provider", "OPENAI", "--yes", "--samples-dir", samples];
  const { SIGHTLINE_CLORO_KEY: _cloro, ...withoutPages } = credentials;
  const paid = await run([...words, "--json"], withoutPages);
  const { checked } = printedDocument<{ checked: readonly { sample: string; paid: object }[] }>(
    paid,
  );
  assert.equal(paid.status, 0);
  assert.deepEqual([checked.length, standIn.bill().requests.length], [1, 1]);
  const sample = readFileSync(checked[0]?.sample ?? "", "utf8");
  assert.match(sample, /"id": "redacted"/);
  assert.doesNotMatch(sample, /stand-in-openai/);
  standIn.setFaults({ rates: { renamedList: 1 } });
  const renamed = await run(words, withoutPages);
  assert.equal(renamed.status, 1);
  assert.match(renamed.stdout, /\nopenai: missing keys: output\[\]\.content\[\]\.annotations/);
  assert.equal((await run(check)).status, 2);
});

test("a credential is read from standard input, asked with, and removed", async (t) => {
  const { run, standIn, folder } = await collecting(t);
  const stored = ["collect", "credentials"];
  const set = (vendor: string, input: string) =>
    runHosted([...stored, "set", vendor], { folder, input, environment: {} });
  assert.equal((await run([...stored, "list"])).stdout, "No vendor has a credential.\n");
  const faulty = await set("openai", "short\n");
  assert.deepEqual([faulty.status, faulty.stdout], [2, ""]);
  assert.match(faulty.stderr, /Standard input: the credential has 5 characters\./);
  const done = await set("openai", `${standInCredentials.openai}\n`);
  assert.equal(done.stdout, "The credential of openai was stored.\n", done.stderr);
  const listed = await run([...stored, "list", "--json"]);
  const { credentials } = printedDocument<{ credentials: readonly object[] }>(listed);
  assert.deepEqual(
    credentials.map((each) => ({ ...each, storedAt: null })),
    [{ vendor: "openai", source: "stored", storedAt: null }],
  );
  const at = { SIGHTLINE_VENDOR_STAND_IN: standIn.url };
  assert.equal((await run(["collect", "check"], at)).status, 2, "the environment has none");
  const applied = await run(["apply", "workspace.json", "--json"]);
  const { accountId } = printedDocument<{ accountId: string }>(applied);
  const check = await run(["collect", "check", "--account", accountId], at);
  assert.equal(check.status, 0, check.stderr);
  assert.match(check.stdout, /\nopenai +OPENAI +yes /);
  const asked = await run([...now, "--provider", "openai"], at);
  assert.equal(asked.status, 0, asked.stderr);
  assert.match(asked.stdout, /\nAll 2 questions are answered, and count\./);
  const removed = await run([...stored, "remove", "openai"]);
  assert.equal(removed.stdout, "The credential of openai was removed.\n");
  assert.equal((await run([...stored, "remove", "openai"])).status, 1);
  const shown = [done, listed, check, asked, removed].map(({ stdout, stderr }) => stdout + stderr);
  assert.ok(!shown.join("").includes(standInCredentials.openai));
});

test("prompts and topics are named, regions and samples chosen", async (t) => {
  const { run } = await collecting(t);
  const jobs = async (...words: readonly string[]) => {
    const dry = await run([...now, "--dry-run", "--json", ...words]);
    return printedDocument<StartedCollection>(dry).estimates.map((each) => {
      return `${each.provider} ${each.jobs}`;
    });
  };
  assert.deepEqual(await jobs("--prompt", "best anvil", "--provider", "grok"), ["GROK 1"]);
  const ofTopic = await jobs("--topic", "anvils", "--samples", "3", "--region", "us", "de");
  assert.deepEqual(ofTopic, ["OPENAI 6", "GOOGLE_AI_OVERVIEW 6"]);
  const serpapi = { SIGHTLINE_SERPAPI_KEY: "stand-in-serpapi" };
  assert.match(
    (await run([...now, "--dry-run"], serpapi)).stdout,
    /\nGOOGLE_AI_OVERVIEW is asked of serpapi instead of dataforseo\. No process that collects has/,
  );
});

test("a service asks and is followed; without it nothing is asked", async (t) => {
  const { run, credentials, folder } = await collecting(t);
  const serving = await startServing(join(folder, "data"), { environment: credentials });
  t.after(() => serving.process.kill("SIGKILL"));
  const created = await run(["keys", "create", "--scope", "manage", "--json"]);
  const { key } = printedDocument<{ key: string }>(created);
  const environment = { SIGHTLINE_KEY: key };
  const asked = await run([...now, "--url", serving.url, "--json"], environment);
  assert.equal(asked.status, 0, asked.stderr);
  const { id, collection } = printedDocument<StartedCollection & { collection: ListedCollection }>(
    asked,
  );
  assert.deepEqual([collection.id, collection.done], [id, 4]);
  // While others write, the service may not have said yet that it collects.
  const { vendors } = await until("the service is listed as a collector", async () => {
    const status = ["collect", "status", "--url", serving.url, "--json"];
    const said = printedDocument<CollectionsResponse>(await run(status, environment));
    return said.collectors === 1 ? said : null;
  });
  // A reader's key alone is asked for nothing: there is no address.
  const others = vendors.filter(({ vendor }) => vendor !== "reader");
  assert.ok(others.every(({ state }) => state === "ready"));
  // A command without credentials leaves the work to the service, and follows it.
  const followed = await run([...now, "--provider", "openai", "--json"]);
  assert.equal(followed.status, 0, followed.stderr);
  await stopped(serving);
  const off = await run([...now, "--json"]);
  assert.equal(off.status, 1);
  assert.match(off.stderr, /has a credential of openai\. Set SIGHTLINE_OPENAI_KEY\./);
});

test("an interrupted command leaves its sweep, and a collector goes on", async (t) => {
  const { run, credentials, folder, standIn } = await collecting(t, {
    faults: { latencyMs: 300_000 },
  });
  const environment = { ...credentials, SIGHTLINE_COLLECT_CONCURRENCY: "1" };
  const first = startCommand(now, { folder, environment });
  t.after(() => first.process.kill("SIGKILL"));
  const asked = () => Object.values(standIn.bill().totals).some(({ received }) => received > 0);
  await until("a question is asked", async () => (asked() ? true : null));
  first.process.kill("SIGINT");
  const { status, stderr } = await first.finished;
  assert.equal(status, 1);
  const [, id = ""] = /Sweep (\S+) continues as soon as a process collects/.exec(stderr) ?? [];
  standIn.setFaults({});
  const collector = startCommand(["collect"], { folder, environment: credentials });
  t.after(() => collector.process.kill("SIGKILL"));
  const ended = await until("the sweep has ended", async () => {
    const shown = await run(["collect", "status", id, "--json"]);
    const sweep = printedDocument<ListedCollection>(shown);
    return sweep.endedAt === null ? null : sweep;
  });
  // A provider that was asked when it was interrupted is not asked again: it may have been billed.
  assert.deepEqual([ended.jobs, ended.done, ended.missing], [4, 2, 2]);
  const { stdout } = await stopped(collector);
  assert.match(stdout, /^collecting from openai, /);
});

test("what a cap holds back is said, and waits for the next day", async (t) => {
  const { run, credentials, folder } = await collecting(t, { caps: { callsPerDay: 1 } });
  const asking = startCommand([...now, "--provider", "OPENAI"], {
    folder,
    environment: credentials,
  });
  t.after(() => asking.process.kill("SIGKILL"));
  const warned = new Promise((resolve) => asking.process.stderr.once("data", resolve));
  const sweep = await until("a cap holds a question", async () => {
    const status = await run(["collect", "status", "--json"]);
    const [latest] = printedDocument<CollectionsResponse>(status).collections;
    return latest?.parts[0]?.heldUntil == null || latest.done === 0 ? null : latest;
  });
  const tomorrow = new Date(new Date(sweep.createdAt).setUTCHours(24, 0, 0, 0)).toISOString();
  const said = `A cap of the day is reached: 1 question of OPENAI (api) waits until ${tomorrow}.\n`;
  assert.equal(sweep.parts[0]?.heldUntil, tomorrow);
  for (const words of [
    ["collect", "status"],
    ["collect", "status", sweep.id],
  ]) {
    assert.ok((await run(words)).stdout.includes(said), words.join(" "));
  }
  await warned;
  asking.process.kill("SIGINT");
  const { stderr } = await asking.finished;
  assert.equal(stderr.split(said).length, 2, stderr);
  assert.match(stderr, /Interrupt it to leave them to another process that collects\.\n/);
});

test("what cannot be is said: options without --now, unknown names, no credential", async (t) => {
  const { run } = await collecting(t);
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["collect", "--provider", "grok"], 2, /Without --now it collects for all by their schedules/],
    [["collect"], 2, /No credential of a vendor is set/],
    [[...now, "--prompt", "spade"], 2, /--prompt: "spade" is not one of the account's prompts/],
    [[...now, "--prompt", "anvil", "--topic", "Anvils"], 2, /exclude each other/],
    [[...now, "--provider", "bard"], 2, /Allowed choices are GEMINI/],
    [[...now, "--region", "USA"], 2, /Use countries of ISO 3166-1/],
    [[...now, "--samples", "21"], 2, /integer from 1 to 20/],
    [["collect", "status", "x"], 1, /No sweep has the id x/],
    [["collect", "cancel", "x"], 1, /No sweep has the id x/],
    [["collect", "accept", "x"], 1, /No sweep has the id x/],
    [[...now, "--url", "http://127.0.0.1:1", "--account", "x"], 2, /do not go with --url/],
  ];
  for (const [words, status, message] of cases) {
    const finished = await run(words);
    assert.equal(finished.status, status, words.join(" "));
    assert.match(finished.stderr, message);
  }
});

test("a sweep whose answers look wrong is not waited for, and counts once accepted", async (t) => {
  const prompts = Array.from({ length: 30 }, (_, index) => `Which anvil is best, ${index}?`);
  const { run, credentials, standIn, folder } = await collecting(t);
  const declared = { ...workspace, topics: [], prompts, collection: { providers: ["GEMINI"] } };
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(declared));
  assert.equal((await run(["apply", "workspace.json"])).status, 0);
  assert.equal((await run([...now, "--json"], credentials)).status, 0);
  standIn.setFaults({ rates: { renamedGrounding: 1 } });
  const held = await run([...now, "--json"], credentials);
  assert.equal(held.status, 1);
  const { collection } = printedDocument<{ readonly collection: ListedCollection }>(held);
  const id = collection.id;
  const why = "Of 30 answers of gemini-3.8-flash, 0 cite a page; in the sweeps before, 100 % did.";
  assert.deepEqual(collection.parts[0]?.suspicious, [why]);
  const shown = await run(["collect", "status"]);
  assert.ok(
    shown.stdout.includes(
      `GEMINI is held back: ${why} If the answers are right: sightline collect accept ${id}`,
    ),
  );
  const accepted = await run(["collect", "accept", id, "--json"]);
  assert.deepEqual(printedDocument<ListedCollection>(accepted).parts[0]?.suspicious, []);
  // The next process that collects publishes it; its answers are the new normal.
  assert.equal((await run([...now, "--json"], credentials)).status, 0);
  const status = await run(["collect", "status", id, "--json"]);
  assert.notEqual(printedDocument<ListedCollection>(status).endedAt, null);
});

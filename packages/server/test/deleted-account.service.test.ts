import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import { corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { deleteAccount, deletedAccounts } from "../src/accounts/account-deletions.ts";
import { eraseAccount } from "../src/answers/corrections/corrections.ts";
import { keysOf } from "../src/keys/key-store.ts";

/** Everything of the account that is deleted has this word. */
const secret = "Unfindable";

function workspaceOf(name: string) {
  const [prompt] = corpusWorkspace.prompts;
  return {
    ...corpusWorkspace,
    account: { name },
    brand: { name: `${name} brand`, domains: ["acme.com"] },
    prompts: [...corpusWorkspace.prompts.slice(1), { ...prompt, text: `${name}?` }],
  };
}

const answersOf = (name: string) =>
  corpusAnswers(300).map((answer) => ({ ...answer, text: `${answer.text} ${name}` }));

async function accountOf(service: TestService, name: string) {
  const accountId = await service.apply(workspaceOf(name));
  await service.import(accountId, answersOf(name));
  const token = await service.session(accountId, ["read", "import"]);
  const replies = () => fiveReplies((path, body) => service.post(path, { token, body }));
  return { accountId, token, replies };
}

test("a command deletes an account of a running server, which closes its files", async (t) => {
  const dataDir = temporaryFolder();
  const service = await TestService.start({ dataDir: join(dataDir, "data") });
  t.after(async () => {
    await service.close();
    rmSync(dataDir, { recursive: true });
  });
  const other = await accountOf(service, "Other");
  const { accountId, token, replies } = await accountOf(service, secret);
  const [before, unchanged] = [await replies(), await other.replies()];
  assert.ok(before !== null);
  const evidence = await service.post("/v1/evidence", {
    token,
    body: {
      filters: { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" } },
      role: "any",
    },
  });
  assert.equal(evidence.status, 200, "a thread of its own has the record open");
  const run = (...parameters: string[]) =>
    runCommand([
      "accounts",
      "delete",
      accountId,
      ...parameters,
      "--data-dir",
      join(dataDir, "data"),
    ]);
  assert.equal((await run()).status, 2, "nobody was asked");
  const described = { accountId, name: secret, answers: 300, keys: 1 };
  const counted = await run("--dry-run", "--json");
  assert.deepEqual(printedDocument(counted), { ...described, deleted: false });
  assert.deepEqual(await replies(), before);
  const deleted = await run("--yes", "--json");
  assert.deepEqual(printedDocument(deleted), { ...described, deleted: true }, deleted.stderr);
  assert.equal((await service.post("/v1/analytics/sources", { token, body: {} })).status, 401);
  assert.deepEqual(filesWith(join(dataDir, "data")), []);
  const openFiles = () =>
    readdirSync("/proc/self/fd").filter((fd) => linkOf(`/proc/self/fd/${fd}`).includes(accountId));
  await until("the server has closed them", () => openFiles().length === 0 || null);
  assert.deepEqual(filesWith(join(dataDir, "data")), [], "the server brings nothing back");
  assert.deepEqual(await other.replies(), unchanged);
  const again = await accountOf(service, secret);
  assert.deepEqual([again.accountId, await again.replies()], [accountId, before]);
});

const service = await TestService.start();
after(() => service.close());
const { services } = service;

test("an account that is deleted is gone, and can be made anew", async () => {
  const other = await accountOf(service, "Other");
  const { accountId, token, replies } = await accountOf(service, secret);
  const [before, unchanged] = [await replies(), await other.replies()];
  const { control, answers, cluster } = services;
  assert.equal(await deleteAccount(control, accountId, service.clock.now()), true);
  assert.equal(await deleteAccount(control, accountId, service.clock.now()), false);
  assert.equal((await service.post("/v1/analytics/sources", { token, body: {} })).status, 401);
  await assert.rejects(service.apply(workspaceOf(secret)), /is being deleted/);
  await assert.rejects(service.record(accountId, answersOf(secret)), /was deleted/);
  await eraseAccount({ ...services, eraseFacts: cluster?.eraseFacts ?? null }, accountId);
  assert.deepEqual(await answers.end(accountId), { sequence: 0, recordedAtMs: null });
  const hasNoFacts = async () => (await services.engine.state(accountId)) === null || null;
  await until("its facts are gone", hasNoFacts);
  assert.deepEqual(await keysOf(control, accountId), []);
  assert.deepEqual(await other.replies(), unchanged);
  const again = await accountOf(service, secret);
  assert.deepEqual([again.accountId, await again.replies()], [accountId, before]);
});

test("a deletion that broke off is ended by the server", async () => {
  const { accountId } = await accountOf(service, `${secret} too`);
  await deleteAccount(services.control, accountId, service.clock.now());
  service.clock.advance(30_000);
  const isEnded = async () => {
    const deletions = await deletedAccounts(services.control);
    return deletions.find((each) => each.accountId === accountId)?.isEnded || null;
  };
  await until("it has ended", isEnded);
  assert.deepEqual(await services.answers.end(accountId), { sequence: 0, recordedAtMs: null });
  assert.equal(await services.engine.state(accountId), null);
  service.clock.advance(3_600_001);
  const isForgotten = async () => (await deletedAccounts(services.control)).length === 0 || null;
  await until("nothing is noted of it", isForgotten);
});

/** The files below a folder in which the secret stands. */
function filesWith(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(root, name);
    return statSync(path).isFile() && readFileSync(path).includes(secret);
  });
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // it was closed meanwhile
  }
}

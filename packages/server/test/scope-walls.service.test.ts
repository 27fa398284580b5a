import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { collectionsPath, roles, type Scope, scopes, scopesOfRole } from "@sightline/contract";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { oracleRuns } from "@sightline/test-kit/oracle/runs.ts";
import { invited, PersonPage } from "@sightline/test-kit/person-page.ts";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import { corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { newJobs, newSweep } from "@sightline/test-kit/sweeps.ts";
import { type TestReply, TestService } from "@sightline/test-kit/test-service.ts";
import { entitiesOf, workspaceOf } from "../src/accounts/account-store.ts";
import { importById, importsOf } from "../src/answers/import-store.ts";
import { sweepById, sweepsOf } from "../src/collection/store/sweep-reads.ts";
import { addSweep } from "../src/collection/store/sweep-store.ts";
import { keysOf } from "../src/keys/key-store.ts";
import { linkById } from "../src/links/link-store.ts";
import { membersOf } from "../src/people/person-store.ts";
import { operationsOf } from "../src/server.ts";

const routes = operationsOf(false);

const service = await TestService.start();
after(() => service.close());

const accountsCount = 5;
const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };
const earlier = { from: "2025-11-01T00:00:00Z", to: "2026-01-01T00:00:00Z" };
/** All accounts have a report of this name. */
const reportBody = {
  report: "Weekly",
  period: { startDate: "2026-01-01", endDate: "2026-02-28" },
};
/** Each set of scopes that a key may have. */
const scopeSets: readonly (readonly Scope[])[] = Array.from(
  { length: 2 ** scopes.length - 1 },
  (_, number) => scopes.filter((_scope, place) => ((number + 1) & (1 << place)) !== 0),
);
const sharedLink = {
  name: "board",
  kind: "csv",
  view: { page: "overview", period: "all" },
} as const;
const scopedRoutes = routes.filter((route) => "scope" in route);

const allScopes = scopeSets.at(-1) ?? [];

/** Names, texts and pages of an account have its mark; ids of prompts and topics are shared. */
async function accountOf(number: number) {
  const mark = `zz${number}mark`;
  const file = {
    ...corpusWorkspace,
    account: { name: `Account ${mark}` },
    brand: { name: `Acme ${mark}`, domains: ["acme.com", `${mark}.com`] },
    prompts: corpusWorkspace.prompts.map(({ text, ...prompt }) => {
      return { ...prompt, text: `${text} ${mark}` };
    }),
    reports: [{ name: "Weekly", subtitle: mark, period: "last-week", sections: ["prompts"] }],
  };
  const accountId = await service.apply(file);
  const answers = corpusAnswers(40 + number).map((answer) => ({
    ...answer,
    text: `${answer.text} ${mark}`,
    citations: [...answer.citations, { url: `https://${mark}.com/page` }],
  }));
  await service.import(accountId, answers);
  const callers = await callersOf(accountId, number);
  const { control, answers: record } = service.services;
  const [[imported], keys, [entity], [answer]] = await Promise.all([
    importsOf(control, accountId),
    keysOf(control, accountId),
    entitiesOf(control, accountId),
    record.read(accountId, { after: 0, limit: 1 }),
  ]);
  const sweep = newSweep(service.clock.now(), newJobs(1));
  await addSweep(control, accountId, sweep, service.clock.now());
  const link = await service.services.links.create(accountId, { ...sharedLink, expiresAt: null });
  const token = await service.session(accountId, allScopes);
  const made = await service.post("/v1/reports", { token, body: reportBody });
  const replies = () => fiveReplies((path, body) => service.post(path, { token, body }));
  const [personId = ""] = (await membersOf(control, accountId)).map(({ id }) => id);
  const { invitationId } = await invited(service, accountId, {
    email: `invited.${number}@example.com`,
    role: "viewer",
  });
  const ids = {
    personId,
    invitationId,
    importId: imported?.id ?? "",
    keyId: keys[0]?.id ?? "",
    entityId: entity?.id ?? "",
    id: answer?.id ?? "",
    sweepId: sweep.id,
    reportId: made.json<{ id: string }>().id,
    linkId: link?.link.id ?? "",
  };
  const named = { ...file, account: { id: accountId, ...file.account } };
  return { accountId, mark, file: named, callers, replies, ids };
}

/** Somebody who calls: with a key of some scopes, or as a person with a role. */
interface Caller {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** What precedes the addresses of the API. */
  readonly prefix: (accountId: string) => string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The keys of an account, and its people: one of each role. */
async function callersOf(accountId: string, number: number): Promise<readonly Caller[]> {
  const callers: Caller[] = [];
  for (const set of scopeSets) {
    const headers = { authorization: `Bearer ${await service.session(accountId, set)}` };
    callers.push({ name: set.join(" "), scopes: set, prefix: () => "", headers });
  }
  for (const role of roles) {
    const email = `${role}.${number}@example.com`;
    const { cookie } = await PersonPage.join(service, accountId, { email, role });
    callers.push({
      name: role,
      scopes: scopesOfRole[role],
      prefix: (id) => `/console/accounts/${id}`,
      headers: { ...fromConsole, cookie },
    });
  }
  return callers;
}

type Account = Awaited<ReturnType<typeof accountOf>>;

/** What is sent to a route about an account's things; of a route that is not here, nothing. */
function bodyOf(path: string, { file, ids }: Pick<Account, "file" | "ids">, id: string): unknown {
  const filters = { timeRange };
  if (path === "/v1/workspace" || path === "/v1/accounts") return file;
  if (path === "/v1/answers") {
    return { promptId: id, provider: "GROK", answeredAt: "2026-01-05T00:00:00Z", text: "Acme" };
  }
  if (path === "/v1/answers/delete") return { ids: [id], dryRun: false };
  if (path === collectionsPath) return { promptIds: [id], providers: ["OPENAI"] };
  if (path === "/v1/reports") return reportBody;
  if (path === "/v1/links") return sharedLink;
  if (path === "/v1/keys") return { name: "one more", scopes: ["read"] };
  if (path === "/v1/people/invitations") return { email: "nobody@example.com", role: "viewer" };
  if (path === "/v1/people/:personId") return { role: "viewer" };
  if (path === "/v1/evidence") return { role: "visible", entityId: ids.entityId, filters };
  if (path === "/v1/insights/summary") return { groupBy: "prompt", filters };
  if (path === "/v1/insights/changes") {
    const compare = { filters: { timeRange: earlier } };
    const { entityId } = ids;
    return { entityId, metric: "mentions", by: "prompt", limit: 100, filters, compare };
  }
  if (path.endsWith("sources")) return { groupBy: "url", limit: 100, offset: 0, filters };
  if (path === "/v1/insights/series") return { metric: "mentions", interval: "daily", filters };
  return { interval: "daily", filters };
}

interface Call {
  readonly route: (typeof scopedRoutes)[number];
  readonly caller: Caller;
  readonly accountId: string;
  /** Whose ids are in it. */
  readonly of: Pick<Account, "file" | "ids">;
}

function send({ route, caller, accountId, of }: Call): Promise<TestReply> {
  const isOfSweep = route.path.startsWith(collectionsPath);
  const path = route.path.replace(/:(\w+)/, (_, name: keyof Account["ids"]) => {
    return isOfSweep ? of.ids.sweepId : (of.ids[name] ?? "");
  });
  const isImport = route.kind === "stream";
  const type = isImport ? "application/x-ndjson" : "application/json";
  const hasBody = route.method === "POST" || route.method === "PUT";
  return service.request(route.method, `${caller.prefix(accountId)}${path}`, {
    headers: { ...caller.headers, ...(hasBody ? { "content-type": type } : {}) },
    ...(hasBody ? { body: `${JSON.stringify(bodyOf(route.path, of, of.ids.id))}\n` } : {}),
  });
}

test("no call above its scope, and none about another account's things", async (t) => {
  const { questions: cases, seed } = oracleRuns(5_000);
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    assert.ok(item !== undefined);
    return item;
  };
  const accounts: Account[] = [];
  for (let number = 0; number < accountsCount; number++) accounts.push(await accountOf(number));
  const before = await Promise.all(accounts.map(({ replies }) => replies()));
  const seen = { refused: 0, answered: 0 };
  for (let number = 0; number < cases; number++) {
    const [account, route] = [pick(accounts), pick(scopedRoutes)];
    const other = pick(accounts.filter((each) => each !== account));
    const caller = pick(account.callers);
    const { accountId } = account;
    const reply = await send({ route, caller, accountId, of: other });
    const what = `${route.method} ${route.path} with ${caller.name}: ${reply.body}`;
    const others = accounts.filter((each) => each !== account).map(({ mark }) => mark);
    if (caller.prefix("") !== "") {
      // At the address of an account that the person does not belong to.
      const away = await send({ route, caller, accountId: other.accountId, of: other });
      assert.equal(away.status, 401, away.body);
    }
    if (caller.scopes.includes(route.scope)) {
      seen.answered++;
      assert.ok(reply.status < 500, what);
      // A role that the caller may not give is refused first.
      const mayGive = caller.scopes.includes("read") || !route.path.startsWith("/v1/people");
      if (mayGive) assertUnknown(route.path, reply, what);
      // A vendor is the same for every account: here it is one that nobody knows.
      const isFile = ["/v1/workspace", "/v1/accounts"].includes(route.path);
      if (isFile && route.method !== "GET") assert.equal(reply.status, 400, what);
    } else {
      seen.refused++;
      assert.equal(reply.status, 403, what);
      assert.equal(reply.json<{ code: string }>().code, "scope_missing");
      others.push(account.mark);
    }
    for (const mark of others) assert.ok(!reply.body.includes(mark), what);
  }
  t.diagnostic(`${cases} cases, seed ${seed}: ${JSON.stringify(seen)}`);
  for (const [place, account] of accounts.entries()) await assertUntouched(account, before[place]);
});

/** What is another's is as if it was nobody's. */
function assertUnknown(path: string, reply: TestReply, what: string): void {
  if (path.includes("/:")) assert.equal(reply.status, 404, what);
  if (path === "/v1/evidence") assert.equal(reply.json<{ total: number }>().total, 0, what);
  if (path === "/v1/answers/delete") {
    assert.equal(reply.json<{ matched: number }>().matched, 0, what);
  }
  if (path === "/v1/answers") {
    const { accepted, rejected } = reply.json<{ accepted: number; rejected: number }>();
    assert.deepEqual([accepted, rejected], [0, 1], what);
  }
}

async function assertUntouched(
  { accountId, mark, replies, ids }: Account,
  before: readonly string[] | null | undefined,
): Promise<void> {
  assert.deepEqual(await replies(), before, mark);
  const { control } = service.services;
  assert.equal((await importById(control, accountId, ids.importId))?.undoneAt, null);
  assert.equal(
    (await sweepById(control, accountId, ids.sweepId, service.clock.now()))?.cancelledAt,
    null,
  );
  assert.equal((await sweepsOf(control, accountId, 9, service.clock.now())).length, 1);
  const keys = await keysOf(control, accountId);
  assert.ok(keys.every(({ revokedAt }) => revokedAt === null));
  assert.equal((await linkById(control, accountId, ids.linkId))?.revokedAt, null);
  assert.equal((await workspaceOf(control, accountId))?.accountName, `Account ${mark}`);
}

test("an id of another account and one that nobody has get the same reply", async () => {
  const [account, other] = [await accountOf(7), await accountOf(8)];
  const caller = account.callers.find((each) => each.scopes.length === scopes.length);
  assert.ok(caller !== undefined);
  const { accountId } = account;
  const nobody = Object.fromEntries(Object.keys(other.ids).map((name) => [name, randomUUID()]));
  for (const route of scopedRoutes.filter(({ path }) => path.includes("/:"))) {
    const asked: readonly Account["ids"][] = [other.ids, nobody as Account["ids"]];
    const replies: readonly TestReply[] = await Promise.all(
      asked.map((ids) => send({ route, caller, accountId, of: { file: other.file, ids } })),
    );
    const [theirs, unknown] = replies;
    const shown = (reply: TestReply | undefined) =>
      reply?.body.replace(/req_[\w-]+/, "").replaceAll(/[\w-]{16,36}/g, "id");
    assert.deepEqual(
      [theirs?.status, shown(theirs)],
      [unknown?.status, shown(unknown)],
      route.path,
    );
  }
});

import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  type DeleteAnswersRequest,
  type DeleteAnswersResponse,
  deleteAnswersPath,
  type ImportsResponse,
  importsPath,
  type UndoneImportResponse,
} from "@sightline/contract";
import { assertProblem } from "../../../../test/problem-shape.ts";
import { corpusAnswer, corpusWorkspace } from "../../../../test/sample-corpus.ts";
import { TestService } from "../../../../test/test-service.ts";

const service = await TestService.start();
after(() => service.close());

/** A new account with so many answers, and a session that may do everything. */
async function account(name: string, count: number) {
  const accountId = await service.apply({ ...corpusWorkspace, account: { name } });
  const token = await service.session(accountId, ["read", "import", "manage"]);
  const answers = Array.from({ length: count }, (_, number) => corpusAnswer(number));
  await service.import(accountId, answers);
  const headers = { authorization: `Bearer ${token}` };
  const request = (method: "GET" | "DELETE", path: string) =>
    service.request(method, path, { headers });
  return {
    accountId,
    list: async () => (await request("GET", importsPath)).json<ImportsResponse>().imports,
    undo: (importId: string) => request("DELETE", `${importsPath}/${importId}`),
    remove: (body: unknown) =>
      service.post(deleteAnswersPath, { token, body: JSON.stringify(body) }),
    count: async () => {
      const reply = await request("GET", "/v1/workspace");
      return reply.json<{ answers: { count: number } }>().answers.count;
    },
  };
}

const everything = {
  timeRange: { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" },
};

test("an import is listed, undone, and said to be undone", async () => {
  const { list, undo, count } = await account("Undone", 40);
  const [listed, ...others] = await list();
  assert.deepEqual(others, []);
  const { id = "", startedAt, ...rest } = listed ?? {};
  assert.equal(startedAt, new Date(service.clock.now()).toISOString());
  const counts = { accepted: 40, duplicates: 0, rejected: 0 };
  assert.deepEqual(rest, { source: "test", ...counts, undoneAt: null });
  assert.ok((await count()) > 0);
  const undone = await undo(id.toUpperCase());
  assert.deepEqual(undone.json<UndoneImportResponse>(), { deleted: 40, factsCurrent: true });
  assert.equal(await count(), 0);
  assert.equal(typeof (await list())[0]?.undoneAt, "string");
  assert.equal((await undo(id)).json<UndoneImportResponse>().deleted, 0);
});

test("answers are counted first, then removed, by filters and by id", async () => {
  const { accountId, remove } = await account("Removed", 30);
  const asked = async (request: DeleteAnswersRequest) => {
    const { factsCurrent, ...counts } = (await remove(request)).json<DeleteAnswersResponse>();
    assert.equal(factsCurrent, true);
    return counts;
  };
  const grok = { ...everything, providers: ["GROK" as const] };
  const { matched } = await asked({ filters: grok, dryRun: true });
  assert.ok(matched > 0 && matched < 30);
  assert.deepEqual(await asked({ filters: grok, dryRun: false }), { matched, deleted: matched });
  const left = await service.services.answers.read(accountId, { after: 0, limit: 99 });
  assert.equal(left.length, 30 - matched);
  const ids = left.slice(0, 2).map(({ id }) => id.toUpperCase());
  assert.deepEqual(await asked({ ids, dryRun: true }), { matched: 2, deleted: 0 });
  assert.deepEqual(await asked({ ids, dryRun: false }), { matched: 2, deleted: 2 });
  assert.deepEqual(await asked({ ids, dryRun: false }), { matched: 0, deleted: 0 });
});

test("what is not said exactly removes nothing", async () => {
  const { remove, undo, list } = await account("Careful", 3);
  const other = await account("Other", 3);
  const bodies: readonly unknown[] = [
    ...[{}, { dryRun: false }, { ids: [], dryRun: false }, { ids: ["x"], dryRun: false }],
    ...[{ filters: everything }, { filters: {}, dryRun: false }],
    { filters: everything, ids: [(await list())[0]?.id], dryRun: false },
    { filters: everything, dryRun: "no" },
  ];
  for (const body of bodies) assertProblem(await remove(body), "invalid_request");
  assertProblem(await undo("x"), "not_found");
  const [foreign] = await other.list();
  assertProblem(await undo(foreign?.id ?? ""), "not_found");
  assert.equal((await service.services.answers.end(other.accountId)).sequence, 3);
});

test("a key that reads or imports removes nothing", async () => {
  const { accountId } = await account("Scoped", 3);
  for (const scope of ["read", "import"] as const) {
    const token = await service.session(accountId, [scope]);
    const headers = { authorization: `Bearer ${token}` };
    const body = { filters: everything, dryRun: true };
    assertProblem(await service.post(deleteAnswersPath, { token, body }), "scope_missing");
    const undoing = service.request("DELETE", `${importsPath}/x`, { headers });
    assertProblem(await undoing, "scope_missing");
    const list = await service.request("GET", importsPath, { headers });
    if (scope === "read") assertProblem(list, "scope_missing");
    else assert.equal(list.status, 200);
  }
});

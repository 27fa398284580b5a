import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleWorkspace, startSample } from "@sightline/test-kit/sample-account.ts";
import { workspaceOf } from "../../account-store.ts";

test("a workspace that changed since is not changed, and its tag is told", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["read", "manage"]);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const put = (name: string, tag: string, query = "") =>
    service.request("PUT", `/v1/workspace${query}`, {
      headers: { ...headers, "if-match": tag },
      body: JSON.stringify({ ...sampleWorkspace, brand: { name } }),
    });
  const first = String(
    (await service.request("GET", "/v1/workspace", { headers })).headers["etag"],
  );
  const changed = await put("Acme Two", first);
  assert.equal(changed.status, 200, changed.body);
  const tag = String(changed.headers["etag"]);
  const weak = `W/${tag}`;
  for (const stale of [first, weak, '"other"', "5", '"', "", tag.slice(0, -1)]) {
    for (const query of ["", "?dryRun=true"]) {
      const reply = await put("Acme Three", stale, query);
      assert.match(assertProblem(reply, "precondition_failed").detail, /Nothing was changed/);
      assert.equal(reply.headers["etag"], tag);
    }
  }
  const { control } = service.services;
  assert.equal((await workspaceOf(control, accountId))?.entities[0]?.name, "Acme Two");
  // Of two who saw the same workspace, one changes it.
  const both = await Promise.all([put("A", tag), put("B", tag)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 412]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";

test("a link of another account is an unknown one, and stays", async (t) => {
  const { service, accountId } = await startSample(t);
  const other = await service.apply({ account: { name: "Other" }, brand: { name: "Other" } });
  const { links } = service.services;
  const view = { page: "overview", period: "all" } as const;
  const made = await links.create(accountId, { name: "a", kind: "csv", view, expiresAt: null });
  const token = await service.session(other, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  for (const id of [made?.link.id, "none"]) {
    const reply = await service.request("DELETE", `/v1/links/${id}`, { headers });
    assertProblem(reply, "not_found");
    assert.equal(reply.json<{ detail: string }>().detail, `The account has no share link "${id}".`);
  }
  assert.equal((await service.request("GET", `/share/${made?.token}/csv`)).status, 200);
});

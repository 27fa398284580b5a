import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditResponse, CreatedLinkResponse, ListedLink } from "@sightline/contract";
import { startSample } from "@sightline/test-kit/sample-account.ts";

test("a revoked link shows nothing, and repeating it keeps the instant", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const view = { page: "overview", period: "all" };
  const body = { name: "board", kind: "view", view, password: "correct horse" };
  const made = (await service.post("/v1/links", { token, body })).json<CreatedLinkResponse>();
  const { address, ...link } = made;
  const { pathname } = new URL(address);
  assert.equal((await service.request("GET", pathname)).status, 200);
  const revoke = () => service.request("DELETE", `/v1/links/${link.linkId}`, { headers });
  const revoked = await revoke();
  const at = new Date(service.clock.now()).toISOString();
  assert.deepEqual(revoked.json<ListedLink>(), { ...link, revokedAt: at, state: "revoked" });
  assert.equal((await service.request("GET", pathname)).status, 404);
  service.clock.advance(1_000);
  assert.deepEqual((await revoke()).json<ListedLink>(), revoked.json<ListedLink>());

  const log = await service.request("GET", "/v1/audit?limit=2", { headers });
  const { entries } = log.json<AuditResponse>();
  const shown = {
    name: "board",
    kind: "view",
    view,
    reportId: null,
    showsEvidence: false,
    hasPassword: true,
  };
  assert.deepEqual(
    entries.map(({ action, subject, actor, before, after }) => {
      return [action, subject, actor.id, before, after];
    }),
    [
      ["link.revoked", link.linkId, link.keyId, { ...shown, expiresAt: null }, null],
      ["link.created", link.linkId, link.keyId, null, { ...shown, expiresAt: null }],
    ],
  );
  for (const secret of [pathname.slice(-22), "correct horse"]) {
    assert.equal(log.body.includes(secret), false);
  }
});

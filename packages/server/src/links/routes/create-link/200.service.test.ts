import assert from "node:assert/strict";
import { test } from "node:test";
import { type CreatedLinkResponse, createdLinkSchema } from "@sightline/contract";
import { startSample } from "@sightline/test-kit/sample-account.ts";

const view = { page: "overview", period: "all" } as const;

test("a link is made, and its address shows the view without a session", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["manage"]);
  const body = { name: "For the board", kind: "csv", view, expiresIn: "1d" };
  const made = await service.post("/v1/links", {
    token,
    body,
    headers: { host: "sightline.example" },
  });
  assert.equal(made.status, 200, made.body);
  const { address, linkId, createdAt, keyId, ...link } = createdLinkSchema.parse(
    made.json<CreatedLinkResponse>(),
  );
  assert.match(address, /^http:\/\/sightline\.example\/share\/[\w-]{22}\/csv$/);
  assert.match(keyId ?? "", /^\w{16}$/);
  assert.match(linkId, /^[\da-f-]{36}$/);
  assert.deepEqual(link, {
    name: "For the board",
    kind: "csv",
    view,
    reportId: null,
    showsEvidence: false,
    hasPassword: false,
    createdBy: "test",
    expiresAt: new Date(Date.parse(createdAt) + 86_400_000).toISOString(),
    revokedAt: null,
    lastUsedAt: null,
    uses: 0,
    state: "valid",
  });
  const { pathname } = new URL(address);
  const shown = await service.request("GET", pathname);
  assert.equal(shown.status, 200, shown.body);
});

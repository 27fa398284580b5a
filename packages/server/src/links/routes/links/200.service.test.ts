import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CreatedLinkResponse,
  type LinksResponse,
  type ListedLink,
  linksResponseSchema,
} from "@sightline/contract";
import { startSample } from "@sightline/test-kit/sample-account.ts";

test("links are listed newest first, page by page, with how they are used", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const listed = async (query = ""): Promise<LinksResponse> => {
    const reply = await service.request("GET", `/v1/links${query}`, { headers });
    assert.equal(reply.status, 200, reply.body);
    return linksResponseSchema.parse(reply.json());
  };
  const made: CreatedLinkResponse[] = [];
  for (const name of ["one", "two", "three"]) {
    const view = { page: "sources", period: "28d" };
    const body = { name, kind: "csv", view, ...(name === "two" ? { expiresIn: "5m" } : {}) };
    made.push((await service.post("/v1/links", { token, body })).json());
    service.clock.advance(1_000);
  }
  const plain = made.map(({ address: _, ...link }) => link).toReversed();
  assert.deepEqual(await listed(), { links: plain, nextCursor: null });
  const paged: ListedLink[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: LinksResponse = await listed(`?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
    assert.equal(page.links.length, 1);
    paged.push(...page.links);
    cursor = page.nextCursor;
  }
  assert.deepEqual(paged, plain);

  const open = async (link?: CreatedLinkResponse) =>
    (await service.request("GET", new URL(link?.address ?? "").pathname)).status;
  const usedAt = new Date(service.clock.now()).toISOString();
  for (let use = 0; use < 3; use++) assert.equal(await open(made[0]), 200);
  const [, , once] = (await listed()).links;
  assert.deepEqual([once?.uses, once?.lastUsedAt], [1, usedAt], "the others are not written yet");
  service.clock.advance(60_000);
  const laterAt = new Date(service.clock.now()).toISOString();
  assert.equal(await open(made[0]), 200);
  const [, , again] = (await listed()).links;
  assert.deepEqual([again?.uses, again?.lastUsedAt], [4, laterAt]);

  const [first] = made;
  await service.request("DELETE", `/v1/links/${first?.linkId}`, { headers });
  service.clock.advance(5 * 60_000);
  assert.deepEqual(
    (await listed()).links.map(({ state }) => state),
    ["valid", "expired", "revoked"],
  );
  await service.services.keyRing.revoke(first?.keyId ?? "");
  const other = await service.session(accountId, ["manage"]);
  const seen = await service.request("GET", "/v1/links", {
    headers: { authorization: `Bearer ${other}` },
  });
  const states = seen.json<LinksResponse>().links.map(({ state }) => state);
  assert.deepEqual(states, ["makerEnded", "expired", "revoked"]);
});

test("uses that are not written yet are written when the service stops", async (t) => {
  const { service, accountId } = await startSample(t);
  const { links, control } = service.services;
  const view = { page: "overview", period: "all" } as const;
  const made = await links.create(accountId, { name: "a", kind: "csv", view, expiresAt: null });
  for (let use = 0; use < 3; use++) {
    const shown = await service.request("GET", `/share/${made?.token}/csv`);
    assert.equal(shown.status, 200);
  }
  await links.writeUses({ isEnd: true });
  const { uses } = await control.database
    .selectFrom("links")
    .select("uses")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  assert.equal(uses, 3);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { EvidenceResponse } from "@sightline/contract";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import {
  sampleIds,
  sampleRange,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";

const path = "/v1/evidence";
const good = { role: "mentioned" };
/** A cursor of these bytes, which begin with what says whose it is. */
const cursorOf = (...bytes: readonly number[]) => {
  const all = Buffer.alloc(33);
  all.set(bytes, 17);
  return all.toString("base64url");
};
const largest = Array<number>(16).fill(0x7f);

const more = {
  "a role that is none": badFields(good, { role: "hidden" }, "/role not_allowed"),
  "a role in capitals": badFields(good, { role: "Any" }, "/role not_allowed"),
  "a role as null": badFields(good, { role: null }, "/role not_allowed"),
  "an entity by its name": badFields(good, { entityId: "Acme" }, "/entityId wrong_format"),
  "an entity as null": badFields(good, { entityId: null }, "/entityId wrong_type"),
  "an empty domain": badFields(good, { domain: "" }, "/domain too_small"),
  "a domain as a list": badFields(good, { domain: ["a.com"] }, "/domain wrong_type"),
  "a long domain": badFields(good, { domain: "a".repeat(254) }, "/domain too_large"),
  "a URL as null": badFields(good, { url: null }, "/url wrong_type"),
  "a long URL": badFields(good, { url: `https://a.com/${"a".repeat(8_192)}` }, "/url too_large"),
  "no answer": badFields(good, { limit: 0 }, "/limit too_small"),
  "more answers than a page has": badFields(good, { limit: 101 }, "/limit too_large"),
  "half an answer": badFields(good, { limit: 1.5 }, "/limit wrong_type"),
  "a limit as a text": badFields(good, { limit: "10" }, "/limit wrong_type"),
  "a cursor as null": badFields(good, { cursor: null }, "/cursor wrong_type"),
  "an empty cursor": badFields(good, { cursor: "" }, "/cursor wrong_format"),
  "a long cursor": badFields(good, { cursor: "a".repeat(201) }, "/cursor too_large"),
  "a cursor of another service": badFields(
    good,
    { cursor: "eyJhIjoxfQ==" },
    "/cursor wrong_format",
  ),
  "a cursor in other letters": badFields(good, { cursor: "+".repeat(44) }, "/cursor wrong_format"),
  "a cursor with a place that is none": badFields(
    good,
    { cursor: cursorOf() },
    "/cursor wrong_format",
  ),
  "a cursor with a place beyond a double": badFields(
    good,
    { cursor: cursorOf(...largest) },
    "/cursor wrong_format",
  ),
  "a cursor that nobody gave": badFields(
    good,
    { cursor: cursorOf(0, 0, 0, 0, 0, 0, 0, 1) },
    "/cursor not_allowed",
  ),
};

test("evidence refuses what is outside its schema, and cursors that are none", (t) =>
  assertRefusals(t, { path, good, more }));

test("a cursor goes on with its own list, and with no other", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const filters = { timeRange: sampleRange };
  const asked = { filters, role: "any", limit: 1 };
  const ask = (body: object, as = token) => service.post(path, { token: as, body });
  const first = (await ask(asked)).json<EvidenceResponse>();
  const cursor = first.nextCursor;
  assert.ok(cursor !== null);
  const next = await ask({ ...asked, cursor, limit: 2 });
  assert.equal(next.status, 200, next.body);
  assert.equal(next.json<EvidenceResponse>().answers.length, 2);

  const otherRange = { ...sampleRange, from: "2026-01-04T00:00:00Z" };
  for (const other of [
    { role: "visible" },
    { entityId: sampleIds.acme },
    { domain: "example.org" },
    { url: "https://example.org/x" },
    { filters: { timeRange: otherRange } },
    { filters: { ...filters, branded: true } },
  ]) {
    const refused = assertProblem(await ask({ ...asked, ...other, cursor }), "invalid_request");
    assert.deepEqual(refused.errors, [
      {
        path: "/cursor",
        code: "not_allowed",
        message:
          "is of another question, or its facts were rebuilt since. " +
          "Leave it out to begin with the first page.",
      },
    ]);
  }

  const theirs = await service.apply({ account: { name: "Other" }, brand: { name: "Acme" } });
  const stranger = await service.session(theirs);
  assertProblem(await ask({ ...asked, cursor }, stranger), "invalid_request");

  // A competitor more: the facts are rebuilt, and have another list.
  const competitors = [...sampleWorkspace.competitors, { name: "Hooli" }];
  await service.apply({ ...sampleWorkspace, competitors });
  await service.settle(accountId);
  assertProblem(await ask({ ...asked, cursor }), "invalid_request");
});

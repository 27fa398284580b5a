import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportLabelsResponse } from "@sightline/contract";
import { sampleAnswerId, sampleIds, startSample } from "@sightline/test-kit/sample-account.ts";

test("what became of each line: bad lines do not stop the others", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["import"]);
  const good = {
    answerId: sampleAnswerId(accountId, 0),
    entityId: sampleIds.acme,
    metric: "mentions",
    value: true,
    labeller: "ann",
  };
  const lines: readonly unknown[] = [
    good,
    { ...good, value: "yes" },
    { ...good, metric: "rank" },
    { ...good, labeller: "a\u202eb" },
    { ...good, note: "?" },
    { ...good, labelledAt: "2126-01-01T00:00:00Z" },
    { ...good, answerId: undefined },
    "x",
    { ...good, labeller: "bea" },
  ];
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const headers = { "content-type": "application/x-ndjson" };
  const reply = await service.post("/v1/labels", { token, body, headers });
  assert.equal(reply.status, 200, reply.body);
  const { errors, ...counts } = reply.json<ImportLabelsResponse>();
  assert.deepEqual(counts, { accepted: 2, duplicates: 0, rejected: 7 });
  assert.deepEqual(
    errors.map(({ line, path }) => `${line} ${path}`),
    ["2 /value", "3 /metric", "4 /labeller", "5 /note", "6 /labelledAt", "7 /answerId", "8 "],
  );
  const type = { "content-type": "text/csv" };
  const other = await service.post("/v1/labels", {
    token,
    body: "labels\r\nx",
    headers: type,
  });
  assert.equal(other.status, 400);
  assert.match(other.body, /not a known column.*fields of a label/);
});

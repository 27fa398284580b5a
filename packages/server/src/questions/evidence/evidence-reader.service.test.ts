import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import type { SnapshotEntity } from "../../facts/snapshot.ts";
import { Thread } from "../../platform/thread.ts";
import { charactersOf, keptCharactersMax, RecentKeys } from "./answer-document.ts";
import { type EvidenceApi, EvidenceReader } from "./evidence-reader.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

function entity(id: string, names: readonly string[]): SnapshotEntity {
  const rules = names.map((text) => ({ text, caseSensitive: false }));
  return { id, name: names[0] ?? "", names: rules, domains: [] };
}

test("readings that nobody waits for any more are not begun", async (t) => {
  const dataDir = temporaryFolder();
  const file = new URL("./evidence-worker.ts", import.meta.url);
  const thread = new Thread<EvidenceApi>(file, { dataDir });
  t.after(async () => {
    await thread.close();
    rmSync(dataDir, { recursive: true });
  });
  const wanted = { answerId: "aaaaaaaa-0000-4000-8000-000000000001" };
  const request = { accountId, key: "a", wanted };
  await thread.api.read(request, [entity("brand", ["Acme"])]);
  const abort = new AbortController();
  const cancelled = thread.with({ signal: abort.signal });
  const readings = Array.from({ length: 2_000 }, () => cancelled.read(request, null));
  const last = thread.api.read(request, null);
  abort.abort();
  const settled = await Promise.allSettled(readings);
  assert.deepEqual(await last, { json: new Uint8Array(), count: 0 });
  const notBegun = settled.filter(({ status }) => status === "rejected").length;
  // Those that had begun when the cancellations came are read: few, or many on a busy machine.
  assert.ok(notBegun > 50, `${notBegun} of 2,000 were cancelled`);
});

test("entities are sent again to a thread that does not have them", async (t) => {
  const dataDir = temporaryFolder();
  const reader = new EvidenceReader({ dataDir });
  t.after(async () => {
    await reader.close();
    rmSync(dataDir, { recursive: true });
  });
  const wanted = { answerId: "aaaaaaaa-0000-4000-8000-000000000001" };
  const entities = [entity("brand", ["Acme"])];
  const read = () => {
    const signal = AbortSignal.timeout(30_000);
    return reader.read(accountId, { generation: "first", entities, wanted }, signal);
  };
  const none = { json: new Uint8Array(), count: 0 };
  assert.deepEqual([await read(), await read()], [none, none]);
  await reader.close();
  assert.deepEqual(await read(), none);
});

test("compiled names are kept by what they take, and not by their number alone", () => {
  const keys = new RecentKeys<string>();
  for (let key = 1; key <= 20; key++) keys.set(`small ${key}`, "", 100);
  const kept = () => Array.from({ length: 20 }, (_, key) => keys.get(`small ${key + 1}`) ?? null);
  assert.equal(kept().filter((value) => value !== null).length, 16);
  keys.set("large", "large", keptCharactersMax - 250);
  assert.equal(kept().filter((value) => value !== null).length, 2);
  keys.set("larger", "larger", 2 * keptCharactersMax);
  assert.deepEqual([keys.get("large"), keys.get("larger")], [undefined, "larger"]);
  keys.set("larger", "again", 10);
  keys.set("small", "small", 10);
  assert.deepEqual([keys.get("larger"), keys.get("small")], ["again", "small"]);
  assert.equal(charactersOf([entity("a", ["Acme", "A".repeat(100)])]), 116);
});

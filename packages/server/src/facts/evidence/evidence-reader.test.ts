import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { temporaryFolder } from "../../../test/test-service.ts";
import type { SnapshotEntity } from "../snapshot.ts";
import type { EvidenceCancel, EvidenceReply, EvidenceRequest } from "./evidence-reader.ts";
import { charactersOf, keptCharactersMax, RecentKeys } from "./recent-keys.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

function entity(id: string, names: readonly string[]): SnapshotEntity {
  const rules = names.map((text) => ({ text, caseSensitive: false }));
  return { id, name: names[0] ?? "", names: rules, domains: [] };
}

test("readings that nobody waits for any more are not begun", async (t) => {
  const dataDir = temporaryFolder();
  const worker = new Worker(new URL("./evidence-worker.ts", import.meta.url), {
    workerData: { dataDir },
  });
  t.after(async () => {
    await worker.terminate();
    rmSync(dataDir, { recursive: true });
  });
  const kinds: string[] = [];
  const last = 101;
  const isDone = new Promise<void>((resolve) => {
    worker.on("message", (reply: EvidenceReply) => {
      kinds.push("cancelled" in reply ? "cancelled" : "json" in reply ? "read" : "failed");
      if (reply.id === last) resolve();
    });
  });
  await once(worker, "online");
  for (let id = 1; id <= last; id++) {
    const wanted = { answerId: "aaaaaaaa-0000-4000-8000-000000000001" };
    const entities = id === 1 ? [entity("brand", ["Acme"])] : null;
    worker.postMessage({ id, accountId, key: "a", entities, wanted } satisfies EvidenceRequest);
  }
  for (let id = 1; id < last; id++) worker.postMessage({ cancel: id } satisfies EvidenceCancel);
  await isDone;
  assert.equal(kinds.length, last);
  const cancelled = kinds.filter((kind) => kind === "cancelled").length;
  // Those that had begun when the cancellations came are read.
  assert.ok(cancelled > 50 && kinds.includes("read"), `${cancelled} of 100 were cancelled`);
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

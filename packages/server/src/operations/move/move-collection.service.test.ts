import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import {
  askNow,
  collectionOf,
  ledgerOf,
  startCollecting,
  sumsOf,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { planSweepOf } from "@sightline/test-kit/collection/plan-sweep-of.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { partsToPublish } from "../../collection/store/part-store.ts";
import { spendOf } from "../../collection/store/spend-ledger.ts";
import { sweepsOf } from "../../collection/store/sweep-reads.ts";
import { forgetSweeps } from "../../collection/store/sweep-store.ts";
import type { Services } from "../../services.ts";
import { exportAccount, type MovePlace } from "./export-account.ts";
import { importAccount } from "./import-account.ts";

const workspace = {
  account: { name: "Moved" },
  brand: { name: "Acme" },
  prompts: ["Which seeds are best?", "Who sells good tools?", "What do gardeners use?"],
  collection: { providers: ["GROK", "COPILOT"], caps: { callsPerDay: 8 } },
};
const onProgress = () => undefined;

function placeOf({ control, answers, clock, keyRing }: Services): MovePlace {
  return { control, answers, clock, pepperFingerprint: keyRing.pepperFingerprint };
}

/** An account with a sweep that has ended and one that has not, exported, and an empty service. */
async function exported(t: TestContext) {
  const collecting = await startCollecting(t, { workspace });
  const { service, accountId, clock } = collecting;
  await planSweepOf(service.services, accountId);
  const [ended] = await sweepToEnd(collecting);
  clock.advance(1_000);
  await planSweepOf(service.services, accountId);
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "account");
  const { counts } = await exportAccount(placeOf(service.services), {
    accountId,
    file,
    onProgress,
  });
  const other = await TestService.start({ clock });
  t.after(() => other.close());
  return { ...collecting, ended, file, counts, other };
}

test("an account moves with what it spent and the sweeps that have ended", async (t) => {
  const { service, accountId, file, counts, ended, other, clock } = await exported(t);
  assert.deepEqual([counts.spend, counts.sweeps, counts.answers], [2, 1, 6]);
  await importAccount(placeOf(other.services), { file, onProgress });
  const [here, there] = [service.services.control, other.services.control];
  assert.equal((await sweepsOf(here, accountId, 10, clock.now())).length, 2);
  assert.deepEqual(await sweepsOf(there, accountId, 10, clock.now()), [ended]);
  const ledger = await spendOf(here, accountId, 0, 100_000);
  assert.ok(sumsOf(ledger).spentMicros > 0);
  assert.deepEqual(await spendOf(there, accountId, 0, 100_000), ledger);
  assert.deepEqual(await partsToPublish(there, clock.now(), 10), []);
  assert.equal(await forgetSweeps(there, clock.now()), false);
});

test("what is under way when an account moves may have been billed", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: { ...workspace, collection: { providers: ["COPILOT"] } },
    faults: { tasks: { queueMs: 60_000, runMs: 60_000 } },
  });
  const { service, accountId } = collecting;
  await planSweepOf(service.services, accountId);
  await askNow(collecting);
  const { reservedMicros } = sumsOf(await ledgerOf(collecting));
  assert.ok(reservedMicros > 0);
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "account");
  await exportAccount(placeOf(service.services), { accountId, file, onProgress });
  const other = await TestService.start();
  t.after(() => other.close());
  await importAccount(placeOf(other.services), { file, onProgress });
  const moved = sumsOf(await spendOf(other.services.control, accountId, 0, 100_000));
  assert.deepEqual(moved, {
    calls: 3,
    spentMicros: 0,
    reservedMicros: 0,
    unsettledMicros: reservedMicros,
  });
  assert.deepEqual(await sweepsOf(other.services.control, accountId, 10, other.clock.now()), []);
});

test("caps of the day go on where the account arrives", async (t) => {
  const { accountId, file, other, standIn, clock } = await exported(t);
  await importAccount(placeOf(other.services), { file, onProgress });
  const { control, answers, secretBox } = other.services;
  const collection = collectionOf({ control, answers, secretBox }, { clock, standIn: standIn.url });
  t.after(() => collection.close(Promise.resolve()));
  await planSweepOf(other.services, accountId);
  await collection.runJobs();
  await collection.settled();
  const { calls } = sumsOf(await spendOf(control, accountId, 0, 100_000));
  assert.equal(calls, 8, "of which six were made before the account moved");
});

test("a file of format 2 has neither, and one that says something twice is refused", async (t) => {
  const { accountId, file, counts, other } = await exported(t);
  const lines = zstdDecompressSync(readFileSync(file)).toString().trimEnd().split("\n");
  const write = (name: string, some: readonly string[], end: object) => {
    const text = some.map((line) => `${line}\n`).join("");
    const last = JSON.stringify({ kind: "end", counts: end, sha256: hash("sha256", text) });
    const path = `${file}-${name}`;
    writeFileSync(path, zstdCompressSync(Buffer.from(`${text}${last}\n`)));
    return path;
  };
  const written = lines.slice(0, -1);
  for (const kind of ["spend", "sweep"]) {
    const at = written.findIndex((line) => line.startsWith(`{"kind":"${kind}"`));
    const counted = kind === "spend" ? "spend" : "sweeps";
    const more = { ...counts, [counted]: counts[counted] + 1 };
    const path = write(kind, written.toSpliced(at, 0, written[at] ?? ""), more);
    await assert.rejects(
      importAccount(placeOf(other.services), { file: path, onProgress }),
      new RegExp(`has the ${kind} .* twice`),
    );
  }
  const { spend: _spend, sweeps: _sweeps, ...before } = counts;
  const earlier = written.flatMap((line) =>
    /^\{"kind":"(spend|sweep)"/.test(line) ? [] : [line.replace('"format":3', '"format":2')],
  );
  const path = write("earlier", earlier, before);
  const done = await importAccount(placeOf(other.services), { file: path, onProgress });
  assert.deepEqual(done.counts, { ...before, spend: 0, sweeps: 0 });
  assert.deepEqual(await sweepsOf(other.services.control, accountId, 10, other.clock.now()), []);
});

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  type Fact,
  factRowsAfter,
  factsSnapshot,
} from "@sightline/test-kit/contracts/arbitrary-facts.ts";
import {
  accountId,
  otherAccount,
  testFactsEngine,
} from "@sightline/test-kit/contracts/facts-engine-contract.ts";
import { duckdbFactsOf } from "@sightline/test-kit/engines/duckdb-facts-of.ts";
import { openFilesBelow } from "@sightline/test-kit/engines/open-files.ts";
import { filledUp, smallDisk } from "@sightline/test-kit/engines/small-disk.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openDataFolder } from "../../platform/data-folder.ts";
import { sql } from "../../platform/sql.ts";
import { GenerationGoneError } from "../engine.ts";
import { AccountFacts, setAside } from "./account-facts.ts";

const fact: Fact = {
  prompt: 0,
  provider: "GROK" as const,
  region: null,
  answeredAt: Date.UTC(2026, 0, 1),
  model: null,
  surface: null,
  mentions: [0],
  cited: [],
  language: "en",
  said: [[], [], []],
  pages: [],
};

testFactsEngine("duckdb", async (t) => duckdbFactsOf(t, [accountId, otherAccount]));

async function accountFacts(t: TestContext, folder = temporaryFolder()) {
  const files = openDataFolder(join(folder, "data")).account(accountId);
  mkdirSync(files.folder);
  const facts = new AccountFacts(files);
  t.after(async () => {
    await facts.close();
    rmSync(folder, { recursive: true, force: true }); // a small disk is gone by then
  });
  const rows = await factRowsAfter(0, [fact]);
  assert.ok(rows !== null);
  return { facts, files, rows };
}

test("questions that come while the first facts are made do not disturb them", async (t) => {
  const { facts, rows } = await accountFacts(t);
  const [begun, ...states] = await Promise.all([
    facts.begin(factsSnapshot),
    ...Array.from({ length: 20 }, () => facts.state()),
  ]);
  assert.deepEqual(new Set(states), new Set([null]));
  await facts.append(begun.generation, rows);
  const finished = facts.finish(begun.generation);
  await Promise.all([finished, facts.state(), facts.state()]);
  const state = await facts.state();
  assert.deepEqual([state?.generation, state?.mark], [begun.generation, rows.mark]);
});

test("facts that could not be begun are not left open, which would keep their space", async (t) => {
  const { facts, files } = await accountFacts(t);
  const broken = {
    ...factsSnapshot,
    get topics(): never {
      throw new Error("no space left");
    },
  };
  await assert.rejects(() => facts.begin(broken), /no space left/);
  assert.deepEqual(openFilesBelow(files.folder), []);
});

test("what a rebuild that did not end has left goes with the first look", async (t) => {
  const { facts, files } = await accountFacts(t);
  writeFileSync(files.nextFacts, "left");
  assert.equal(await facts.state(), null);
  assert.ok(!existsSync(files.nextFacts));
});

test("a generation answers until the next one is finished, and then no more", async (t) => {
  const { facts, rows } = await accountFacts(t);
  const first = await facts.begin(factsSnapshot);
  await facts.finish(first.generation);
  const second = await facts.begin(factsSnapshot);
  await facts.append(first.generation, rows);
  assert.equal((await facts.state())?.generation, first.generation);
  await facts.append(second.generation, rows);
  await facts.finish(second.generation);
  assert.equal((await facts.state())?.generation, second.generation);
  await assert.rejects(facts.append(first.generation, rows), GenerationGoneError);
  await assert.rejects(
    facts.read(first.generation, async () => null),
    GenerationGoneError,
  );
  await assert.rejects(facts.finish(first.generation), GenerationGoneError);
});

test("facts that the disk has no room to finish do not replace those before", async (t) => {
  const disk = smallDisk(t);
  if (disk === null) return;
  const { facts, rows } = await accountFacts(t, join(disk, "folder"));
  const before = await facts.begin(factsSnapshot);
  await facts.append(before.generation, rows);
  await facts.finish(before.generation);
  const next = await facts.begin(factsSnapshot);
  await facts.append(next.generation, rows);
  const ballast = filledUp(disk);
  await assert.rejects(facts.finish(next.generation), /No space left/);
  rmSync(ballast);
  const state = await facts.state();
  assert.deepEqual([state?.generation, state?.mark], [before.generation, rows.mark]);
});

test("nobody waits beyond the signal for facts that are replaced or checked", async (t) => {
  const { facts } = await accountFacts(t);
  const { generation } = await facts.begin(factsSnapshot);
  await facts.finish(generation);
  const [asked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const long = facts.read(generation, () => {
    asked.resolve();
    return end.promise;
  });
  await asked.promise;
  const checked = facts.repair(); // waits for the reader, and new readers wait for it
  const given = new AbortController();
  const waiting = facts.read(generation, async () => "read", given.signal);
  const patient = facts.read(generation, async () => "read");
  const reason = new Error("too late");
  given.abort(reason);
  await assert.rejects(waiting, reason);
  end.resolve();
  await long;
  assert.deepEqual(await Promise.all([checked, patient]), [null, "read"]);
});

test("facts that rest are opened again by their next use", async (t) => {
  const { facts, rows } = await accountFacts(t);
  const { generation } = await facts.begin(factsSnapshot);
  await facts.finish(generation);
  await facts.append(generation, rows);
  await facts.rest();
  assert.equal(facts.isOpen, false);
  const state = await facts.state();
  assert.deepEqual(state?.mark, rows.mark);
  assert.deepEqual(state?.snapshot, factsSnapshot);
  assert.equal(facts.isOpen, true);
});

test("small facts are read by one thread, and outgrow that", async (t) => {
  const { facts, files, rows } = await accountFacts(t);
  const { generation } = await facts.begin(factsSnapshot);
  await facts.finish(generation);
  const { signal } = new AbortController();
  const threads = () =>
    facts.read(generation, async (file) => {
      const query = sql`select cast(current_setting('threads') as double)`;
      const [row] = await file.query({ query, shape: { threads: "number" } }, signal);
      return row?.threads;
    });
  await facts.append(generation, rows);
  assert.equal(await threads(), 1);
  const count = 20_000;
  const pages = Array.from({ length: count }, () => randomBytes(1_000).toString("base64url"));
  const urls = {
    count,
    names: pages.map((page) => `https://site.com/${page}`).join("\n"),
    domains: pages.map(() => "site.com").join("\n"),
  };
  const [more, last] = [await factRowsAfter(1, [fact]), await factRowsAfter(2, [fact])];
  assert.ok(more !== null && last !== null);
  await facts.append(generation, { ...more, urls });
  // The engine moves its log into the file with the next batch.
  await facts.append(generation, last);
  assert.ok(statSync(files.facts).size > 16 * 1024 * 1024);
  assert.equal(await threads(), availableParallelism());
});

test("damaged facts are numbered, never overwritten, and the last three are kept", (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "facts.duckdb");
  for (let number = 1; number <= 12; number++) {
    writeFileSync(path, `facts ${number}`);
    if (number % 2 === 0) writeFileSync(`${path}.wal`, `log ${number}`);
    assert.equal(setAside(path), `${path}.damaged.${number}`);
  }
  assert.deepEqual(readdirSync(folder).toSorted(), [
    "facts.duckdb.damaged.10",
    "facts.duckdb.damaged.11",
    "facts.duckdb.damaged.12",
    "facts.duckdb.wal.damaged.10",
    "facts.duckdb.wal.damaged.12",
  ]);
  assert.equal(readFileSync(`${path}.damaged.11`, "utf8"), "facts 11");
  assert.equal(readFileSync(`${path}.wal.damaged.12`, "utf8"), "log 12");
});

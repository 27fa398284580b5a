import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { postgresUrl } from "@sightline/test-kit/engines/postgres-database.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { applyWorkspace } from "./accounts/apply-workspace.ts";
import { noAnswers } from "./answers/answer-store.ts";
import { openAnswerStore } from "./answers/open-answer-store.ts";
import { migratePostgres } from "./control/postgres/migrate-postgres.ts";
import { systemClock } from "./platform/clock.ts";
import { openStorage, type Storage } from "./storage.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const nothing = { entities: [], topics: [], prompts: [] };

/** Opens nodes of one cluster, whose answers are in a folder: control alone is looked at. */
async function cluster(t: TestContext) {
  const url = await postgresUrl();
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const place = {
    postgresUrl: url,
    clickhouseUrl: "http://127.0.0.1:8123/sightline",
    clickhouseCluster: null,
    clickhouseReplicated: false,
  };
  const open = async (name: string): Promise<Storage> => {
    const storage = await openStorage({ ...place, dataDir: join(folder, name) }, systemClock, {
      openCluster: async () => {
        const answers = await openAnswerStore({ dataDir: join(folder, "answers") }, systemClock);
        return {
          answers,
          countAnswers: async () => noAnswers,
          countAnswersByPrompt: async () => new Map(),
          ping: async () => undefined,
          eraseFacts: async () => undefined,
          skipUsedNumbers: async () => undefined,
          openFacts: () => assert.fail("no facts are needed"),
          close: () => answers.close(),
        };
      },
    });
    t.after(() => storage.close());
    return storage;
  };
  return { open, pepper: (name: string) => join(folder, name, "pepper"), folder };
}

test("nodes with one pepper know each other's keys, and keep no other file", async (t) => {
  const { open, pepper, folder } = await cluster(t);
  const one = await open("one");
  await applyWorkspace(
    one.control,
    accountId,
    { accountId, accountName: "Acme", ...nothing },
    { now: systemClock.now() },
  );
  const { key, keyId } = await one.keyRing.create(accountId, { name: "", expiresAt: null });
  await assert.rejects(open("other"), {
    message:
      `${pepper("other")} is missing, but the other nodes have a pepper, and no key works under ` +
      "another one. Copy the file `pepper` from the data folder of another node, or from a " +
      "backup, to there.",
  });
  assert.ok(!existsSync(pepper("other")));
  copyFileSync(pepper("one"), pepper("other"));
  const other = await open("other");
  assert.equal((await other.keyRing.verify(key))?.id, keyId);
  assert.deepEqual(readdirSync(join(folder, "other")), ["accounts", "pepper"]);
  assert.deepEqual(readdirSync(join(folder, "other", "accounts")), []);
});

test("a node without a pepper does not start, keys or not, and leaves none behind", async (t) => {
  const { open, pepper } = await cluster(t);
  await open("one");
  await assert.rejects(open("other"), /other.pepper is missing, but the other nodes have a pepper/);
  assert.ok(!existsSync(pepper("other")));
});

test("a node with another pepper does not start", async (t) => {
  const first = await cluster(t);
  await first.open("one");
  const second = await cluster(t);
  await second.open("one");
  copyFileSync(second.pepper("one"), first.pepper("one"));
  await assert.rejects(first.open("one"), {
    message:
      `${first.pepper("one")} is not the pepper of the other nodes, and no key works under ` +
      "another one. Replace it by the file `pepper` from the data folder of another node.",
  });
});

test("migrating says what it did, and then that there is nothing to do", async () => {
  const url = await postgresUrl();
  const names = await migratePostgres(url);
  assert.deepEqual(names, names.toSorted());
  assert.deepEqual([names[0], names.at(-1)], ["0001-accounts-and-keys", "cluster-0005-people"]);
  assert.deepEqual(await migratePostgres(url), []);
});

test("PostgreSQL that is away is named as that", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const place = {
    dataDir: folder,
    postgresUrl: "postgres://user:secret@127.0.0.1:9/sightline",
    clickhouseUrl: "http://127.0.0.1:8123/sightline",
    clickhouseCluster: null,
    clickhouseReplicated: false,
  };
  await assert.rejects(openStorage(place), {
    message: "PostgreSQL is unavailable: connect ECONNREFUSED 127.0.0.1:9",
  });
});

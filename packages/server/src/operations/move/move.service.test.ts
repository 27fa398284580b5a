import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import {
  sampleAnswerId,
  sampleAnswers,
  sampleIds,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { workspaceOf } from "../../accounts/account-store.ts";
import type { Answer } from "../../answers/answer.ts";
import { everyAnswer } from "../../answers/answer-store.ts";
import { anyLabels, type Label, labelsOf, storeLabels } from "../../answers/labels/label-store.ts";
import { type Reading, readingsOf, storeReadings } from "../../answers/readings/reading-store.ts";
import { schedulesDue } from "../../collection/store/schedule-store.ts";
import { keysOf, revokeKey } from "../../keys/key-store.ts";
import { addUsage, usageOfKey } from "../../keys/limits/usage-store.ts";
import type { Services } from "../../services.ts";
import { accountToMove } from "./account-moves.ts";
import { exportAccount, type MovePlace } from "./export-account.ts";
import { importAccount } from "./import-account.ts";

const exchangePath = "/v1/auth/accesskey/exchange";

function placeOf({ control, answers, clock, keyRing }: Services): MovePlace {
  return { control, answers, clock, pepperFingerprint: keyRing.pepperFingerprint };
}

function folderOf(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A service with the sample's account, of which something is retired, exported to a file. */
async function exported(t: TestContext) {
  const { service, accountId } = await startSample(t);
  const { account, brand, competitors, topics, prompts } = sampleWorkspace;
  const less = { competitors: competitors.slice(1), topics: topics.slice(0, 1) };
  const collection = { cron: "0 6 * * 1", providers: ["OPENAI"], caps: { callsPerDay: 9 } };
  const [prompt] = prompts;
  assert.ok(typeof prompt === "object");
  const asked = { ...prompt, tags: ["Buying"], collection: { samples: 3 } };
  const excepted = { ...brand, except: ["acme of all"] };
  const views = [{ name: "Grok", view: "?providers=GROK" }];
  const facts = [{ aspect: "price", value: "$19 a month", until: "2027-01-01" }];
  const kept = { views, notes: [{ date: "2026-01-05", text: "Launch" }], facts };
  const changed = { account, brand: excepted, ...less, collection, prompts: [asked] };
  await service.apply({ ...changed, ...kept });
  await service.settle(accountId);
  const { control, keyRing } = service.services;
  const key = await service.key(accountId);
  const revoked = await keyRing.create(accountId, {
    name: "old",
    expiresAt: 2e12,
    ratePerSecond: 3,
    dailyQuota: "off",
    scopes: ["read", "import"],
  });
  await revokeKey(control, revoked.keyId, service.clock.now());
  await storeLabels(control, accountId, labelsOfSample(accountId), service.clock.now());
  await storeReadings(control, accountId, readingsOfSample(accountId));
  const file = join(folderOf(t), "account.ndjson.zst");
  const done = await exportOf(service, accountId, file);
  return { service, accountId, key, revokedKey: revoked.key, file, done };
}

/** Of two answers, and of one that the record does not have. */
function labelsOfSample(accountId: string): readonly Label[] {
  const of = {
    entityId: sampleIds.acme,
    metric: "mentions",
    labelledAt: 1_700_000_000_000,
  } as const;
  const ids = [sampleAnswerId(accountId, 0), sampleAnswerId(accountId, 1), sampleIds.acme];
  return ids.map((answerId) => ({ ...of, answerId, labeller: "ann", value: true }));
}

/** Of two answers, one of which was read twice, and of one that the record does not have. */
function readingsOfSample(accountId: string): readonly Reading[] {
  const finding = {
    entityId: sampleIds.acme,
    kind: "praised",
    aspect: "price",
    start: 0,
    end: 4,
    pages: ["https://news.example/a"],
  } as const;
  const of = {
    promptId: sampleIds.acme,
    provider: "GROK",
    region: null,
    answeredAt: 1_700_000_000_000,
    readAt: 1_700_000_000_000,
    model: null,
    costMicros: 250,
    lineage: {
      host: "reader.example",
      model: "reader-1",
      promptVersion: 1,
      promptHash: "abc",
      parameters: { temperature: 0 },
    },
    mentioned: [sampleIds.acme],
    findings: [finding],
    dropped: { elsewhere: 1 },
  } as const;
  const [first, second] = [sampleAnswerId(accountId, 0), sampleAnswerId(accountId, 1)];
  const [one, other] = ["0123456789abcdef", "fedcba9876543210"] as const;
  return [
    { ...of, answerId: first, reader: one, sample: 0 },
    { ...of, answerId: first, reader: one, sample: 1 },
    { ...of, answerId: second, reader: other, sample: 0 },
    { ...of, answerId: sampleIds.acme, reader: other, sample: 0 },
  ];
}

async function readingsIn({ control }: Services, accountId: string): Promise<readonly Reading[]> {
  const found: Reading[] = [];
  for (const reader of ["0123456789abcdef", "fedcba9876543210"]) {
    const wanted = { reader, selection: everyAnswer };
    for await (const each of readingsOf(control, accountId, wanted)) found.push(each);
  }
  return found;
}

function exportOf(service: TestService, accountId: string, file: string) {
  const place = placeOf(service.services);
  return exportAccount(place, { accountId, file, onProgress: () => undefined });
}

/** An empty service: with a pepper of its own, or that of another. */
async function emptyService(t: TestContext, pepperOf: TestService | null) {
  const dataDir = folderOf(t);
  await (await TestService.start({ dataDir })).close(); // makes the folder
  if (pepperOf !== null) {
    copyFileSync(pepperOf.services.folder.pepper, join(dataDir, "pepper"));
  }
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  return service;
}

/** The lines of a file. */
function linesIn(file: string): readonly { readonly kind: string }[] {
  const text = zstdDecompressSync(readFileSync(file)).toString();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly kind: string });
}

async function repliesOf(service: TestService, key: string) {
  const exchange = await service.post(exchangePath, { token: key });
  const { sessionJwt: token } = exchange.json<{ sessionJwt: string }>();
  const replies = await fiveReplies((path, body) => service.post(path, { token, body }));
  const headers = { authorization: `Bearer ${token}` };
  const workspace = await service.request("GET", "/v1/workspace", { headers });
  assert.ok(replies !== null && replies.length === 5);
  return [...replies, workspace.body];
}

const moveInto = (service: TestService, file: string) =>
  importAccount(placeOf(service.services), { file, onProgress: () => undefined });

test("an account moves with its keys, and its replies are equal byte for byte", async (t) => {
  const { service, accountId, key, revokedKey, file, done } = await exported(t);
  assert.deepEqual(done.counts, {
    entities: 3,
    topics: 2,
    prompts: 2,
    keys: 3,
    usage: 0,
    answers: sampleAnswers.length,
    labels: 2,
    readings: 3,
    spend: 0,
    sweeps: 0,
  });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const other = await emptyService(t, service);
  assert.deepEqual(await moveInto(other, file), {
    accountId,
    accountName: done.accountName,
    counts: done.counts,
    resumed: false,
    keysLeftOut: 0,
    duplicates: 0,
  });
  const [here, there] = [service.services.control, other.services.control];
  const log = there.database.selectFrom("audit").select(["account_id", "subject", "after"]);
  assert.deepEqual(
    await log.where("action", "=", "account.arrived").orderBy("account_id").execute(),
    [
      { account_id: "", subject: accountId, after: null },
      { account_id: accountId, subject: null, after: JSON.stringify({ keys: 3 }) },
    ],
  );
  assert.deepEqual(await keysOf(there, accountId), await keysOf(here, accountId));
  assert.deepEqual(await accountToMove(there, accountId), await accountToMove(here, accountId));
  assert.deepEqual(await workspaceOf(there, accountId), await workspaceOf(here, accountId));
  assert.equal((await workspaceOf(there, accountId))?.collection?.cron, "0 6 * * 1");
  assert.deepEqual((await workspaceOf(there, accountId))?.entities[0]?.except, ["acme of all"]);
  assert.equal((await workspaceOf(there, accountId))?.views?.[0]?.name, "Grok");
  assert.equal((await workspaceOf(there, accountId))?.notes?.[0]?.text, "Launch");
  assert.equal((await workspaceOf(there, accountId))?.prompts[0]?.collection?.samples, 3);
  assert.deepEqual((await workspaceOf(there, accountId))?.facts?.[0]?.value, "$19 a month");
  assert.deepEqual(
    await readingsIn(other.services, accountId),
    (await readingsIn(service.services, accountId)).filter(
      ({ answerId }) => answerId !== sampleIds.acme,
    ),
  );
  assert.equal((await readingsIn(other.services, accountId)).length, 3);
  const labels = (control: Services["control"]) =>
    labelsOf(control, accountId, { ...anyLabels, after: null, limit: 9 });
  assert.deepEqual(
    await labels(there),
    (await labels(here)).filter(({ answerId }) => answerId !== sampleIds.acme),
  );
  assert.equal((await labels(there)).length, 2);
  const [due] = await schedulesDue(there, service.clock.now(), 1);
  assert.equal(due?.accountId, accountId, "it is looked at now");
  await other.settle(accountId);
  assert.deepEqual(await repliesOf(other, key), await repliesOf(service, key));
  assert.equal((await other.post(exchangePath, { token: revokedKey })).status, 401);

  const back = join(folderOf(t), "back");
  await exportOf(other, accountId, back);
  const content = (path: string) =>
    linesIn(path).filter(({ kind }) => /item|answer|label|reading/.test(kind));
  assert.deepEqual(content(back), content(file));
});

/** A file as earlier versions wrote it: format 1 says less of answers, and of what moves. */
function earlierFile(t: TestContext, file: string, format: 1 | 3): string {
  const kept = linesIn(file).filter(({ kind }) => kind !== "label" && kind !== "reading");
  const earlier = kept.map((line): object => {
    if (line.kind === "account") return { ...line, format };
    if (line.kind === "end" || format === 3 || !("answer" in line)) return line;
    const { searchQueries, cost, vendor, requestedRegion, ...answer } = line.answer as Answer;
    assert.deepEqual([searchQueries, cost, vendor, requestedRegion], [[], null, null, null]);
    return { ...line, answer };
  });
  const { counts } = earlier.pop() as { readonly counts: object };
  const text = earlier.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { labels: _labels, readings: _, ...said } = counts as Record<string, number>;
  const { spend: _spend, sweeps: _sweeps, ...less } = said;
  const told = { kind: "end", counts: format === 1 ? less : said, sha256: hash("sha256", text) };
  const path = join(folderOf(t), "earlier");
  writeFileSync(path, zstdCompressSync(Buffer.from(`${text}${JSON.stringify(told)}\n`)));
  return path;
}

test("files of earlier formats, without spans or how answers were collected", async (t) => {
  const { service, accountId, key, file } = await exported(t);
  const recorded = ({ services }: TestService) =>
    services.answers.read(accountId, { after: 0, limit: 100 });
  for (const format of [1, 3] as const) {
    const other = await emptyService(t, service);
    await moveInto(other, earlierFile(t, file, format));
    await other.settle(accountId);
    assert.deepEqual(await repliesOf(other, key), await repliesOf(service, key));
    assert.deepEqual(await recorded(other), await recorded(service));
  }
});

test("how answers came moves along, with spans of citations, and raw replies stay", async (t) => {
  const { service, accountId } = await startSample(t);
  const [{ promptId } = { promptId: "" }] = sampleAnswers;
  const collected = {
    id: "aaaaaaaa-0000-4000-8000-000000000009",
    promptId,
    provider: "GROK",
    answeredAt: "2026-01-07T00:00:00Z",
    outcome: "refused",
    text: "No.",
    vendor: "xai",
    cost: { amount: 0.1, currency: "EUR", estimated: true },
    searchQueries: ["a", ""],
    requestedRegion: "FR",
    citations: [
      {
        url: "https://a.example/",
        spans: [
          [0, 2],
          [2, 3],
        ],
      },
      { url: "https://b.example/", title: "b", cited: false },
    ],
  };
  await service.import(accountId, [collected]);
  const raw = { answerId: collected.id, vendor: "xai", at: 1, body: Buffer.from("raw") } as const;
  await service.services.answers.keepRaw(accountId, raw);
  const file = join(folderOf(t), "account");
  await exportOf(service, accountId, file);
  const other = await emptyService(t, service);
  await moveInto(other, file);
  const byId = ({ services }: TestService) => services.answers.byId(accountId, collected.id);
  const { sequence: _, ...moved } = (await byId(other)) ?? { sequence: 0 };
  const { sequence: __, ...kept } = (await byId(service)) ?? { sequence: 0 };
  assert.deepEqual(moved, kept);
  assert.ok("citations" in moved && moved.citations[0]?.spans?.length === 2);
  assert.equal(await other.services.answers.raw(accountId, collected.id), null);
});

test("what was retired is still there, and can be declared again", async (t) => {
  const { service, accountId, key, file } = await exported(t);
  const other = await emptyService(t, service);
  await moveInto(other, file);
  for (const each of [service, other]) {
    await each.apply({
      ...sampleWorkspace,
      account: { ...sampleWorkspace.account, id: accountId },
    });
    await each.settle(accountId);
  }
  assert.deepEqual(await repliesOf(other, key), await repliesOf(service, key));
});

test("calls of the day move along", async (t) => {
  const { service, accountId, key } = await exported(t);
  const [{ id = "" } = {}] = await keysOf(service.services.control, accountId);
  const day = Math.floor(service.clock.now() / 86_400_000);
  await addUsage(service.services.control, [{ keyId: id, day, calls: 41 }]);
  const file = join(folderOf(t), "account");
  assert.equal((await exportOf(service, accountId, file)).counts.usage, 1);
  const other = await emptyService(t, service);
  await moveInto(other, file);
  assert.equal(await usageOfKey(other.services.control, id, day), 41);
  assert.equal((await other.post(exchangePath, { token: key })).status, 200);
});

test("under another pepper no key works: keys and their calls are left out", async (t) => {
  const { accountId, file, key, done } = await exported(t);
  const other = await emptyService(t, null);
  const { keysLeftOut, counts } = await moveInto(other, file);
  assert.deepEqual([keysLeftOut, counts], [3, done.counts]);
  assert.deepEqual(await keysOf(other.services.control, accountId), []);
  assert.equal((await other.post(exchangePath, { token: key })).status, 401);
});

test("an account that exists is refused, also by a second import of its file", async (t) => {
  const { service, accountId, file } = await exported(t);
  const exists = { message: `The account ${accountId} exists already. Nothing was changed.` };
  await assert.rejects(moveInto(service, file), exists);
  const other = await emptyService(t, service);
  await moveInto(other, file);
  await assert.rejects(moveInto(other, file), exists);
});

test("an import that was interrupted goes on, and nothing is doubled", async (t) => {
  const { service, accountId, key, file, done } = await exported(t);
  const other = await emptyService(t, service);
  const place = placeOf(other.services);
  const record: MovePlace["answers"]["record"] = async (id, answers) => {
    await place.answers.record(id, [...answers].slice(0, 2));
    throw new Error("killed");
  };
  const killed = { ...place, answers: { ...place.answers, record } };
  const options = { file, onProgress: () => undefined };
  await assert.rejects(importAccount(killed, options), /killed/);
  assert.deepEqual(await keysOf(other.services.control, accountId), []);
  const { resumed, duplicates } = await importAccount(place, options);
  assert.deepEqual([resumed, duplicates], [true, 2]);
  const recorded = await other.services.answers.read(accountId, { after: 0, limit: 10 });
  assert.equal(recorded.length, done.counts.answers);
  await other.settle(accountId);
  assert.deepEqual(await repliesOf(other, key), await repliesOf(service, key));
});

test("an interrupted import goes on with its own file, and its own answers, alone", async (t) => {
  const { service, accountId, file } = await exported(t);
  const other = await emptyService(t, service);
  const place = placeOf(other.services);
  const failing = () => Promise.reject(new Error("killed"));
  const killed = { ...place, answers: { ...place.answers, record: failing } };
  const options = { file, onProgress: () => undefined };
  await assert.rejects(importAccount(killed, options), /killed/);
  const later = join(folderOf(t), "later");
  service.clock.advance(1_000);
  await exportOf(service, accountId, later);
  await assert.rejects(moveInto(other, later), /exists already/);
  await other.record(accountId, [{ ...sampleAnswers[0], sample: 7 }]);
  await assert.rejects(moveInto(other, file), /has other answers than the file/);
});

interface AnyLine {
  readonly kind: string;
  readonly item: Record<string, unknown>;
  readonly answer: Record<string, unknown>;
}

/** Lines of which those of a kind are edited, with an end that says so. */
function edited(lines: readonly string[], kind: string, edit: (line: AnyLine) => void): string {
  const body = lines.slice(0, -1).map((line) => {
    const value = JSON.parse(line) as AnyLine;
    if (value.kind === kind) edit(value);
    return `${JSON.stringify(value)}\n`;
  });
  const end = { ...JSON.parse(lines.at(-1) ?? ""), sha256: hash("sha256", body.join("")) };
  return `${body.join("")}${JSON.stringify(end)}\n`;
}

/** Files that are whole, of what no workspace file and no line of an import may say. */
function beyondBounds(lines: readonly string[]) {
  const deep = `"metadata":${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const entity = (edit: (item: Record<string, unknown>) => void) =>
    edited(lines, "entity", ({ item }) => edit(item));
  const answer = (edit: (item: Record<string, unknown>) => void) =>
    edited(lines, "answer", ({ answer: item }) => edit(item));
  const invalid = (field: string) => new RegExp(`is not valid, at /${field}`);
  return {
    "a long name": [entity((item) => (item["name"] = "x".repeat(501))), invalid("item/name")],
    "a blank name": [entity((item) => (item["name"] = " ")), invalid("item/name")],
    "half a pair": [
      entity((item) => (item["domains"] = ["\ud800.com"])),
      invalid("item/domains/0"),
    ],
    "many aliases": [
      entity((item) => {
        item["aliases"] = Array(1_001).fill({ name: "x", caseSensitive: false });
      }),
      invalid("item/aliases"),
    ],
    "no brand": [entity((item) => (item["kind"] = "competitor")), /has 0 brands/],
    "many brands": [entity((item) => (item["kind"] = "brand")), /has 2 brands/],
    "one name": [entity((item) => (item["name"] = "Acme")), /"acme" is already the name of/],
    "a long text": [
      answer((item) => (item["text"] = "x".repeat(1_000_001))),
      invalid("answer/text"),
    ],
    "a year": [answer((item) => (item["answeredAt"] = -1e15)), invalid("answer/answeredAt")],
    "deep metadata": [
      lines.join("\n").replace(/"metadata":[^,]*?(?=[,}])/, deep),
      /nested at most 101 levels deep/,
    ],
  } as const;
}

test("a file is checked whole before anything is written", async (t) => {
  const { service, accountId, file } = await exported(t);
  const other = await emptyService(t, service);
  const good = zstdDecompressSync(readFileSync(file)).toString();
  const lines = good.trimEnd().split("\n");
  const joined = (some: readonly string[]) => `${some.join("\n")}\n`;
  const bad: Readonly<Record<string, readonly [Buffer | string, RegExp]>> = {
    "not zstd": [Buffer.from("hello"), /is not a file of sightline export/],
    "cut file": [readFileSync(file).subarray(0, -20), /cannot be read|is damaged/],
    "cut lines": [joined(lines.slice(0, -1)), /is damaged: it is not complete/],
    "a changed text": [good.replace("It depends.", "It depends!"), /not as it was written/],
    "a line less": [joined(lines.toSpliced(-3, 1)), /not as it was written/],
    "a later format": [good.replace('"format":6', '"format":7'), /has format 7/],
    "an unknown field": [good.replace('"format":6', '"format":6,"a":1'), /line 1 is not valid/],
    "a wrong order": [joined(lines.toReversed()), /is not a file of sightline export/],
    "something after": [`${good}${lines[1]}\n`, /at a wrong place/],
    "an unknown prompt": [
      joined(lines.filter((line) => !line.startsWith('{"kind":"prompt"'))),
      /lacks the prompt/,
    ],
    "not JSON": [joined([lines[0] ?? "", "{"]), /line 2 is not valid/],
    ...beyondBounds(lines),
  };
  const path = join(folderOf(t), "bad");
  for (const [name, [content, message]] of Object.entries(bad)) {
    const isText = typeof content === "string";
    writeFileSync(path, isText ? zstdCompressSync(Buffer.from(content)) : content);
    await assert.rejects(moveInto(other, path), { name: "MoveError", message }, name);
  }
  assert.equal(await accountToMove(other.services.control, accountId), null);
});

test("an account that does not exist, and a target that cannot be written", async (t) => {
  const { service, accountId } = await exported(t);
  const folder = folderOf(t);
  const unknown = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
  await assert.rejects(exportOf(service, unknown, join(folder, "a")), /There is no account/);
  await assert.rejects(exportOf(service, accountId, join(folder, "b", "c")), /ENOENT/);
  assert.deepEqual(readdirSync(folder), []);
});

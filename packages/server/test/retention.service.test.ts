import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { EvidenceResponse, RecordedAnswerResponse } from "@sightline/contract";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import { corpusAnswer, corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { entitiesOf } from "../src/accounts/account-store.ts";
import { answerLines } from "../src/answers/answer-store.ts";
import { backup } from "../src/operations/backup/backup.ts";
import { restore } from "../src/operations/backup/restore.ts";
import { diagnose } from "../src/operations/doctor/doctor.ts";

/** By the clock of tests, at first of answers before February. */
const keepTexts = "120d";
const dayMs = 86_400_000;
const service = await TestService.start({ settings: { keepTexts } });
after(() => service.close());
const { services, clock } = service;
const isOld = ({ answeredAt }: { readonly answeredAt: string }) =>
  Date.parse(answeredAt) < Math.floor(clock.now() / dayMs - 120) * dayMs;

async function account(name: string, answers: readonly object[]) {
  const apply = (changed: object = {}) =>
    service.apply({ ...corpusWorkspace, account: { name }, ...changed });
  const accountId = await apply();
  await service.import(accountId, answers);
  // The clock goes on by days, and a session ends.
  const post = async (path: string, body: object) =>
    service.post(path, { token: await service.session(accountId), body });
  const replies = async () => {
    await service.settle(accountId);
    return fiveReplies(post);
  };
  const evidence = async (role: string, entityId?: string) => {
    await service.settle(accountId);
    const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
    const body = { filters: { timeRange }, role, limit: 100, ...(entityId && { entityId }) };
    // A cursor is of one generation of the facts.
    const { nextCursor: _, ...list } = (await post("/v1/evidence", body)).json<EvidenceResponse>();
    return list;
  };
  return { accountId, apply, replies, evidence };
}

/** On the next day of the clock, when texts are removed again. */
async function removeNextDay(): Promise<void> {
  clock.advance(dayMs);
  await services.retention.removeDue();
}

test("old texts are removed, and every number stays, also when it is built anew", async () => {
  const answers = corpusAnswers(400).map(({ citations, ...rest }) => {
    const spans = rest.text === "" ? [] : [[0, rest.text.length]];
    return { ...rest, citations: citations.map((citation) => ({ ...citation, spans })) };
  });
  const { accountId, apply, replies, evidence } = await account("Kept", answers);
  const before = await replies();
  const [brand] = await entitiesOf(services.control, accountId);
  const shown = await evidence("mentioned", brand?.id);
  await services.retention.removeDue();
  assert.deepEqual(await replies(), before);
  const without = await evidence("mentioned", brand?.id);
  assert.ok(without.total > 0);
  assert.deepEqual(without, {
    ...shown,
    answers: shown.answers.map((each) => ({
      ...each,
      text: "",
      textRemoved: true,
      mentions: [],
      statements: [],
      citations: each.citations.map((citation) => ({ ...citation, spans: [] })),
    })),
  });
  assert.ok(shown.answers.some(({ citations }) => citations.some(({ spans }) => spans.length > 0)));
  const [{ id = "" } = {}] = without.answers;
  const headers = { authorization: `Bearer ${await service.session(accountId)}` };
  const one = await service.request("GET", `/v1/answers/${id}`, { headers });
  const { textRemoved, text, metadata, citations } = one.json<RecordedAnswerResponse>();
  assert.deepEqual([textRemoved, text, metadata], [true, "", null]);
  assert.ok(citations.length > 0 && citations.every(({ title }) => !title));
  // Another workspace reads the record again, and so does the first one again.
  await apply({ competitors: [] });
  assert.notDeepEqual(await replies(), before);
  await apply();
  assert.deepEqual(await replies(), before);
  const kept = (await service.import(accountId, answers)).duplicates;
  assert.equal(kept, 400, "the same answers again bring no text back");
  assert.deepEqual(await evidence("mentioned", brand?.id), without);
});

test("of removed texts, what was known counts: names that are new are not found", async () => {
  const { accountId, apply, replies, evidence } = await account("New", corpusAnswers(400));
  await removeNextDay();
  const competitors = [{ name: "Initech" }, { name: "Globex", domains: ["example.org"] }];
  await apply({ competitors });
  await replies();
  const entities = await entitiesOf(services.control, accountId);
  const idOf = (name: string) => entities.find((each) => each.name === name)?.id;
  const january = (answer: { readonly answeredAt: string }) => answer.answeredAt < "2026-02";
  const answered = corpusAnswers(400)
    .filter(january)
    .filter(({ outcome }) => outcome === "answered");
  const naming = (name: string) => answered.filter(({ text }) => text.includes(name)).length;
  assert.ok(naming("Initech") > 0);
  assert.equal((await evidence("mentioned", idOf("Initech"))).total, 0);
  assert.equal((await evidence("mentioned", idOf("Globex"))).total, naming("Globex"));
  // URLs stay, and domains of today count.
  assert.equal((await evidence("cited", idOf("Globex"))).total, answered.length);
});

test("an export says whose text was removed, and no import takes it", async () => {
  const { accountId } = await account("Exported", corpusAnswers(100));
  await removeNextDay();
  const lines: { readonly textRemoved?: boolean; readonly text: string }[] = [];
  const range = { accountId, fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  for await (const line of answerLines(services.answers, range)) lines.push(JSON.parse(line));
  const old = corpusAnswers(100).filter(isOld).length;
  const removed = lines.filter((line) => line.textRemoved === true);
  assert.deepEqual([lines.length, removed.length], [100, old]);
  assert.ok(removed.every(({ text }) => text === ""));
  const tally = await service.record(accountId, lines);
  assert.deepEqual([tally.duplicates, tally.rejected], [100 - old, old]);
});

test("raw replies go 90 days after they were kept, and their answers count on", async (t) => {
  const own = await TestService.start();
  t.after(() => own.close());
  const { answers, retention } = own.services;
  const accountId = await own.apply(corpusWorkspace);
  await own.import(accountId, corpusAnswers(20));
  const recorded = await answers.read(accountId, { after: 0, limit: 20 });
  const keep = async (some: typeof recorded) => {
    for (const { id: answerId } of some) {
      const raw = { answerId, vendor: "openai", at: own.clock.now(), body: Buffer.from("raw") };
      await answers.keepRaw(accountId, { ...raw, vendor: "openai" });
    }
  };
  const left = async () => (await answers.rawReplies(accountId, null, 100)).length;
  await keep(recorded.slice(0, 12));
  own.clock.advance(dayMs);
  await keep(recorded.slice(12));
  const found = [];
  for (const days of [89, 1, 0, 1, 1]) {
    own.clock.advance(days * dayMs);
    await retention.removeDue();
    found.push(await left());
  }
  assert.deepEqual(found, [20, 8, 8, 0, 0]);
  assert.deepEqual(await answers.read(accountId, { after: 0, limit: 20 }), recorded);
});

test("removed texts are in no file, nor in a backup; the doctor finds no fault", async (t) => {
  const dataDir = temporaryFolder();
  const own = await TestService.start({
    dataDir: join(dataDir, "data"),
    settings: { keepTexts },
    clock,
  });
  t.after(async () => {
    await own.close();
    rmSync(dataDir, { recursive: true });
  });
  const accountId = await own.apply(corpusWorkspace);
  const secret = (of: string) => `a sentence ${of} that nobody must find again`;
  const answers = Array.from({ length: 300 }, (_, number) => {
    const answer = corpusAnswer(number);
    const text = `Acme: ${secret(isOld(answer) ? "of old" : "of now")}`;
    const citations = [{ url: "https://acme.com", title: text }];
    const id = `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const searchQueries = [`${text}?`];
    return { ...answer, id, text, citations, searchQueries, metadata: { quote: text } };
  });
  await own.import(accountId, answers);
  for (const { id, text } of answers) {
    const raw = { answerId: id, vendor: "openai", at: clock.now(), body: Buffer.from(text) };
    await own.services.answers.keepRaw(accountId, { ...raw, vendor: "openai" });
  }
  await own.services.retention.removeDue();
  assert.deepEqual(found(join(dataDir, "data"), secret), [false, true]);
  const { folder } = own.services;
  const file = join(dataDir, "backup");
  await backup(folder, file, clock);
  await restore(file, join(dataDir, "restored"));
  assert.deepEqual(found(join(dataDir, "restored"), secret), [false, true]);
  assert.deepEqual((await diagnose(folder)).faults, []);
});

/** Whether the files below a folder have the text of old, and of now. */
function found(root: string, secret: (of: string) => string): readonly boolean[] {
  const bytes = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path));
  const all = Buffer.concat(bytes);
  return [all.includes(secret("of old")), all.includes(secret("of now"))];
}

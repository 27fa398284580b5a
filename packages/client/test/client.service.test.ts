import assert from "node:assert/strict";
import { after, test } from "node:test";
import { revokeKey } from "@sightline/server/key-store";
import { addSweep } from "@sightline/server/sweep-store";
import {
  sampleIds,
  sampleRange,
  sampleSeries,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { newJobs, newSweep } from "@sightline/test-kit/sweeps.ts";
import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PreconditionFailedError,
  Sightline,
  type Source,
  UnauthorizedError,
} from "../src/index.ts";

const filters = { timeRange: sampleRange };
const { service, accountId, token } = await startSample({ after });
const baseUrl = await service.listen();
const key = await service.key(accountId);

test("each question gets the service's reply", async () => {
  const sightline = new Sightline({ baseUrl, key });
  const daily = { interval: "daily", filters } as const;
  const { analytics } = sightline;

  assert.deepEqual(
    await analytics.mentions(daily),
    sampleSeries({ acme: [1, null, 0], globex: [0.5, null, 0], initech: [0, null, 0] }),
  );
  assert.deepEqual(
    await analytics.visibility(daily),
    sampleSeries({ acme: [1, null, 0], globex: [0.5, null, 1], initech: [0, null, 0] }),
  );
  assert.deepEqual(
    await analytics.citations(daily),
    sampleSeries({ acme: [0.5, null, 0], globex: [0, null, 1], initech: [0, null, 0] }),
  );
  assert.deepEqual(
    await analytics.rank(daily),
    sampleSeries({
      acme: [1.5, null, null],
      globex: [1, null, null],
      initech: [null, null, null],
    }),
  );
  const counted = await sightline.insights.series({ metric: "rank", ...daily });
  assert.deepEqual(counted.series[0]?.data[0], {
    timestamp: "2026-01-05T00:00:00.000Z",
    value: 1.5,
    numerator: 3,
    denominator: 2,
    interval: null,
    empty: false,
    covered: 1,
    days: 1,
  });
  const summary = await sightline.insights.summary({
    groupBy: "provider",
    filters,
    compare: { filters: { ...filters, providers: ["OPENAI"] } },
  });
  const { from, to } = filters.timeRange;
  const instants = [from, to].map((each) => new Date(each).toISOString());
  assert.deepEqual(summary.compare?.timeRange, { from: instants[0], to: instants[1] });
  assert.deepEqual(
    summary.groups.map(({ key, answers }) => [key, answers]),
    [
      ["OPENAI", 2],
      ["GROK", 1],
    ],
  );
  assert.equal(summary.groups[0]?.entities[0]?.mentions.change?.value, 0);
  const { sources } = await sightline.insights.sources({ groupBy: "domain", limit: 2, filters });
  assert.deepEqual(
    sources.map(({ source, withCompetitorOnly }) => [source, withCompetitorOnly]),
    [
      ["example.org", 1],
      ["acme.com", 0],
    ],
  );
  const { brand, competitors, answers } = await sightline.workspace();
  assert.deepEqual(brand, { id: sampleIds.acme, name: "Acme" });
  assert.deepEqual(
    competitors.map(({ id }) => id),
    [sampleIds.globex, sampleIds.initech],
  );
  assert.equal(answers.count, 3);
});

test("what a change consists of, and how many contributions are not listed", async () => {
  const sightline = new Sightline({ baseUrl, key });
  const { contributions, rest } = await sightline.insights.changes({
    entityId: sampleIds.acme,
    metric: "visibility",
    by: "prompt",
    limit: 1,
    filters,
    compare: { filters: { ...filters, providers: ["OPENAI"] } },
  });
  assert.deepEqual([contributions.length, rest.contributions], [1, 1]);
});

test("the answers behind a value: a page, all of them, and one as it was recorded", async () => {
  const sightline = new Sightline({ baseUrl, key });
  const question = { role: "any", limit: 2, filters } as const;
  const first = await sightline.evidence(question);
  assert.deepEqual([first.total, first.answers.length], [3, 2]);

  const ids: string[] = [];
  for await (const { id } of sightline.evidence(question)) ids.push(id);
  assert.deepEqual(
    ids.slice(0, 2),
    first.answers.map(({ id }) => id),
  );
  assert.equal(new Set(ids).size, 3);
  const cursor = first.nextCursor ?? undefined;
  const { answers, nextCursor } = await sightline.evidence({ ...question, cursor });
  assert.deepEqual([answers.map(({ id }) => id), nextCursor], [ids.slice(2), null]);

  const { entityId, role } = { entityId: sampleIds.globex, role: "mentioned" } as const;
  const [named] = (await sightline.evidence({ entityId, role, filters })).answers;
  assert.ok(named !== undefined);
  const { mentions, text } = named;
  const marked = mentions.map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(marked, ["Globex", "Acme", "Globex"]);

  const whole = await sightline.answers.get(named.id);
  assert.deepEqual([whole.id, whole.outcome, whole.sample], [named.id, "answered", 0]);
  const missing = sightline.answers.get("../workspace");
  await assert.rejects(missing, (error) => {
    assert.ok(error instanceof NotFoundError);
    assert.equal(error.code, "answer_not_found");
    return true;
  });
});

test("every filter is taken, and Dates as well as texts", async () => {
  const { analytics } = new Sightline({ baseUrl, key });
  const timeRange = { from: new Date(sampleRange.from), to: sampleRange.to };
  const reply = await analytics.mentions({
    interval: "monthly",
    filters: {
      timeRange,
      providers: ["OPENAI"],
      topics: [{ id: sampleIds.storage }],
      regions: [{ code: "us" }],
      branded: false,
    },
  });

  assert.deepEqual(reply.timeRange, { from: "2026-01-05T00:00:00.000Z", to: sampleRange.to });
  assert.deepEqual(
    reply.series.map(({ data }) => data.map(({ value }) => value)),
    [[1], [1], [0]],
  );
});

test("answers are recorded in parts, and their faults keep their lines", async () => {
  const sightline = new Sightline({
    baseUrl,
    key: await service.key(accountId, ["import"]),
  });
  const answer = (sample: number) => ({
    promptId: sampleIds.storagePrompt,
    provider: "COPILOT",
    answeredAt: "2026-02-01T00:00:00Z",
    text: "Nothing.",
    sample,
  });
  const lines = Array.from({ length: 4_100 }, (_, sample) => answer(sample));
  lines[4_050] = answer(-1);
  const seen: number[] = [];
  const result = await sightline.answers.import(lines, {
    onProgress: ({ accepted }) => seen.push(accepted),
  });
  assert.deepEqual([result.accepted, result.rejected], [4_099, 1]);
  assert.deepEqual(
    result.errors.map(({ line, path }) => `${line} ${path}`),
    ["4051 /sample"],
  );
  assert.deepEqual(seen, [2_000, 4_000, 4_099]);
  assert.equal((await sightline.answers.import(lines)).duplicates, 4_099);
});

test("answers are counted, and an import is taken back", async () => {
  const key = await service.key(accountId, ["read", "import", "manage"]);
  const manage = new Sightline({ baseUrl, key });
  const timeRange = { from: "2026-02-01T00:00:00Z", to: "2026-02-02T00:00:00Z" };
  const count = async () =>
    (await manage.answers.delete({ filters: { timeRange }, dryRun: true })).matched;
  const before = await count();
  const [first] = await manage.imports.list();
  assert.ok(first !== undefined && before > 0);
  await manage.imports.undo(first.id);
  assert.equal(await count(), before - first.accepted);
  const [undone] = (await manage.imports.list()).filter(({ id }) => id === first.id);
  assert.ok(undone !== undefined && undone.undoneAt !== null);
  assert.ok((await refusalOf(manage.imports.undo("a/b"))) instanceof NotFoundError);
});

test("keys are created, listed and revoked", async () => {
  const manage = new Sightline({ baseUrl, key: await service.key(accountId, ["read", "manage"]) });
  const { key: made, ...shown } = await manage.keys.create({ name: "reports", expiresIn: "90d" });
  const listed = await manage.keys.list();
  assert.deepEqual(
    listed.find(({ keyId }) => keyId === shown.keyId),
    shown,
  );
  const reports = new Sightline({ baseUrl, key: made });
  assert.equal((await reports.workspace()).brand.name, "Acme");
  const refused = await refusalOf(reports.keys.create());
  assert.ok(refused instanceof ForbiddenError && refused.code === "scope_missing");
  const revoked = await manage.keys.revoke(shown.keyId);
  assert.ok(revoked.revokedAt !== null);
  assert.ok((await refusalOf(reports.workspace())) instanceof UnauthorizedError);
  assert.ok((await refusalOf(manage.keys.revoke("a/b?c"))) instanceof NotFoundError);
});

test("a workspace file is tried, applied, and not over somebody else's change", async (t) => {
  const other = await startSample(t);
  const key = await other.service.key(other.accountId, ["read", "manage"]);
  const sightline = new Sightline({ baseUrl: await other.service.listen(), key });
  const { workspace, etag } = await sightline.taggedWorkspace();
  assert.equal(workspace.brand.name, "Acme");
  const file = { account: "Acme", brand: { name: "Acme" }, competitors: ["Hooli"] };
  const dry = await sightline.applyWorkspace(file, { dryRun: true });
  assert.deepEqual([dry.created, dry.answersNoLongerCounted, dry.etag], [2, 3, etag]);
  const applied = await sightline.applyWorkspace(file, { ifMatch: etag ?? "" });
  assert.deepEqual({ ...applied, etag }, { ...dry, dryRun: false });
  const yaml = "account: Acme\nbrand: Acme\n";
  const stale = await refusalOf(sightline.applyWorkspace(yaml, { ifMatch: etag ?? "" }));
  assert.ok(stale instanceof PreconditionFailedError);
  const last = await sightline.applyWorkspace(yaml, { ifMatch: applied.etag ?? "" });
  assert.deepEqual(
    last.changes.retired.map(({ name }) => name),
    ["Hooli"],
  );
});

test("sources are one page when awaited, all of them when looped over", async () => {
  const { analytics } = new Sightline({ baseUrl, key });
  const question = { groupBy: "url", limit: 2, filters } as const;
  const all: Source[] = [];
  for await (const source of analytics.sources(question)) all.push(source);
  const page = await analytics.sources({ ...question, offset: 2 });

  assert.deepEqual(
    all.map(({ source, citations }) => [source, citations]),
    [
      ["https://example.org/x", 2],
      ["https://acme.com/a", 1],
      ["https://blog.example.org/y", 1],
      ["https://globex.com/z", 1],
    ],
  );
  assert.deepEqual(page, {
    groupBy: "url",
    sources: all.slice(2),
    pagination: { total: 4, limit: 2, offset: 2, hasMore: false },
  });
});

test("a session serves in place of a key", async () => {
  const sightline = new Sightline({ baseUrl, session: token });

  assert.equal((await sightline.workspace()).brand.name, "Acme");
});

test("a refused request says where it is wrong, and is found in the log by its id", async () => {
  const { analytics } = new Sightline({ baseUrl, key });
  const timeRange = { from: sampleRange.to, to: sampleRange.from };
  const error = await refusalOf(analytics.mentions({ interval: "daily", filters: { timeRange } }));

  assert.ok(error instanceof InvalidRequestError);
  const { status, code, errors, requestId } = error;
  assert.deepEqual({ status, code }, { status: 400, code: "invalid_request" });
  assert.deepEqual(
    errors.map(({ path, code }) => ({ path, code })),
    [{ path: "/filters/timeRange", code: "wrong_order" }],
  );
  assert.match(requestId ?? "", /^req_/);
  assert.match(error.message, /^400 invalid_request: .*from must be before to/s);
});

test("a revoked key is refused once its session is", async () => {
  const { keyRing, control } = service.services;
  const { keyId, key } = await keyRing.create(accountId, { name: "test", expiresAt: null });
  const sightline = new Sightline({ baseUrl, key });
  await sightline.workspace();
  await revokeKey(control, keyId, service.clock.now());
  const error = await refusalOf(sightline.workspace());

  assert.ok(error instanceof UnauthorizedError);
  assert.equal(error.code, "key_invalid");
});

async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error;
  }
}

test("sweeps are estimated, refused without a credential, followed and cancelled", async () => {
  const manage = new Sightline({ baseUrl, key: await service.key(accountId, ["manage"]) });
  const { collections } = manage;
  const dry = await collections.start({ providers: ["OPENAI"], dryRun: true });
  assert.deepEqual([dry.id, dry.estimates[0]?.vendor], [null, "openai"]);
  assert.ok(dry.jobs > 0 && dry.dollars > 0);
  const refused = await refusalOf(collections.start({ providers: ["OPENAI"] }));
  assert.ok(refused instanceof ConflictError);
  assert.equal(refused.code, "collection_off");
  const { control, clock } = service.services;
  const sweep = newSweep(clock.now(), newJobs(2));
  await addSweep(control, accountId, sweep, clock.now());
  assert.equal((await collections.get(sweep.id)).jobs, 2);
  assert.equal((await collections.cancel(sweep.id)).missing, 2);
  const { collections: listed, vendors } = await collections.list();
  assert.deepEqual([listed.map(({ id }) => id), vendors.length], [[sweep.id], 9]);
  assert.ok((await refusalOf(collections.get("x"))) instanceof NotFoundError);
});

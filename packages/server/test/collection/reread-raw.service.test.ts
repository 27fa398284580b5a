import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { TimeSeriesResponse } from "@sightline/contract";
import { startCollecting, sweepToEnd } from "@sightline/test-kit/collection/collecting.ts";
import type { Answer } from "../../src/answers/answer.ts";
import { everyAnswer } from "../../src/answers/answer-store.ts";
import { importsOf } from "../../src/answers/import-store.ts";
import type { Adapter } from "../../src/collection/adapter.ts";
import { rereadRaw } from "../../src/collection/reread.ts";
import { adapters } from "../../src/collection/vendors/index.ts";

/** As a version would read replies that finds a word in them which this one does not. */
const mended: readonly Adapter[] = adapters.map((adapter) => ({
  ...adapter,
  step: (question, exchanges) => {
    const step = adapter.step(question, exchanges);
    if (step.kind !== "answered" || question.provider !== "OPENAI") return step;
    return { ...step, answer: { ...step.answer, text: `${step.answer.text} Zygote.` } };
  },
}));

/** A service with two prompts whose first sweep has ended. */
async function swept(t: TestContext, asks: Readonly<Record<"providers" | "samples", unknown>>) {
  const collecting = await startCollecting(t, {
    workspace: {
      account: { name: "Reread" },
      brand: { name: "Zygote" },
      prompts: ["A?", "B?"],
      collection: { cron: "0 13 * * *", ...asks },
    },
  });
  collecting.clock.advance(3_600_000);
  await sweepToEnd(collecting);
  return collecting;
}

test("raw replies are read again, and what reads otherwise is replaced under its id", async (t) => {
  const { service, accountId } = await swept(t, { providers: ["OPENAI", "COPILOT"], samples: 3 });
  const { control, answers } = service.services;
  const all = async () => {
    const read = await answers.read(accountId, { after: 0, limit: 100 });
    return read.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  const before = await all();
  const reread = (by: readonly Adapter[], dryRun: boolean) =>
    rereadRaw({ control, answers, adapters: by }, accountId, { dryRun });
  const none = { read: 12, changed: 0, unreadable: 0 };
  assert.deepEqual(await reread(adapters, false), none);
  assert.deepEqual(await all(), before);
  assert.deepEqual(await reread(mended, true), { ...none, changed: 6 });
  assert.deepEqual(await all(), before);

  assert.deepEqual(await reread(mended, false), { ...none, changed: 6 });
  const after = await all();
  assert.deepEqual(
    after.map(({ sequence: _sequence, ...answer }) => answer),
    before.map(({ sequence: _sequence, ...answer }) => {
      return answer.provider === "OPENAI" ? { ...answer, text: `${answer.text} Zygote.` } : answer;
    }),
  );
  assert.deepEqual(await reread(mended, false), none, "all raw replies are still kept");
  await service.settle(accountId);
  const token = await service.session(accountId);
  const timeRange = { from: "2026-06-01T00:00:00Z", to: "2026-06-08T00:00:00Z" };
  const body = { interval: "weekly", filters: { timeRange } };
  const reply = await service.post("/v1/analytics/brands/mentions", { token, body });
  const { series } = reply.json<TimeSeriesResponse>();
  assert.equal(series[0]?.data[0]?.value, 0.5);
  const [imported] = (await importsOf(control, accountId)).filter(({ source }) =>
    /OPENAI/.test(source),
  );
  const count = await answers.count(accountId, {
    ids: null,
    promptIds: null,
    providers: null,
    regions: null,
    fromMs: null,
    toMs: null,
    importId: imported?.id ?? "",
  });
  assert.equal(count, 6, "they still belong to their sweep's import");
});

test("answers of before get spans, and the region that their replies were asked in", async (t) => {
  const { service, accountId } = await swept(t, {
    providers: ["OPENAI", "GOOGLE_AI_MODE"],
    samples: 1,
  });
  const { control, answers } = service.services;
  const all = async () => {
    const read = await answers.read(accountId, { after: 0, limit: 100 });
    return read
      .map(({ sequence: _, ...answer }) => answer)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  const now = await all();
  const before = now.map((answer): Answer => {
    const spans = answer.citations.flatMap(({ url, spans: parts = [] }) =>
      parts.map(([start, end]) => ({ url, start, end })),
    );
    assert.ok(spans.length > 0);
    const citations = answer.citations.map(({ spans: _, ...citation }) => citation);
    return { ...answer, citations, region: null, metadata: { ...answer.metadata, spans } };
  });
  const raws = await answers.rawReplies(accountId, null, 100);
  await answers.remove(accountId, everyAnswer);
  await answers.record(accountId, before);
  for (const raw of raws) await answers.keepRaw(accountId, raw);
  const report = await rereadRaw({ control, answers, adapters }, accountId, { dryRun: false });
  assert.deepEqual(report, { read: 4, changed: 4, unreadable: 0 });
  assert.deepEqual(await all(), now);
  assert.deepEqual(new Set(now.map(({ provider, region }) => `${provider} ${region}`)).size, 2);
});

test("a replacing that was killed is ended by the next: no answer is lost", async (t) => {
  const { service, accountId } = await swept(t, { providers: ["OPENAI"], samples: 2 });
  const { control, answers } = service.services;
  const killed = () => Promise.reject(new Error("killed"));
  for (const dying of [
    { ...answers, record: killed },
    { ...answers, removeRaw: killed },
  ]) {
    const tools = { control, answers: dying, adapters: mended };
    await assert.rejects(rereadRaw(tools, accountId, { dryRun: false }), /killed/);
    // As retention does it, before somebody runs it again: what is staged is not an old reply.
    await answers.removeRaw(accountId, Date.UTC(2020, 0));
    await rereadRaw({ control, answers, adapters: mended }, accountId, { dryRun: false });
    const read = await answers.read(accountId, { after: 0, limit: 100 });
    assert.equal(read.length, 4);
    assert.ok(read.every(({ text }) => text.endsWith("Zygote.")));
    const { changed } = await rereadRaw({ control, answers, adapters }, accountId, {
      dryRun: false,
    });
    assert.equal(changed, 4);
  }
});

test("answers that are removed while replies are read again stay removed", async (t) => {
  const { service, accountId } = await swept(t, { providers: ["OPENAI"], samples: 2 });
  const { control, answers } = service.services;
  const [first, second] = await answers.read(accountId, { after: 0, limit: 100 });
  assert.ok(first !== undefined && second !== undefined);
  let ends = 0;
  const meddled = {
    ...answers,
    rawReplies: async (...asked: Parameters<typeof answers.rawReplies>) => {
      const page = await answers.rawReplies(...asked);
      // The first end is that of the look for what an earlier run left.
      if (page.length > 0 || ++ends < 2) return page;
      await answers.remove(accountId, { ...everyAnswer, ids: [first.id] });
      return page;
    },
  };
  const report = await rereadRaw({ control, answers: meddled, adapters: mended }, accountId, {
    dryRun: false,
  });
  const read = await answers.read(accountId, { after: 0, limit: 100 });
  assert.deepEqual([read.length, report.changed], [3, 3]);
  assert.ok(read.every(({ id, text }) => id !== first.id && text.endsWith("Zygote.")));
  assert.equal(await answers.raw(accountId, first.id), null);
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { standInCredentials } from "@sightline/stand-in";
import type { StandInFaults } from "@sightline/stand-in/faults";
import {
  billedBy,
  type Collecting,
  collectionOf,
  ledgerOf,
  startCollecting,
  sumsOf,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { deleteAccount } from "../../src/accounts/account-deletions.ts";
import { everyAnswer } from "../../src/answers/answer-store.ts";
import { removeAnswers } from "../../src/answers/corrections/corrections.ts";
import {
  type Reading,
  readingsOf,
  removeReadingsOfGone,
  storeReadings,
} from "../../src/answers/readings/reading-store.ts";
import { Credentials } from "../../src/collection/config.ts";
import { isReadTwice, planReading } from "../../src/collection/plan-reading.ts";
import { builtInPrices, withReader } from "../../src/collection/price-list.ts";
import { Prices } from "../../src/collection/prices.ts";
import { type ReaderConfig, readReader } from "../../src/collection/reader-config.ts";

const settings = {
  readerUrl: "https://reader.example/v1",
  readerModel: "reader-1",
  readerPrice: "0.2/0.8",
};

function readerOf(more: Readonly<Record<string, string>> = {}): ReaderConfig {
  const { reader, faults } = readReader({ ...settings, ...more });
  assert.deepEqual(faults, []);
  assert.ok(reader !== null);
  return reader;
}

const texts = [
  "Acme has a great battery and costs less than others.\nGlobex is slow, reviewers say.",
  "Globex comes with good support.",
  "Nobody is named here.",
  "Buy Acme if you want a phone that lasts.",
];

const workspace = {
  account: { name: "Read" },
  brand: { name: "Acme" },
  competitors: [{ name: "Globex" }],
  prompts: ["A?", "B?"],
};

interface ReadingTest extends Collecting {
  readonly reader: ReaderConfig;
  readonly order: (options?: {
    dryRun?: boolean;
    reader?: ReaderConfig;
  }) => ReturnType<typeof planReading>;
  readonly readings: (reader: string) => Promise<readonly Reading[]>;
}

interface Started {
  readonly faults?: StandInFaults;
  readonly reader?: ReaderConfig;
  readonly collection?: object;
  readonly answers?: readonly string[];
  readonly keepTexts?: string;
}

/** An account with answers, and a model that reads them. */
async function startReading(
  t: TestContext,
  { faults = {}, reader = readerOf(), collection, answers = texts, keepTexts }: Started = {},
): Promise<ReadingTest> {
  const own = collection === undefined ? workspace : { ...workspace, collection };
  const settings = keepTexts === undefined ? {} : { keepTexts };
  const collecting = await startCollecting(t, { workspace: own, faults, reader, settings });
  const { service, accountId, clock } = collecting;
  await service.import(
    accountId,
    answers.map((text, index) => ({
      prompt: index % 2 === 0 ? "A?" : "B?",
      provider: index % 2 === 0 ? "OPENAI" : "GROK",
      answeredAt: new Date(clock.now() - index * 60_000).toISOString(),
      text,
      citations: [{ url: "https://news.example/a", spans: [[0, 10]] }],
    })),
  );
  const { control, answers: store } = service.services;
  return {
    ...collecting,
    reader,
    order: ({ dryRun = false, reader: other = reader } = {}) => {
      const config = {
        credentials: new Credentials(standInCredentials),
        standIn: null,
        prices: new Prices(withReader(builtInPrices, other)),
        reader: other,
      };
      const tools = { control, answers: store, clock, config };
      return planReading(tools, { accountId, selection: everyAnswer, dryRun });
    },
    readings: async (id) => {
      const found: Reading[] = [];
      const wanted = { reader: id, selection: everyAnswer };
      for await (const each of readingsOf(control, accountId, wanted)) found.push(each);
      return found;
    },
  };
}

async function readToEnd(reading: ReadingTest) {
  const planned = await reading.order();
  assert.ok(planned.kind === "planned" && planned.sweepId !== null, JSON.stringify(planned));
  const sweeps = await sweepToEnd(reading);
  return { ...planned, parts: sweeps[0]?.parts ?? [] };
}

test("answers are read through jobs and the ledger, and findings have their place", async (t) => {
  const reading = await startReading(t);
  const estimated = await reading.order({ dryRun: true });
  assert.ok(estimated.kind === "planned");
  const { estimate, sweepId } = estimated;
  assert.equal(sweepId, null);
  assert.equal(estimate.answers, 3);
  assert.equal(estimate.nothingToRead, 1);
  assert.ok((estimate.micros ?? 0) > 0);
  assert.equal(billedBy(reading.standIn).received, 0, "an estimate asks nothing");

  const { reader, parts } = await readToEnd(reading);
  assert.deepEqual(
    parts.map(({ provider, vendor, done }) => [provider, vendor, done > 0]),
    [
      ["GROK", "reader", true],
      ["OPENAI", "reader", true],
    ],
  );
  const readings = await reading.readings(reader);
  assert.equal(readings.length, estimate.requests);
  const { clock, service, accountId, standIn } = reading;
  for (const each of readings) {
    const answer = await service.services.answers.byId(accountId, each.answerId);
    assert.ok(answer !== null);
    assert.equal(each.model, "reader-1-2026-10-01");
    assert.deepEqual(each.lineage.parameters, { temperature: 0, max_tokens: 4_000 });
    assert.equal(each.lineage.host, "reader.example");
    assert.ok(each.readAt <= clock.now() && each.readAt > clock.now() - 60_000);
    assert.ok(each.costMicros > 0);
    assert.ok(each.findings.length > 0);
    assert.deepEqual(each.dropped, {});
    for (const { start, end, entityId } of each.findings) {
      assert.ok(/^(?:Acme|Globex)/.test(answer.text.slice(start, end)));
      assert.ok(each.mentioned.includes(entityId));
    }
  }
  const [first] = readings.filter(({ findings }) => findings.some(({ pages }) => pages.length > 0));
  assert.deepEqual(first?.findings[0]?.pages, ["https://news.example/a"]);

  const { spentMicros, reservedMicros, unsettledMicros, calls } = sumsOf(await ledgerOf(reading));
  const { billed, micros } = billedBy(standIn);
  assert.deepEqual(
    { spentMicros, reservedMicros, unsettledMicros, calls },
    { spentMicros: micros, reservedMicros: 0, unsettledMicros: 0, calls: billed },
  );
  assert.deepEqual(await service.services.answers.rawReplies(accountId, null, 10), []);

  const again = await reading.order();
  assert.ok(again.kind === "planned");
  assert.equal(again.sweepId, null, "what was read is not read again");
  assert.equal(again.estimate.alreadyRead, 3);
  const other = await reading.order({
    dryRun: true,
    reader: readerOf({ readerModel: "reader-2" }),
  });
  assert.ok(other.kind === "planned");
  assert.equal(other.estimate.answers, 3, "another model reads all again");
});

test("wrong quotes never count; refusals and cut replies fail and are paid once", async (t) => {
  const wrong = await startReading(t, { faults: { rates: { wrongQuote: 1 } } });
  const { reader } = await readToEnd(wrong);
  const readings = await wrong.readings(reader);
  assert.deepEqual(
    readings.flatMap(({ findings }) => findings),
    [],
  );
  const dropped = readings.reduce((sum, each) => sum + (each.dropped.not_verbatim ?? 0), 0);
  assert.ok(dropped >= 4, `${dropped} were dropped`);

  for (const fault of ["refused", "cutJson", "renamedFinding", "incomplete"] as const) {
    wrong.standIn.setFaults({ rates: { [fault]: 1 } });
    wrong.clock.advance(1_000);
    const other = readerOf({ readerModel: `reader-${fault}` });
    const planned = await wrong.order({ reader: other });
    assert.ok(planned.kind === "planned");
    const before = billedBy(wrong.standIn).billed;
    const [sweep] = await sweepToEnd(wrong);
    assert.equal(billedBy(wrong.standIn).billed - before, planned.estimate.requests, fault);
    const reasons = sweep?.parts.flatMap(({ failed }) => failed.map(({ reason }) => reason)) ?? [];
    assert.equal(new Set(reasons).size, 1, fault);
    assert.match(reasons[0] ?? "", /refuses|did not write findings|stopped before its end/, fault);
    assert.deepEqual(await wrong.readings(planned.reader), []);
  }
  const { spentMicros, unsettledMicros } = sumsOf(await ledgerOf(wrong));
  assert.deepEqual([spentMicros, unsettledMicros], [billedBy(wrong.standIn).micros, 0]);
  const { answers } = wrong.service.services;
  assert.deepEqual(await answers.rawReplies(wrong.accountId, null, 10), []);
});

test("a cap holds readings, and one of dollars needs a price", async (t) => {
  const capped = { caps: { callsPerDay: 2 } };
  const reading = await startReading(t, { collection: capped });
  const planned = await reading.order();
  assert.ok(planned.kind === "planned");
  for (let step = 0; step < 10; step++) {
    await reading.collection.runJobs();
    await reading.collection.settled();
    reading.clock.advance(1_000);
  }
  assert.equal(billedBy(reading.standIn).received, 2);

  const unpriced = readerOf({ readerPrice: "" });
  const dollars = { caps: { dollarsPerDay: 5 } };
  const other = await startReading(t, { collection: dollars, reader: unpriced });
  const estimated = await other.order({ dryRun: true });
  assert.equal(estimated.kind === "planned" && estimated.estimate.micros, null);
  const refused = await other.order();
  assert.match(refused.kind === "off" ? refused.reason : "", /SIGHTLINE_READER_PRICE/);
});

test("every twentieth answer is read twice, by its id", async (t) => {
  const ids = Array.from({ length: 4_000 }, (_, index) => `answer ${index}`);
  const twice = ids.filter(isReadTwice).length;
  assert.ok(twice > 150 && twice < 250, `${twice}`);
  const many = Array.from({ length: 60 }, (_, index) => `Acme has ${index} great features.`);
  const reading = await startReading(t, { answers: many });
  const { reader, estimate } = await readToEnd(reading);
  const readings = await reading.readings(reader);
  const again = readings.filter(({ sample }) => sample === 1).map(({ answerId }) => answerId);
  assert.deepEqual(again, [...new Set(readings.map((each) => each.answerId))].filter(isReadTwice));
  assert.equal(estimate.requests, 60 + again.length);
});

test("readings go with their answers", async (t) => {
  const reading = await startReading(t);
  const { service, accountId } = reading;
  const { reader } = await readToEnd(reading);
  const [one, ...others] = await reading.readings(reader);
  assert.ok(one !== undefined);
  const selection = { ...everyAnswer, ids: [one.answerId] };
  await removeAnswers(service.services, accountId, selection);
  const left = await reading.readings(reader);
  assert.deepEqual(
    left,
    others.filter(({ answerId }) => answerId !== one.answerId),
  );
  await removeAnswers(service.services, accountId, everyAnswer);
  assert.deepEqual(await reading.readings(reader), []);
});

test("readings go with texts that are removed for their age, and with the account", async (t) => {
  const reading = await startReading(t, { keepTexts: "30d" });
  const { clock, service, accountId } = reading;
  const { reader } = await readToEnd(reading);
  const { control, retention } = service.services;
  await retention.removeDue();
  assert.ok((await reading.readings(reader)).length > 0);
  clock.advance(40 * 86_400_000);
  await retention.removeDue();
  assert.deepEqual(await reading.readings(reader), []);
  const again = await reading.order({ dryRun: true });
  assert.equal(again.kind === "planned" && again.estimate.answers, 0, "there is no text to read");
  assert.equal(await deleteAccount(control, accountId, clock.now()), true);
});

test("a reply that comes when its answer is gone does not stay", async (t) => {
  const reading = await startReading(t);
  const { service, accountId, clock, standIn, reader } = reading;
  const planned = await reading.order();
  assert.ok(planned.kind === "planned");
  const { answers } = service.services;
  const removed = () => removeAnswers(service.services, accountId, everyAnswer);
  const between = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const body = await text(request);
    const { authorization = "" } = headers;
    const sent = { method, headers: { authorization, "content-type": "application/json" }, body };
    const reply = await fetch(new URL(url, standIn.url), sent);
    await removed();
    response.writeHead(reply.status, { "content-type": "application/json" });
    response.end(await reply.text());
  });
  await once(between.listen(0, "127.0.0.1"), "listening");
  t.after(() => {
    between.close();
    between.closeAllConnections();
  });
  const { port } = between.address() as AddressInfo;
  const collection = collectionOf(service.services, {
    clock,
    standIn: `http://127.0.0.1:${port}`,
    reader,
  });
  await collection.runJobs();
  await collection.settled();
  assert.ok(billedBy(standIn).received > 0);
  assert.deepEqual(await answers.rawReplies(accountId, null, 10), []);
  await collection.close(Promise.resolve());
  await sweepToEnd(reading);
  assert.deepEqual(await reading.readings(planned.reader), []);
});

test("readings that are stored when their answers are gone do not stay", async (t) => {
  const reading = await startReading(t);
  const { service, accountId } = reading;
  const { reader } = await readToEnd(reading);
  const stored = await reading.readings(reader);
  const { control, answers } = service.services;
  await removeReadingsOfGone({ control, answers }, accountId, stored);
  assert.equal((await reading.readings(reader)).length, stored.length);
  await removeAnswers(service.services, accountId, everyAnswer);
  await storeReadings(control, accountId, stored);
  await removeReadingsOfGone({ control, answers }, accountId, stored);
  assert.deepEqual(await reading.readings(reader), []);
});

test("what is being read when its answer is removed leaves nothing", async (t) => {
  const reading = await startReading(t);
  const { service, accountId, collection } = reading;
  const planned = await reading.order();
  assert.ok(planned.kind === "planned");
  await collection.runJobs();
  await collection.settled();
  const { answers } = service.services;
  assert.ok((await answers.rawReplies(accountId, null, 10)).length > 0);
  await removeAnswers(service.services, accountId, everyAnswer);
  assert.deepEqual(await answers.rawReplies(accountId, null, 10), []);
  await sweepToEnd(reading);
  assert.deepEqual(await reading.readings(planned.reader), []);
});

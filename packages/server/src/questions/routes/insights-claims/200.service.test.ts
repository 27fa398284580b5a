import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ClaimsResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { entitiesOf } from "../../../accounts/account-store.ts";
import { everyAnswer } from "../../../answers/answer-store.ts";
import { removeAnswers } from "../../../answers/corrections/corrections.ts";
import {
  type ReadFinding,
  type Reading,
  storeReadings,
} from "../../../answers/readings/reading-store.ts";

const service = await TestService.start();
after(() => service.close());
const file = (account: string) => {
  return { account, brand: "Acme", competitors: ["Globex"], prompts: ["A?", "B?"] };
};
const accountId = await service.apply(file("Claims"));
const { control } = service.services;
const [acme = "", globex = ""] = (await entitiesOf(control, accountId)).map(({ id }) => id);
const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);
const reader = "0123456789abcdef";
const page = "https://news.example/a";

const said = (kind: ReadFinding["kind"], aspect: string | null, entityId = acme): ReadFinding => {
  return { entityId, kind, aspect, start: 0, end: 5, pages: aspect === "price" ? [page] : [] };
};

/** The reading of the answer with a number, of which two belong to a prompt. */
function readingOf(number: number, more: Partial<Reading>): Reading {
  return {
    answerId: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    promptId: `00000000-0000-4000-9000-${String(number >> 1).padStart(12, "0")}`,
    reader,
    sample: 0,
    provider: number % 2 === 0 ? "OPENAI" : "GROK",
    region: null,
    answeredAt: start + number * day,
    readAt: start + 100 * day + number,
    model: "reader-1-2026",
    costMicros: 250,
    lineage: {
      host: "reader.example",
      model: "reader-1",
      promptVersion: 1,
      promptHash: "abc",
      parameters: { temperature: 0 },
    },
    mentioned: [acme, globex],
    findings: [],
    dropped: {},
    ...more,
  };
}

const dropped = { not_verbatim: 2, elsewhere: 1 } as const;
const readings = [
  readingOf(0, { findings: [said("praised", "price"), said("praised", "price")], dropped }),
  readingOf(0, { sample: 1, findings: [said("praised", "price")] }),
  readingOf(1, { findings: [said("criticized", "price"), said("claim", "battery")] }),
  readingOf(1, { sample: 1, findings: [said("praised", "price")] }),
  readingOf(2, { findings: [said("praised", null), said("recommended", "price", globex)] }),
  readingOf(3, { mentioned: [globex] }),
];
await storeReadings(control, accountId, readings);
await storeReadings(control, accountId, readings);

const filters = { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" } };

async function ask(body: object, account = accountId): Promise<ClaimsResponse> {
  const token = await service.session(account);
  const reply = await service.post("/v1/insights/claims", { token, body });
  assert.equal(reply.status, 200, reply.body);
  (await ServedSchemas.of(service)).assertValid("ClaimsResponseDto", reply.json());
  return reply.json<ClaimsResponse>();
}

test("flags and aspects have answers and cited pages, and name their reader", async () => {
  const { reader: by, entities: found } = await ask({ filters });
  const [first, second] = found;
  const counts = (entity: (typeof found)[number] | undefined) =>
    (["recommended", "praised", "criticized", "discouraged"] as const).map(
      (flag) => `${entity?.[flag].numerator}/${entity?.[flag].denominator}`,
    );
  assert.deepEqual(counts(first), ["0/3", "2/3", "1/3", "0/3"]);
  assert.deepEqual(counts(second), ["1/4", "0/4", "0/4", "0/4"]);
  assert.deepEqual(first?.aspects, [
    {
      aspect: "price",
      answers: 2,
      kinds: [
        { kind: "criticized", answers: 1 },
        { kind: "praised", answers: 1 },
      ],
      providers: ["GROK", "OPENAI"],
      answerIds: [readings[2]?.answerId, readings[0]?.answerId],
      pages: [{ url: page, answers: 2 }],
    },
    {
      aspect: "battery",
      answers: 1,
      kinds: [{ kind: "claim", answers: 1 }],
      providers: ["GROK"],
      answerIds: [readings[2]?.answerId],
      pages: [],
    },
  ]);
  // Four agree on Acme's praise and criticism, and two do not; nothing else was said.
  assert.ok(by !== null);
  const { agreement, ...lineage } = by;
  assert.deepEqual([agreement.answers, agreement.pairs], [2, 20]);
  assert.ok(Math.abs((agreement.alpha ?? 0) - (1 - (39 * 4) / (2 * 4 * 36))) < 1e-9);
  assert.deepEqual(lineage, {
    name: "model",
    id: reader,
    model: "reader-1",
    models: ["reader-1-2026"],
    promptVersion: 1,
    promptHash: "abc",
    parameters: { temperature: 0 },
    firstReadAt: "2026-04-11T00:00:00.000Z",
    lastReadAt: "2026-04-11T00:00:00.003Z",
    dollars: 0.0015,
    answers: 4,
    findings: 6,
    dropped: [
      { reason: "not_verbatim", findings: 2 },
      { reason: "elsewhere", findings: 1 },
    ],
  });
});

test("filters, a limit and another reader restrict what counts", async () => {
  const ofGrok = await ask({ filters: { ...filters, providers: ["GROK"] }, limit: 1 });
  assert.equal(ofGrok.reader?.answers, 2);
  const [first] = ofGrok.entities;
  assert.deepEqual([first?.aspects.length, first?.moreAspects], [1, 1]);
  const none = { reader: null, entities: [] };
  assert.deepEqual(await ask({ filters, reader: "f".repeat(16) }), none);
  const later = { timeRange: { from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z" } };
  assert.deepEqual(await ask({ filters: later }), none);
});

test("another account sees nothing of it", async () => {
  const other = await service.apply(file("Others"));
  assert.deepEqual(await ask({ filters }, other), { reader: null, entities: [] });
  assert.deepEqual(await ask({ filters, reader }, other), { reader: null, entities: [] });
});

test("many readings are read in pages, and each counts once", async () => {
  const many = await service.apply(file("Many"));
  const own = Array.from({ length: 330 }, (_, number) => readingOf(number, { answeredAt: start }));
  const again = own.filter((_, number) => number % 3 === 0).map((each) => ({ ...each, sample: 1 }));
  await storeReadings(control, many, [...own, ...again]);
  const { reader: by } = await ask({ filters }, many);
  assert.deepEqual([by?.answers, by?.agreement.answers], [330, 110]);
});

const quoted = [
  ["2026-01-10", "Acme costs $19 a month.", ["praised", "costs $19 a month"]],
  ["2026-01-11", "Acme costs $25 a month.", ["claim", "costs $25 a month"]],
  ["2026-01-12", "Acme costs little.", ["claim", "costs little"]],
  ["2026-01-13", "Acme: $19 a month, or $29 a month.", ["claim", "$19 a month"], ["claim", "$29"]],
  ["2026-01-20", "Acme costs $25 a month.", ["claim", "costs $25 a month"]],
  ["2026-02-10", "Acme costs $25 a month.", ["claim", "costs $25 a month"]],
] as const;

test("claims of the brand are compared with the facts of their day, and quoted", async () => {
  const facts = [
    { aspect: "price", value: "$25 a month", until: "2026-02-01" },
    { aspect: "Price", value: "from $19 a month", until: "2026-01-20" },
    { aspect: "support", value: "by phone" },
  ];
  const own = await service.apply({ ...file("Stated"), facts });
  const [brand = "", rival = ""] = (await entitiesOf(control, own)).map(({ id }) => id);
  await service.import(
    own,
    quoted.map(([date, text]) => {
      return { prompt: "A?", provider: "GROK", answeredAt: `${date}T12:00:00Z`, text };
    }),
  );
  const { answers } = service.services;
  const recorded = await answers.read(own, { after: 0, limit: 10 });
  const found = recorded.map(({ id: answerId, text, promptId, provider, answeredAt }, place) => {
    const [, , ...claims] = quoted[place] ?? ["", ""];
    const findings = claims.map(([kind, quote]): ReadFinding => {
      const start = text.indexOf(quote);
      return {
        entityId: brand,
        kind,
        aspect: "price",
        start,
        end: start + quote.length,
        pages: [],
      };
    });
    const ofRival = said("claim", "price", rival);
    const own = { answerId, promptId, provider, answeredAt, mentioned: [brand, rival] };
    return readingOf(place, { ...own, findings: [...findings, ofRival] });
  });
  await storeReadings(control, own, found);

  const { entities } = await ask({ filters, quotesOf: brand }, own);
  const [price] = entities[0]?.aspects ?? [];
  assert.deepEqual(price?.facts, {
    stated: [
      { aspect: "price", value: "from $19 a month", until: "2026-01-20" },
      { aspect: "price", value: "$25 a month", until: "2026-02-01" },
    ],
    // On 20 January $25 is true; in February nothing is stated.
    agrees: 2,
    differs: 2,
    unclear: 1,
    notCompared: 0,
  });
  const shown = price?.claims?.map(({ answeredAt, quote, kind, verdict, fact }) => {
    return [answeredAt.slice(5, 10), quote, kind, verdict, fact];
  });
  const [before, after] = ["from $19 a month", "$25 a month"];
  assert.deepEqual(shown, [
    ["01-13", "$29", "claim", "differs", before],
    ["01-11", "costs $25 a month", "claim", "differs", before],
    ["02-10", "costs $25 a month", "claim", null, null],
    ["01-20", "costs $25 a month", "claim", "agrees", after],
    ["01-13", "$19 a month", "claim", "agrees", before],
    ["01-12", "costs little", "claim", "unclear", before],
    ["01-10", "costs $19 a month", "praised", "agrees", before],
  ]);
  assert.equal(price?.claims?.[0]?.answerId, found[3]?.answerId);
  const [ofRival] = entities[1]?.aspects ?? [];
  assert.deepEqual(
    [ofRival?.aspect, ofRival?.facts, ofRival?.claims],
    ["price", undefined, undefined],
  );

  const plain = await ask({ filters }, own);
  assert.deepEqual(plain.entities[0]?.aspects[0]?.facts, price?.facts);
  assert.equal(plain.entities[0]?.aspects[0]?.claims, undefined);
  await removeAnswers(service.services, own, everyAnswer);
  assert.deepEqual(await ask({ filters, quotesOf: brand }, own), { reader: null, entities: [] });
});

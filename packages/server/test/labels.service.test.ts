import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import type {
  AuditResponse,
  ImportLabelsResponse,
  InsightsSummaryResponse,
  LabelsResponse,
} from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { type LabelledCluster, rectified } from "../src/questions/statistics/rectified.ts";
import { agreementOf } from "../src/questions/summary/extraction.ts";

// Labels through every door that they have: import, list, removal, and the values that they give.

const service = await TestService.start();
after(() => service.close());

const path = "/v1/labels";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-08T00:00:00Z" };

interface Draft {
  readonly id: string;
  readonly promptId: string;
  readonly prompt: number;
  readonly provider: "OPENAI" | "GROK";
  readonly answeredAt: string;
  readonly text: string;
  /** Whether a reader sees Acme in it, and whether extraction does. */
  readonly isNamed: boolean;
  readonly isFound: boolean;
}

/** What a text says, whether a reader finds Acme in it, and whether extraction does. */
const texts = [
  ["Take Acme.", true, true],
  ["The Acmes of this world.", true, false],
  ["Acme, a common word here.", false, true],
  ["Take Globex.", false, false],
] as const;

async function labelledAccount(
  name: string,
  { prompts, answers }: Record<"prompts" | "answers", number>,
) {
  const random = seededRandom(prompts * 1_000 + answers);
  const promptIds = Array.from({ length: prompts }, () => randomUUID());
  const brand = randomUUID();
  const accountId = await service.apply({
    account: { name },
    brand: { id: brand, name: "Acme", domains: ["acme.com"] },
    competitors: [{ name: "Globex", domains: ["globex.com"] }],
    topics: [{ name: "Shops" }],
    prompts: promptIds.map((id, at) => ({ id, text: `Which shop ${at}?`, topic: "Shops" })),
  });
  const drafts = promptIds.flatMap((promptId, prompt) =>
    Array.from({ length: answers }, (_, at): Draft => {
      const [text, isNamed, isFound] = texts[Math.floor(random() * texts.length)] ?? texts[0];
      const provider = random() < 0.5 ? "OPENAI" : "GROK";
      const answeredAt = new Date(Date.UTC(2026, 0, 1 + (at % 7), 8, at)).toISOString();
      return { id: randomUUID(), promptId, prompt, provider, answeredAt, text, isNamed, isFound };
    }),
  );
  await service.import(
    accountId,
    drafts.map(({ id, promptId, provider, answeredAt, text }) => {
      return { id, promptId, provider, answeredAt, text };
    }),
  );
  const token = await service.session(accountId, ["read", "import", "manage"]);
  return { accountId, brand, drafts, token, random };
}

const sent = async (token: string, body: string, type = "application/x-ndjson") => {
  const reply = await service.post(path, { token, body, headers: { "content-type": type } });
  assert.equal(reply.status, 200, reply.body);
  (await ServedSchemas.of(service)).assertValid("ImportLabelsResponseDto", reply.json());
  return reply.json<ImportLabelsResponse>();
};

async function listed(token: string, query = ""): Promise<LabelsResponse> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", `${path}${query}`, { headers });
  assert.equal(reply.status, 200, reply.body);
  (await ServedSchemas.of(service)).assertValid("LabelsResponseDto", reply.json());
  return reply.json<LabelsResponse>();
}

async function summary(token: string, groupBy = "none"): Promise<InsightsSummaryResponse> {
  const body = { groupBy, filters: { timeRange: range }, include: ["extraction"] };
  const reply = await service.post("/v1/insights/summary", { token, body });
  assert.equal(reply.status, 200, reply.body);
  (await ServedSchemas.of(service)).assertValid("InsightsSummaryResponseDto", reply.json());
  return reply.json<InsightsSummaryResponse>();
}

const lines = (labels: readonly object[]) =>
  labels.map((label) => `${JSON.stringify(label)}\n`).join("");

test("the rates of a summary by labels, as a naive count has them", async () => {
  const { brand, drafts, token, random } = await labelledAccount("Counted", {
    prompts: 20,
    answers: 12,
  });
  const labelled = drafts.filter(() => random() < 0.4);
  const labels = labelled.map(({ id, isNamed }) => ({
    answerId: id,
    entityId: brand,
    metric: "mentions",
    value: isNamed,
    labeller: "ann",
    labelledAt: "2026-01-09T00:00:00Z",
  }));
  const before = await summary(token);
  assert.deepEqual(before.groups[0]?.entities[0]?.mentions.extraction, {
    labelled: 0,
    labelledPrompts: 0,
    effectivePrompts: 0,
    missed: 0,
    wrong: 0,
    precision: null,
    recall: null,
    kappa: null,
    difference: null,
    value: null,
    interval: null,
    flags: ["insufficient", "exploratory"],
  });
  const first = await sent(token, lines(labels));
  assert.deepEqual(first, { accepted: labels.length, duplicates: 0, rejected: 0, errors: [] });
  assert.equal((await sent(token, lines(labels))).duplicates, labels.length);
  for (const groupBy of ["none", "provider", "prompt"] as const) {
    const { groups } = await summary(token, groupBy);
    for (const { key, entities } of groups) {
      const own = (draft: Draft) =>
        groupBy === "none" || (groupBy === "provider" ? draft.provider : draft.promptId) === key;
      const [acme, globex] = entities;
      const wanted = rectified(countedNaively(drafts.filter(own), new Set(labelled)));
      const said = drafts.filter((draft) => own(draft) && labelled.includes(draft));
      const judged = said.map(({ isNamed, isFound }) => ({ value: isNamed, extracted: isFound }));
      assert.deepEqual(acme?.mentions.extraction, { ...wanted, ...agreementOf(judged) });
      assert.equal(acme?.citations.extraction?.labelled, 0);
      assert.equal(globex?.mentions.extraction?.labelled, 0);
      assert.equal(acme?.visibility.extraction, undefined);
    }
  }
  const plain = { groupBy: "none", filters: { timeRange: range } };
  const without = (await service.post("/v1/insights/summary", { token, body: plain })).json();
  assert.doesNotMatch(JSON.stringify(without), /extraction/);
});

function countedNaively(
  drafts: readonly Draft[],
  labelled: ReadonlySet<Draft>,
): readonly LabelledCluster[] {
  return [...Map.groupBy(drafts, ({ prompt }) => prompt).values()].map((own) => {
    const said = own.filter((draft) => labelled.has(draft));
    return {
      answers: own.length,
      hits: own.filter(({ isFound }) => isFound).length,
      labelled: said.length,
      missed: said.filter(({ isNamed, isFound }) => isNamed && !isFound).length,
      wrong: said.filter(({ isNamed, isFound }) => !isNamed && isFound).length,
    };
  });
}

const recommends =
  "For most of the small teams I would recommend Acme. Globex is one of the others.";
const neither = "Both Acme and Globex are in the list of the year, and so are all of the others.";
/** In a language that no table reads. */
const unread = "Acme ja Globex ovat molemmat listalla, kuten monet muutkin tuotteet siellä.";

test("what is said by labels: of answers that were read, with the reader's errors", async () => {
  const brand = randomUUID();
  const promptIds = Array.from({ length: 10 }, () => randomUUID());
  const accountId = await service.apply({
    account: { name: "Said" },
    brand: { id: brand, name: "Acme" },
    competitors: [{ name: "Globex" }],
    prompts: promptIds.map((id, at) => ({ id, text: `Which shop ${at}?` })),
  });
  const answers = promptIds.flatMap((promptId, prompt) =>
    [recommends, neither, unread].map((text, at) => {
      const answeredAt = new Date(Date.UTC(2026, 0, 1 + at, 8)).toISOString();
      return { id: randomUUID(), promptId, provider: "OPENAI", answeredAt, text, prompt };
    }),
  );
  await service.import(
    accountId,
    answers.map(({ prompt: _, ...answer }) => answer),
  );
  const token = await service.session(accountId, ["read", "import"]);
  const label = { entityId: brand, metric: "recommended", labeller: "ann" };
  // A reader finds none in two answers that recommend, and one in an answer that does not.
  const isSaidIn = ({ text, prompt }: (typeof answers)[number]) =>
    text === recommends ? prompt >= 2 : text === unread || prompt === 0;
  const { accepted } = await sent(
    token,
    lines(answers.map((each) => ({ ...label, answerId: each.id, value: isSaidIn(each) }))),
  );
  assert.equal(accepted, answers.length);
  const [acme, globex] = (await summary(token)).groups[0]?.entities ?? [];
  const { numerator, denominator, extraction } = acme?.portrayal?.recommended ?? {};
  assert.deepEqual([numerator, denominator], [10, 20]);
  const { labelled, missed, wrong, precision, recall, kappa, value } = extraction ?? {};
  assert.deepEqual([labelled, missed, wrong, value], [20, 1, 2, 0.45]);
  assert.deepEqual([precision, recall, kappa], [0.8, 8 / 9, 0.7]);
  assert.equal(acme?.portrayal?.praised.extraction?.labelled, 0);
  assert.equal(globex?.portrayal?.recommended.extraction?.labelled, 0);
});

test("the majority of labellers decides, and the last of as many", async () => {
  const { brand, drafts, token } = await labelledAccount("Disagreeing", { prompts: 1, answers: 6 });
  const [draft] = drafts;
  const say = (labeller: string, value: boolean, labelledAt: string) =>
    sent(
      token,
      lines([
        { answerId: draft?.id, entityId: brand, metric: "mentions", value, labeller, labelledAt },
      ]),
    );
  const value = async () => {
    const { missed = 0, wrong = 0 } =
      (await summary(token)).groups[0]?.entities[0]?.mentions.extraction ?? {};
    return draft?.isFound === true ? wrong === 0 : missed === 1;
  };
  await say("ann", true, "2026-01-09T00:00:00Z");
  assert.equal(await value(), true);
  await say("bea", false, "2026-01-10T00:00:00Z");
  assert.equal(await value(), false);
  await say("cem", true, "2026-01-09T12:00:00Z");
  assert.equal(await value(), true);
  // Said before what ann said last, and after it.
  assert.equal((await say("ann", false, "2026-01-08T00:00:00Z")).duplicates, 1);
  assert.equal(await value(), true);
  assert.equal((await say("ann", false, "2026-01-11T00:00:00Z")).accepted, 1);
  assert.equal(await value(), false);
});

test("CSV, pages and removal by labeller and with the answer", async () => {
  const { brand, drafts, token, accountId } = await labelledAccount("Listed", {
    prompts: 2,
    answers: 5,
  });
  const csv = drafts.flatMap(({ id }) =>
    ["ann", "bea"].map((name) => `${id},${brand},mentions,yes,${name},x`),
  );
  const notYet = `${drafts[0]?.id},${brand},mentions,,cem,x`;
  const { accepted } = await sent(
    token,
    ["answerId,entityId,metric,value,labeller,text", ...csv, notYet, ""].join("\r\n"),
    "text/csv",
  );
  assert.equal(accepted, 20);
  const all = (await listed(token)).labels;
  assert.equal(all.length, 20);
  assert.deepEqual(
    all.map(({ answerId, labeller }) => `${answerId} ${labeller}`),
    drafts.flatMap(({ id }) => [`${id} ann`, `${id} bea`]).toSorted(),
  );
  assert.match(all[0]?.labelledAt ?? "", /^\d{4}-\d{2}-\d{2}T/); // when it was imported
  const pages: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: LabelsResponse = await listed(token, `?limit=7${cursor && `&cursor=${cursor}`}`);
    pages.push(...page.labels);
    cursor = page.nextCursor;
  }
  assert.deepEqual(pages, all);
  const headers = { authorization: `Bearer ${token}` };
  const removed = await service.request("DELETE", `${path}?labeller=bea`, { headers });
  assert.deepEqual(removed.json(), { deleted: 10 });
  const ids = drafts.slice(0, 3).map(({ id }) => id);
  const body = { ids, dryRun: false };
  assert.equal((await service.post("/v1/answers/delete", { token, body })).status, 200);
  const log = await service.request("GET", "/v1/audit?action=labels.removed&limit=2", { headers });
  const [orphans, earlier] = log.json<AuditResponse>().entries;
  const of = { labels: 3, answerIds: ids.toSorted() };
  assert.deepEqual([orphans?.before, earlier?.before?.["labeller"]], [of, "bea"]);
  const left = (await listed(token)).labels.map(({ answerId }) => answerId);
  assert.deepEqual(
    left,
    drafts
      .slice(3)
      .map(({ id }) => id)
      .toSorted(),
  );
  await service.settle(accountId);
});

test("another account's answers and entities are unknown, and its labels its own", async () => {
  const mine = await labelledAccount("Mine", { prompts: 1, answers: 2 });
  const theirs = await labelledAccount("Theirs", { prompts: 1, answers: 2 });
  const label = { metric: "mentions", value: true, labeller: "ann" };
  const reply = await sent(
    mine.token,
    lines([
      { ...label, answerId: theirs.drafts[0]?.id, entityId: mine.brand },
      { ...label, answerId: mine.drafts[0]?.id, entityId: theirs.brand },
      { ...label, answerId: mine.drafts[0]?.id?.toUpperCase(), entityId: mine.brand },
    ]),
  );
  assert.deepEqual([reply.accepted, reply.rejected], [1, 2]);
  assert.deepEqual(
    reply.errors.map(({ line, path: at }) => [line, at]),
    [
      [1, "/answerId"],
      [2, "/entityId"],
    ],
  );
  assert.deepEqual((await listed(theirs.token)).labels, []);
  const headers = { authorization: `Bearer ${theirs.token}` };
  const address = `${path}?answerId=${mine.drafts[0]?.id}`;
  assert.deepEqual((await service.request("DELETE", address, { headers })).json(), { deleted: 0 });
  assert.equal((await listed(mine.token)).labels.length, 1);
});

import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { after, test } from "node:test";
import type { LabelSampleResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { noteTextsRemoved } from "../../../accounts/account-store.ts";

const service = await TestService.start();
after(() => service.close());

const said = "For most of the small teams I would recommend Acme over all of the others.";
const unsaid = "Globex is one of the others in the list of the year, and so it is in most lists.";
/** In a language that no table reads. */
const unread = "Acme ja Globex ovat molemmat listalla, kuten monet muutkin tuotteet siellä.";
const texts = [said, unsaid, unread];

/** Twelve prompts: the first has one answer, each other one three more than the one before. */
const prompts = Array.from({ length: 12 }, (_, at) => ({ id: randomUUID(), text: `Which ${at}?` }));
const brand = randomUUID();
const accountId: string = await service.apply({
  account: { name: "Drawn" },
  brand: { id: brand, name: "Acme" },
  competitors: [{ name: "Globex" }],
  prompts: prompts.map((prompt, at) => ({ ...prompt, tags: at < 6 ? ["first"] : [] })),
});

interface Draft {
  readonly id: string;
  readonly promptId: string;
  readonly answeredAt: string;
  readonly text: string;
}

const drafts = prompts.flatMap(({ id: promptId }, prompt) =>
  Array.from({ length: 1 + 3 * prompt }, (_, at): Draft => {
    const answeredAt = new Date(Date.UTC(2026, 0, 1 + (at % 7), 8, at)).toISOString();
    return { id: randomUUID(), promptId, answeredAt, text: texts[at % texts.length] ?? "" };
  }),
);
await service.import(
  accountId,
  drafts.map((draft) => ({ ...draft, provider: "OPENAI" })),
);
const token = await service.session(accountId, ["read"]);
const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-01-08T00:00:00Z" };

async function drawn(body: object): Promise<LabelSampleResponse> {
  const asked = { entityId: brand, metric: "mentions", filters: { timeRange }, ...body };
  const reply = await service.post("/v1/labels/sample", { token, body: asked });
  assert.equal(reply.status, 200, reply.body);
  (await ServedSchemas.of(service)).assertValid("LabelSampleResponseDto", reply.json());
  return reply.json<LabelSampleResponse>();
}

/** The draw as its description has it: round after round, each prompt with its next answer. */
function naive(drawable: readonly Draft[], limit: number, seed: number): LabelSampleResponse {
  const digest = (text: string | number) =>
    createHash("sha256").update(`label ${seed} ${text}`).digest("hex");
  const inOrder = <Item>(items: readonly Item[], textOf: (item: Item) => string | number) =>
    items.toSorted((a, b) => (digest(textOf(a)) < digest(textOf(b)) ? -1 : 1));
  // An answer's place in the record is that of its line.
  const own = Map.groupBy(
    inOrder(drawable, (draft) => drafts.indexOf(draft) + 1),
    ({ promptId }) => promptId,
  );
  const rounds = Array.from({ length: drawable.length }, (_, at) => {
    const left = [...own.keys()].filter((id) => own.get(id)?.[at] !== undefined);
    return inOrder(left, (id) => `${at + 1} ${id}`).map((id) => own.get(id)?.[at]);
  });
  const sample = rounds.flat().flatMap((draft) => {
    return draft === undefined ? [] : [{ answerId: draft.id, promptId: draft.promptId }];
  });
  return { answers: drawable.length, prompts: own.size, sample: sample.slice(0, limit) };
}

test("answers are drawn by prompt, the same ones again, as a naive draw has them", async () => {
  for (const [limit, seed] of [
    [5, 1],
    [30, 1],
    [30, 2],
    [5_000, 7],
  ] as const) {
    assert.deepEqual(await drawn({ limit, seed }), naive(drafts, limit, seed));
  }
  const [few, more, others] = [
    await drawn({ limit: 12 }),
    await drawn({}),
    await drawn({ seed: 2 }),
  ];
  assert.equal(new Set(few.sample.map(({ promptId }) => promptId)).size, 12, "each prompt once");
  assert.deepEqual(more.sample.slice(0, 12), few.sample, "a larger draw begins with a smaller one");
  assert.notDeepEqual(others.sample, more.sample);
  assert.equal(more.sample.length, 200);
});

test("each prompt is as likely as another, however many answers it has", async () => {
  const first = new Map<string, number>();
  for (let seed = 0; seed < 60; seed += 1) {
    const [one] = (await drawn({ limit: 1, seed })).sample;
    first.set(one?.promptId ?? "", (first.get(one?.promptId ?? "") ?? 0) + 1);
  }
  // Five times each are expected: the prompts' ids are random, so that one may come twice as often.
  const most = Math.max(...first.values());
  assert.ok(first.size >= 10 && most <= 16, JSON.stringify([...first.values()]));
});

test("what is said is asked of answers that mention the entity and were read", async () => {
  const read = drafts.filter(({ text }) => text === said);
  assert.deepEqual(await drawn({ metric: "praised", limit: 40 }), naive(read, 40, 1));
  assert.deepEqual(await drawn({ metric: "citations", limit: 40 }), naive(drafts, 40, 1));
  const nobody = { answers: 0, prompts: 0, sample: [] };
  assert.deepEqual(await drawn({ metric: "praised", entityId: randomUUID() }), nobody);
});

test("of the answers that pass the filters, and have a text", async () => {
  const filters = { timeRange: { ...timeRange, to: "2026-01-03T00:00:00Z" } };
  const early = drafts.filter(({ answeredAt }) => answeredAt < "2026-01-03");
  assert.deepEqual(await drawn({ filters }), naive(early, 200, 1));
  const tagged = new Set<string>(prompts.slice(0, 6).map(({ id }) => id));
  const own = drafts.filter(({ promptId }) => tagged.has(promptId));
  assert.deepEqual(await drawn({ filters: { timeRange, tags: ["First"] } }), naive(own, 200, 1));
  const others = drafts.filter(({ promptId }) => !tagged.has(promptId));
  assert.deepEqual(await drawn({ exclude: { tags: ["first"] } }), naive(others, 200, 1));
  const control = service.services.control;
  const beforeMs = Date.parse("2026-01-05T00:00:00Z");
  await noteTextsRemoved(control, accountId, beforeMs, service.clock.now());
  const late = drafts.filter(({ answeredAt }) => answeredAt >= "2026-01-05");
  assert.deepEqual(await drawn({ seed: 3 }), naive(late, 200, 3));
  assert.deepEqual(await drawn({ filters, seed: 3 }), { answers: 0, prompts: 0, sample: [] });
});

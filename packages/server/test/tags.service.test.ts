import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type {
  EvidenceResponse,
  InsightsChangesResponse,
  InsightsSummaryResponse,
} from "@sightline/contract";
import { TestService } from "@sightline/test-kit/test-service.ts";

const month = (number: number) => ({
  from: `2026-0${number}-01T00:00:00Z`,
  to: `2026-0${number + 1}-01T00:00:00Z`,
});
const timeRange = month(1);

/** By prompt, the days of January and of February on which answers name Acme, and all days. */
const asked: Readonly<Record<string, readonly [named: string, all: string][]>> = {
  both: [
    ["1", "1 2"],
    ["1 2", "1 2"],
  ],
  buying: [
    ["1", "1"],
    ["", "1"],
  ],
  german: [
    ["", "1 2 3"],
    ["1", "1 2 3"],
  ],
  none: [
    ["1", "1"],
    ["1", "1"],
  ],
};

type Tags = Readonly<Record<string, readonly string[]>>;

const workspace = (tags: Tags) => ({
  account: { name: "Tagged" },
  brand: { name: "Acme", domains: ["acme.com"] },
  prompts: Object.keys(asked).map((text) => ({ text, tags: tags[text] ?? [] })),
});

const tags = { both: ["Buying", "germany"], buying: ["Buying"], german: ["germany"] };

function lines(): readonly object[] {
  return Object.entries(asked).flatMap(([prompt, months]) =>
    months.flatMap(([named, all], index) =>
      all.split(" ").map((day) => ({
        prompt,
        provider: "OPENAI",
        answeredAt: `2026-0${index + 1}-0${day}T00:00:00Z`,
        text: named.split(" ").includes(day) ? "Take Acme." : "Take none.",
        citations: named.split(" ").includes(day) ? [{ url: "https://acme.com/" }] : [],
      })),
    ),
  );
}

async function started(t: TestContext) {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply(workspace(tags));
  await service.import(accountId, lines());
  const token = await service.session(accountId);
  const ask = async <Reply>(path: string, body: object): Promise<Reply> => {
    const reply = await service.post(path, { token, body });
    assert.equal(reply.status, 200, reply.body);
    return reply.json<Reply>();
  };
  const summary = (of: object) =>
    ask<InsightsSummaryResponse>("/v1/insights/summary", { filters: { timeRange }, ...of });
  return { service, accountId, ask, summary };
}

/** Groups by key, name, answers and how many of them mention Acme. */
const shown = ({ groups }: InsightsSummaryResponse) =>
  groups.map(({ key, name, answers, prompts, entities }) => {
    return `${key} ${name}: ${entities[0]?.mentions.numerator}/${answers} of ${prompts}`;
  });

test("an answer is in the group of each tag; the same as a filter by the tag", async (t) => {
  const { ask, summary } = await started(t);
  const groups = await summary({ groupBy: "tag" });
  assert.deepEqual(shown(groups), [
    "Buying Buying: 2/3 of 2",
    "germany germany: 1/5 of 2",
    "null No tag: 1/1 of 1",
  ]);
  for (const group of groups.groups.slice(0, 2)) {
    const filters = { timeRange, tags: [` ${group.key?.toUpperCase()} `] };
    const [own] = (await summary({ groupBy: "none", filters })).groups;
    assert.deepEqual({ ...group, key: null, name: "All answers" }, own);
  }
  const of = async (filters: object, more: object = {}) =>
    shown(await summary({ groupBy: "none", filters: { timeRange, ...filters }, ...more }));
  assert.deepEqual(await of({ tags: ["buying", "germany"] }), ["null All answers: 2/6 of 3"]);
  assert.deepEqual(await of({ tags: ["elsewhere"] }), []);
  assert.deepEqual(await of({}, { exclude: { tags: ["BUYING"] } }), ["null All answers: 1/4 of 2"]);
  const filters = { timeRange, tags: ["buying"] };
  const exclude = { tags: ["germany"] };
  assert.deepEqual(await of({ tags: ["buying"] }, { exclude }), ["null All answers: 1/1 of 1"]);
  const evidence = { role: "mentioned", limit: 10, filters };
  assert.equal((await ask<EvidenceResponse>("/v1/evidence", evidence)).total, 2);
  const entityId = groups.groups[0]?.entities[0]?.id;
  const presence = await ask<{ readonly answers: number }>("/v1/insights/presence", {
    entityId,
    filters,
    exclude,
  });
  assert.equal(presence.answers, 1);
});

test("contributions by tag add up, and a reply's totals count each answer once", async (t) => {
  const { ask, summary } = await started(t);
  const filters = { timeRange: month(2) };
  const compare = { filters: { timeRange } };
  const compared = await summary({ groupBy: "tag", filters, compare });
  assert.deepEqual([compared.compare?.answers, compared.compare?.prompts], [7, 4]);
  const entityId = compared.groups[0]?.entities[0]?.id;
  const changes = await ask<InsightsChangesResponse>("/v1/insights/changes", {
    entityId,
    metric: "mentions",
    by: "tag",
    limit: 10,
    filters,
    compare,
  });
  // Of the prompt with both tags each gets a half.
  const sides = Object.fromEntries(
    changes.contributions.map(({ key, before, after }) => [
      String(key),
      [before, after].map(({ numerator, denominator }) => [numerator, denominator]),
    ]),
  );
  assert.deepEqual(sides, {
    Buying: [
      [1.5, 2],
      [1, 2],
    ],
    germany: [
      [0.5, 4],
      [2, 4],
    ],
    null: [
      [1, 1],
      [1, 1],
    ],
  });
  const sum = changes.contributions.reduce((total, { value }) => total + value, 0);
  assert.ok(Math.abs(sum - (4 / 7 - 3 / 7)) < 1e-12);
  assert.ok(Math.abs(sum - (changes.value ?? 0)) < 1e-12);
});

test("a renamed tag counts immediately: no facts are built, no kept reply is given", async (t) => {
  const { service, accountId, ask, summary } = await started(t);
  const evidence = (tag: string) =>
    ask<EvidenceResponse>("/v1/evidence", {
      role: "any",
      limit: 10,
      filters: { timeRange, tags: [tag] },
    });
  const series = (tag: string) =>
    ask<{ readonly series: readonly [{ readonly data: readonly { readonly value: unknown }[] }] }>(
      "/v1/insights/series",
      { metric: "mentions", interval: "monthly", filters: { timeRange, tags: [tag] } },
    );
  const before = await service.services.engine.state(accountId);
  assert.deepEqual(shown(await summary({ groupBy: "tag" })).slice(1, 2), [
    "germany germany: 1/5 of 2",
  ]);
  assert.equal((await evidence("germany")).total, 5);
  assert.equal((await series("germany")).series[0].data[0]?.value, 0.2);
  await service.apply(workspace({ ...tags, both: ["Buying"], german: ["DACH"] }));
  assert.deepEqual(shown(await summary({ groupBy: "tag" })), [
    "Buying Buying: 2/3 of 2",
    "DACH DACH: 0/3 of 1",
    "null No tag: 1/1 of 1",
  ]);
  assert.equal((await evidence("germany")).total, 0);
  assert.equal((await evidence("dach")).total, 3);
  assert.equal((await series("germany")).series[0].data[0]?.value, null);
  await service.settle(accountId);
  const after = await service.services.engine.state(accountId);
  assert.equal(after?.generation, before?.generation);
});

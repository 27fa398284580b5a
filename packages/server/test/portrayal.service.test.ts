import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type EvidenceResponse,
  type InsightsChangesResponse,
  type InsightsSeriesResponse,
  type InsightsSummaryResponse,
  portrayalFlags,
} from "@sightline/contract";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";
import { portrayalVersion } from "../src/extraction/index.ts";

const dayMs = 86_400_000;
const fromMs = Date.parse("2026-01-05T00:00:00Z");
const rangeOf = (firstDay: number, endDay: number) => {
  const [from = "", to = ""] = [firstDay, endDay].map((day) =>
    new Date(fromMs + day * dayMs).toISOString(),
  );
  return { timeRange: { from, to } };
};

const recommends =
  "For most of the small teams I would recommend Tarnfell. Globex is one of the others.";
const warns = "Avoid Globex in the next year. The list of the year also has Tarnfell in it.";
const neither = "Both Tarnfell and Globex are in the list of the year, and so are the others.";
/** In a language that no table reads. */
const unread = "Tarnfell ja Globex ovat molemmat listalla, kuten monet muutkin tuotteet.";

/** Eight prompts, each asked on two days: from the second on, half of them recommend. */
async function account(name: string) {
  const service = await sharedService();
  const prompts = Array.from({ length: 8 }, (_, place) => `Which tool is it, ${place}?`);
  const accountId = await service.apply({
    account: { name },
    brand: { name: "Tarnfell" },
    competitors: [{ name: "Globex" }],
    prompts: prompts.map((text) => ({ text })),
  });
  const texts = (place: number) => [
    [neither, place === 0 ? unread : neither],
    [place < 4 ? recommends : neither, place < 2 ? warns : neither],
  ];
  await service.import(
    accountId,
    prompts.flatMap((prompt, place) =>
      texts(place).flatMap((own, week) =>
        own.map((text, day) => ({
          prompt,
          provider: "OPENAI",
          answeredAt: new Date(fromMs + (7 * week + day) * dayMs).toISOString(),
          text,
        })),
      ),
    ),
  );
  const token = await service.session(accountId);
  const post = async <Reply>(path: string, body: object): Promise<Reply> => {
    const reply = await service.post(path, { token, body });
    assert.equal(reply.status, 200, reply.body);
    return reply.json<Reply>();
  };
  const evidence = (body: object) =>
    post<EvidenceResponse>("/v1/evidence", { limit: 100, ...body });
  return { post, evidence };
}

const later = rangeOf(7, 14);
const earlier = rangeOf(0, 7);
const summaryOf = (asked: object) => ({ groupBy: "none", filters: later, ...asked });

test("a summary says how answers speak of each entity, and who read them", async () => {
  const { post } = await account("Portrayed");
  const { groups, portrayalTests } = await post<InsightsSummaryResponse>(
    "/v1/insights/summary",
    summaryOf({ compare: { filters: earlier } }),
  );
  const [brand, competitor] = groups[0]?.entities ?? [];
  const share = (entity: typeof brand, flag: (typeof portrayalFlags)[number]) => {
    const { numerator, denominator } = entity?.portrayal?.[flag] ?? {};
    return `${numerator}/${denominator}`;
  };
  assert.deepEqual(
    portrayalFlags.map((flag) => [share(brand, flag), share(competitor, flag)]),
    [
      ["4/16", "0/16"],
      ["0/16", "0/16"],
      ["0/16", "0/16"],
      ["0/16", "2/16"],
      ["0/16", "0/16"],
    ],
  );
  const { name, version, language, unread: left } = brand?.portrayal?.reader ?? {};
  assert.deepEqual([name, version, left], ["rules", portrayalVersion, 0]);
  assert.deepEqual(
    language?.map((each) => [each.language, each.answers]),
    [["en", 16]],
  );
  const { interval, change } = brand?.portrayal?.recommended ?? {};
  assert.ok(interval !== null && interval !== undefined);
  assert.equal(change?.parts?.likeForLike, 0.25);
  assert.ok(change?.p !== null && change?.adjustedP !== null);
  assert.equal(portrayalTests, 10);
});

test("answers in a language that no table reads are in no denominator", async () => {
  const { post } = await account("Partly read");
  const asked = summaryOf({ filters: earlier, groupBy: "provider" });
  const { groups } = await post<InsightsSummaryResponse>("/v1/insights/summary", asked);
  const { mentions, portrayal } = groups[0]?.entities[0] ?? {};
  assert.equal(mentions?.numerator, 16);
  assert.equal(portrayal?.reader.unread, 1);
  assert.deepEqual([portrayal?.recommended.numerator, portrayal?.recommended.denominator], [0, 15]);
  const none = { filters: rangeOf(20, 27), groupBy: "none", compare: { filters: later } };
  const empty = await post<InsightsSummaryResponse>("/v1/insights/summary", none);
  assert.equal(empty.groups[0]?.entities[0]?.portrayal?.praised.value, null);
});

test("what is said changes no other number, and can be left out", async () => {
  const { post } = await account("Unchanged");
  const asked = summaryOf({ compare: { filters: earlier }, include: ["trend", "stability"] });
  const whole = await post<InsightsSummaryResponse>("/v1/insights/summary", asked);
  const without = await post("/v1/insights/summary", { ...asked, portrayal: false });
  const { portrayalTests: _, ...rest } = whole;
  const groups = rest.groups.map(({ entities, ...group }) => {
    return { ...group, entities: entities.map(({ portrayal: __, ...entity }) => entity) };
  });
  assert.deepEqual(without, { ...rest, groups });
});

test("the answers of a flag are as many as its numerator, each with the words", async () => {
  const { post, evidence } = await account("Opened");
  const { groups } = await post<InsightsSummaryResponse>("/v1/insights/summary", summaryOf({}));
  for (const entity of groups[0]?.entities ?? []) {
    for (const role of portrayalFlags) {
      const found = await evidence({ filters: later, entityId: entity.id, role });
      assert.equal(found.total, entity.portrayal?.[role].numerator, `${entity.name} ${role}`);
      for (const { mentions, text } of found.answers) {
        const cues = mentions
          .filter(({ entityId }) => entityId === entity.id)
          .flatMap((mention) => mention.cues.filter(({ flag }) => flag === role));
        assert.ok(cues.length > 0, text);
        for (const { start, end } of cues) assert.ok(text.slice(start, end).trim() !== "");
      }
    }
  }
  const ofAny = await evidence({ filters: later, role: "discouraged" });
  assert.equal(ofAny.total, 2);
  const sources = { domain: "example.org", filters: later, role: "recommended" };
  assert.equal((await evidence(sources)).total, 0);
});

test("a flag is a series, and its change consists of contributions", async () => {
  const { post } = await account("Over time");
  const filters = rangeOf(0, 14);
  const asked = { metric: "recommended", interval: "weekly", filters };
  const { series } = await post<InsightsSeriesResponse>("/v1/insights/series", asked);
  assert.deepEqual(
    series[0]?.data.map(({ value, numerator, denominator, empty }) => [
      ...[value, numerator, denominator],
      empty,
    ]),
    [
      [0, 0, 15, false],
      [0.25, 4, 16, false],
    ],
  );
  const change = await post<InsightsChangesResponse>("/v1/insights/changes", {
    metric: "recommended",
    entityId: series[0]?.id,
    by: "prompt",
    limit: 4,
    filters: later,
    compare: { filters: earlier },
  });
  assert.equal(change.value, 0.25);
  const listed = change.contributions.reduce((sum, { value }) => sum + value, 0);
  assert.ok(Math.abs(listed + change.rest.value - 0.25) < 1e-12);
});

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { WorkspaceResponse } from "@sightline/contract";
import { TestService } from "@sightline/test-kit/test-service.ts";

// Kept beside the repository, never in it: real answers of ChatGPT, with their licence.
const folder = new URL(
  "../../../../shared/data/product-recommendations/", // from the root: ../shared/data
  import.meta.url,
);
const days = { from: "2025-10-05T00:00:00Z", to: "2025-10-08T00:00:00Z" };
const topics = {
  Smartphone: "07133270-d138-5e44-a495-3e56660163f7",
  Refrigerator: "0e05b1f6-57d8-5b0b-b9d9-351d9b97682f",
};

/** Of one entity, what a series says: [first day, second, third]. */
type Values = readonly (number | null)[];

/** The account of the real answers. */
class RealAccount {
  readonly service: TestService;
  readonly #token: string;

  constructor(service: TestService, token: string) {
    this.service = service;
    this.#token = token;
  }

  async series(operation: string, body: object = {}): Promise<Readonly<Record<string, Values>>> {
    const reply = await this.service.post(`/v1/analytics/brands/${operation}`, {
      token: this.#token,
      body: { interval: "daily", filters: { timeRange: days }, ...body },
    });
    assert.equal(reply.status, 200, reply.body);
    const { series } = reply.json<SeriesReply>();
    return Object.fromEntries(
      series.map(({ name, data }) => [name, data.map(({ value }) => value)]),
    );
  }

  async workspace(): Promise<WorkspaceResponse> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const reply = await this.service.request("GET", "/v1/workspace", { headers });
    assert.equal(reply.status, 200, reply.body);
    return reply.json<WorkspaceResponse>();
  }

  async sources(groupBy: "domain" | "url", filters: object = {}): Promise<SourcesReply> {
    const reply = await this.service.post("/v1/analytics/sources", {
      token: this.#token,
      body: { groupBy, limit: 12, offset: 0, filters: { timeRange: days, ...filters } },
    });
    assert.equal(reply.status, 200, reply.body);
    return reply.json<SourcesReply>();
  }
}

interface SeriesReply {
  readonly series: readonly {
    readonly name: string;
    readonly data: readonly { readonly value: number | null }[];
  }[];
}

interface SourcesReply {
  readonly sources: readonly {
    readonly source: string;
    readonly citations: number;
    readonly share: number;
  }[];
  readonly pagination: object;
}

/** A sum over so many answers as a value. */
const of =
  (answers: number) =>
  (...sums: readonly number[]): Values =>
    sums.map((sum) => sum / answers);

test("144 real answers give the numbers that were counted by hand", async (t) => {
  if (!existsSync(folder)) {
    const where = process.env["CI"] === "true" ? "in this CI run" : "on this machine";
    t.diagnostic(`NOTHING WAS CHECKED ${where}: there are no real answers at ${folder.pathname}`);
    return;
  }
  const service = await TestService.start();
  t.after(() => service.close());
  const account = await importRealAnswers(service);
  await t.test("mentions", () => mentions(account));
  await t.test("citations and visibility", () => citationsAndVisibility(account));
  await t.test("rank", () => rank(account));
  await t.test("sources", () => sources(account));
  await t.test("weeks and topics", () => weeksAndTopics(account));
  await t.test("workspace", () => workspace(account));
});

async function importRealAnswers(service: TestService): Promise<RealAccount> {
  const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
  const accountId = await service.apply(read("workspace.yaml"));
  const lines = read("answers.ndjson").trim().split("\n");
  const tally = await service.import(
    accountId,
    lines.map((line): object => JSON.parse(line)),
  );
  assert.deepEqual(tally, { accepted: 144, duplicates: 0, rejected: 0, warnings: 0 });
  return new RealAccount(service, await service.session(accountId));
}

/**
 * Counted with a search of each text for the names as whole words, in any case (LG in its own):
 * 48 answers a day.
 */
async function mentions(account: RealAccount): Promise<void> {
  const aDay = of(48);
  const series = await account.series("mentions");
  assert.deepEqual(Object.entries(series), [
    ["Samsung", aDay(14, 15, 14)], // the brand first, then by name
    ["Apple", aDay(13, 15, 14)],
    ["Bambu Lab", aDay(3, 4, 3)],
    ["Bose", aDay(4, 4, 4)],
    ["DJI", aDay(4, 4, 4)],
    ["Garmin", aDay(4, 3, 4)],
    ["Google", aDay(11, 10, 9)],
    ["LG", aDay(9, 7, 8)],
    ["Meta", aDay(4, 3, 3)],
    ["Sony", aDay(6, 7, 8)],
    ["Tesla", aDay(3, 3, 4)],
    ["Yamaha", aDay(3, 4, 4)],
  ]);
}

/**
 * Of 470 cited links eight lie on the tracked companies' sites: samsung.com on the 5th and (as
 * r1.community.samsung.com) on the 7th, dji.com on the 5th and 7th, www8.garmin.com on the 6th,
 * tesla.com on the 7th, and two subdomains of yamaha.com in one answer of the 6th.
 */
async function citationsAndVisibility(account: RealAccount): Promise<void> {
  const aDay = of(48);
  const citations = await account.series("citations");
  const cited = Object.entries(citations).filter(([, values]) =>
    values.some((value) => value !== 0),
  );
  assert.deepEqual(cited, [
    ["Samsung", aDay(1, 0, 1)],
    ["DJI", aDay(1, 0, 1)],
    ["Garmin", aDay(0, 1, 0)],
    ["Tesla", aDay(0, 0, 1)],
    ["Yamaha", aDay(0, 1, 0)],
  ]);
  // Each of those answers names the company too.
  assert.deepEqual(await account.series("overall-visibility"), await account.series("mentions"));
}

/** Counted by the place of each name's first appearance in each text: sums of ranks by answers. */
async function rank(account: RealAccount): Promise<void> {
  const series = await account.series("rank");
  assert.deepEqual(series["Samsung"], [27 / 14, 31 / 15, 23 / 14]);
  assert.deepEqual(series["Apple"], [23 / 13, 24 / 15, 22 / 14]);
  assert.deepEqual(series["Google"], [24 / 11, 21 / 10, 21 / 9]);
  assert.deepEqual(series["Garmin"], [14 / 4, 9 / 3, 11 / 4]);
  assert.deepEqual(series["Bose"], [2, 2, 2]);
}

/** Counted as unique pairs of answer and link: 470 of them, 227 links on 109 domains. */
async function sources(account: RealAccount): Promise<void> {
  const domains = await account.sources("domain");
  assert.deepEqual(domains.pagination, { total: 109, limit: 12, offset: 0, hasMore: true });
  assert.deepEqual(domains.sources, [
    { source: "techradar.com", citations: 51, share: 51 / 470 },
    { source: "wikipedia.org", citations: 32, share: 32 / 470 },
    { source: "tomsguide.com", citations: 30, share: 30 / 470 },
    { source: "tomshardware.com", citations: 19, share: 19 / 470 },
    { source: "theverge.com", citations: 17, share: 17 / 470 },
    { source: "wired.com", citations: 13, share: 13 / 470 },
    { source: "whathifi.com", citations: 12, share: 12 / 470 },
    { source: "caranddriver.com", citations: 11, share: 11 / 470 },
    { source: "consumerreports.org", citations: 11, share: 11 / 470 },
    { source: "projectorreviews.com", citations: 11, share: 11 / 470 },
    { source: "azpianoreviews.com", citations: 10, share: 10 / 470 },
    { source: "rtings.com", citations: 10, share: 10 / 470 },
  ]);
  const urls = await account.sources("url");
  assert.deepEqual(urls.pagination, { total: 227, limit: 12, offset: 0, hasMore: true });
  assert.deepEqual(
    urls.sources.slice(0, 3).map(({ source, citations }) => [source, citations]),
    [
      ["https://tomshardware.com/best-picks/best-3d-printers", 11],
      ["https://soundguys.com/best/best-headphones-under-500", 9],
      [
        "https://techradar.com/news/wearables/" +
          "best-smart-watches-what-s-the-best-wearable-tech-for-you-1154074",
        9,
      ],
    ],
  );
  const sixth = { timeRange: { from: "2025-10-06T00:00:00Z", to: "2025-10-07T00:00:00Z" } };
  const [first] = (await account.sources("url", sixth)).sources;
  assert.equal((first?.citations ?? 0) / (first?.share ?? 0), 150); // cited links of that day
  assert.deepEqual((await account.sources("url", sixth)).pagination, {
    total: 115,
    limit: 12,
    offset: 0,
    hasMore: true,
  });
}

/** 2025-10-05 is a Sunday: the first week has one day of answers, the second two. */
async function weeksAndTopics(account: RealAccount): Promise<void> {
  const weekly = await account.series("mentions", { interval: "weekly" });
  assert.deepEqual(weekly["Samsung"], [14 / 48, (15 + 14) / 96]);
  assert.deepEqual(weekly["LG"], [9 / 48, (7 + 8) / 96]);

  const about = (topic: keyof typeof topics) => ({
    interval: "monthly",
    filters: { timeRange: days, topics: [{ id: topics[topic] }] },
  });
  const phones = await account.series("mentions", about("Smartphone"));
  assert.deepEqual(
    Object.entries(phones).filter(([, values]) => values[0] !== 0),
    [
      ["Samsung", [1]],
      ["Apple", [1]],
      ["Google", [1]],
    ],
  );
  const fridges = await account.series("mentions", about("Refrigerator"));
  assert.deepEqual(
    Object.entries(fridges).filter(([, values]) => values[0] !== 0),
    [
      ["Samsung", [11 / 12]],
      ["Google", [1 / 12]],
      ["LG", [12 / 12]],
    ],
  );
  // No prompt names Samsung or Galaxy, so none is branded.
  const branded = { filters: { timeRange: days, branded: true } };
  assert.deepEqual((await account.series("mentions", branded))["Samsung"], [null, null, null]);
}

/** 48 prompts of twelve topics, asked on three days, each day from 08:05 on. */
async function workspace(account: RealAccount): Promise<void> {
  const { brand, competitors, prompts, lastImport, ...rest } = await account.workspace();
  assert.equal(brand.name, "Samsung");
  assert.equal(competitors.map(({ name }) => name).join(), competitorsByName);
  assert.equal(rest.topics.map(({ name }) => name).join(), topicsByName);
  assert.equal(prompts.length, 48);
  for (const { id } of rest.topics) {
    assert.equal(prompts.filter(({ topicId }) => topicId === id).length, 4);
  }
  assert.equal(
    prompts.some(({ branded }) => branded),
    false,
  );
  assert.deepEqual([rest.providers, rest.regions], [["OPENAI"], []]);
  const [first, last] = ["2025-10-05T08:05:00.000Z", "2025-10-07T12:00:00.000Z"];
  assert.deepEqual(rest.answers, { count: 144, first, last });
  assert.equal(lastImport, new Date(account.service.clock.now()).toISOString());
}

const competitorsByName = "Apple,Bambu Lab,Bose,DJI,Garmin,Google,LG,Meta,Sony,Tesla,Yamaha";
const topicsByName =
  "3D Printer,Digital Piano,Drone,Electric Bicycle,Electric Car,Headphones,Laptop," +
  "Portable Projector,Refrigerator,Smartphone,Smartwatch,VR Headset";

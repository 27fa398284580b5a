import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { lagsDuringImport } from "@sightline/test-kit/lags-during-import.ts";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import { corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { workspaceOf } from "../src/accounts/account-store.ts";

const firstDay = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

interface Series {
  readonly series: readonly {
    readonly name: string;
    readonly data: readonly { readonly value: number | null }[];
  }[];
}

/** A service with an account and a session, whose first day has four answers. */
class Projecting {
  readonly service: TestService;
  readonly accountId: string;
  readonly token: string;

  private constructor(service: TestService, accountId: string, token: string) {
    this.service = service;
    this.accountId = accountId;
    this.token = token;
  }

  static async start(t: TestContext): Promise<Projecting> {
    const service = await TestService.start();
    t.after(() => service.close());
    const accountId = await service.apply(corpusWorkspace);
    return new Projecting(service, accountId, await service.session(accountId));
  }

  async apply(changes: object): Promise<void> {
    await this.service.apply({ ...corpusWorkspace, ...changes });
    await this.service.settle(this.accountId);
  }

  /** One month's value of each entity, by name. */
  async month(filters: object = {}): Promise<Readonly<Record<string, number | null>>> {
    const body = { interval: "monthly", filters: { timeRange: firstDay, ...filters } };
    const reply = await this.service.post("/v1/analytics/brands/mentions", {
      token: this.token,
      body,
    });
    assert.equal(reply.status, 200, reply.body);
    const { series } = reply.json<Series>();
    return Object.fromEntries(series.map(({ name, data }) => [name, data[0]?.value ?? null]));
  }

  /** How often facts were built, by reason. */
  async rebuilds(): Promise<Readonly<Record<string, number>>> {
    const { values } = await this.service.services.metrics.factsRebuilds.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.reason ?? "", value]));
  }
}

const four = ["Take Acme.", "Take Globex.", "Take Keeper.", "Take Initech, not Acme."].map(
  (text, sample) => {
    const prompt = corpusWorkspace.prompts[sample];
    return { promptId: prompt?.id, provider: "GROK", answeredAt: firstDay.from, sample, text };
  },
);

test("a new alias and a new competitor show for old dates", async (t) => {
  const projecting = await Projecting.start(t);
  await projecting.service.import(projecting.accountId, four);
  assert.deepEqual(await projecting.month(), { Acme: 0.5, Globex: 0.25 });

  await projecting.apply({ brand: { ...corpusWorkspace.brand, aliases: ["Keeper"] } });
  assert.deepEqual(await projecting.month(), { Acme: 0.75, Globex: 0.25 });

  await projecting.apply({ competitors: [...corpusWorkspace.competitors, { name: "Initech" }] });
  assert.deepEqual(await projecting.month(), { Acme: 0.5, Globex: 0.25, Initech: 0.25 });

  await projecting.apply({ competitors: [] });
  assert.deepEqual(await projecting.month(), { Acme: 0.5 });
  assert.deepEqual(await projecting.rebuilds(), { absent: 1, workspace: 3 });
});

test("a change of the workspace shows though answers never cease to come", async (t) => {
  const projecting = await Projecting.start(t);
  const { service, accountId } = projecting;
  await service.import(accountId, four);
  let sample = four.length;
  const more = () => service.record(accountId, [{ ...four[3], sample: sample++ }]);
  const names = async () => {
    await more();
    return Object.keys(await projecting.month());
  };
  const version = () => service.services.facts.version(accountId, AbortSignal.timeout(60_000));
  const counted = await version();
  await until("answers count", async () => {
    await more();
    return (await version()) === counted ? null : true;
  });
  const competitors = [...corpusWorkspace.competitors, { name: "Initech" }];
  await service.apply({ ...corpusWorkspace, competitors });
  await until("Initech is a series", async () =>
    (await names()).includes("Initech") ? true : null,
  );
});

test("a retired prompt's answers no longer count, and count again when it is back", async (t) => {
  const projecting = await Projecting.start(t);
  await projecting.service.import(projecting.accountId, four);
  await projecting.apply({ prompts: corpusWorkspace.prompts.slice(1) });
  assert.deepEqual(await projecting.month(), { Acme: 1 / 3, Globex: 1 / 3 });

  // Recorded while it is retired: kept, and counted once it is back.
  const late = { ...four[0], sample: 9, text: "Take Globex." };
  const tally = await projecting.service.import(projecting.accountId, [late]);
  assert.deepEqual(tally, { accepted: 1, duplicates: 0, rejected: 0, warnings: 0 });
  assert.deepEqual(await projecting.month(), { Acme: 1 / 3, Globex: 1 / 3 });

  await projecting.apply({});
  assert.deepEqual(await projecting.month(), { Acme: 0.4, Globex: 0.4 });
});

test("a paused prompt's answers count on", async (t) => {
  const projecting = await Projecting.start(t);
  await projecting.service.import(projecting.accountId, four);
  const prompts = corpusWorkspace.prompts.map((prompt) => ({ ...prompt, paused: true }));
  await projecting.apply({ prompts });
  assert.deepEqual(await projecting.month(), { Acme: 0.5, Globex: 0.25 });
});

test("a prompt's topic and branded flag are those of today, for all of history", async (t) => {
  const projecting = await Projecting.start(t);
  await projecting.service.import(projecting.accountId, four);
  const workspace = await workspaceOf(projecting.service.services.control, projecting.accountId);
  const storage = workspace?.topics.find(({ name }) => name === "Storage")?.id;
  const inStorage = { topics: [{ id: storage }] };
  assert.deepEqual(await projecting.month(inStorage), { Acme: 0, Globex: 0 });
  assert.deepEqual(await projecting.month({ branded: true }), { Acme: 0, Globex: 1 });

  const prompts = corpusWorkspace.prompts.map((prompt, index) => {
    return { ...prompt, topic: "Storage", branded: index === 0 };
  });
  await projecting.apply({ prompts });
  assert.deepEqual(await projecting.month(inStorage), { Acme: 0.5, Globex: 0.25 });
  assert.deepEqual(await projecting.month({ branded: true }), { Acme: 1, Globex: 0 });
});

test("new prompts and topics build nothing anew, and their answers count", async (t) => {
  const projecting = await Projecting.start(t);
  await projecting.service.import(projecting.accountId, four);
  const id = "11111111-1111-4111-8111-111111111119";
  const more = { topics: [{ name: "New" }, ...corpusWorkspace.topics] };
  const prompts = [{ id, text: "A new one?", topic: "New" }, ...corpusWorkspace.prompts];
  await projecting.apply({ ...more, prompts });
  const fresh = { ...four[0], promptId: id, sample: 9, text: "Take Globex." };
  await projecting.service.import(projecting.accountId, [fresh]);
  assert.deepEqual(await projecting.rebuilds(), { absent: 1 });
  assert.deepEqual(await projecting.month(), { Acme: 0.4, Globex: 0.4 });
  assert.deepEqual(await projecting.month({ promptIds: [id] }), { Acme: 0, Globex: 1 });
  const metrics = await projecting.service.request("GET", "/metrics");
  assert.match(metrics.body, /^sightline_facts_rebuilds_total\{reason="absent"\} 1$/m);
});

test("the service answers from the old facts until the new ones are ready", async (t) => {
  const projecting = await Projecting.start(t);
  const { service, accountId, token } = projecting;
  await service.import(accountId, corpusAnswers(10_000));
  const ask = async (path: string, body: object) => service.post(path, { token, body });
  const before = await fiveReplies(ask);
  assert.notEqual(before, null);

  await service.apply({ ...corpusWorkspace, competitors: [{ name: "Initech" }] });
  const settled = service.settle(accountId);
  let olds = 0;
  const mentions = before?.[0];
  const seen = await until("the new facts", async () => {
    const reply = await ask("/v1/analytics/brands/mentions", monthlyOf("daily"));
    assert.equal(reply.status, 200, reply.body);
    if (reply.body !== mentions) return reply.body;
    olds++;
    return null;
  });
  assert.ok(olds > 0, "the old facts were never asked");
  await settled;
  const after = await fiveReplies(ask);
  assert.equal(after?.[0], seen, "what was seen first is already the whole of the new facts");
  assert.match(seen, /Initech/);
});

function monthlyOf(interval: string): object {
  return { interval, filters: { timeRange: { ...firstDay, to: "2026-03-01T00:00:00Z" } } };
}

// Within a second, which tasks/soak measures.
test("an answer counts while others are imported", async (t) => {
  const lags = await lagsDuringImport(t, { answers: 6_000, singles: 2 });
  assert.equal(lags.length, 2);
});

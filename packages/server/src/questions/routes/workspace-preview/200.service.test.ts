import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryResponse, WorkspacePreviewResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const path = "/v1/workspace/preview";
const prompts = Array.from({ length: 40 }, (_, prompt) => ({ text: `Which tool, ${prompt}?` }));
const tarnfell = { name: "Tarnfell", aliases: ["Tarn"], domains: ["tarnfell.example"] };
const globex = { name: "Globex", domains: ["globex.example"] };

/** An account of so many answers, in which names and pages come in various mixtures. */
async function accountOf(name: string, answers: number) {
  const service = await sharedService();
  const tracked = { brand: tarnfell, competitors: [globex, "Acme"], prompts };
  const accountId = await service.apply({ account: { name }, ...tracked });
  const parts = ["Tarnfell", "The Tarn", "Fell Works", "Globex", "Globex Max", "Initech", "Acme"];
  const lines = Array.from({ length: answers }, (_, answer) => {
    const bits = (answer * 2_654_435_761) % 4_294_967_296;
    const isNamed = (_part: string, place: number) => Math.floor(bits / 7 ** (place + 1)) % 3 === 0;
    const hosts = ["tarnfell.example", "fell.example", "globex.example"].filter(isNamed);
    return {
      prompt: prompts[answer % prompts.length]?.text,
      provider: "OPENAI",
      answeredAt: new Date(Date.UTC(2026, 0, 1) + answer * 60_000).toISOString(),
      text: `We name ${parts.filter(isNamed).join(", and ")}.`,
      citations: hosts.map((host) => ({ url: `https://${host}/${bits % 5}` })),
    };
  });
  await service.import(accountId, lines);
  const token = await service.session(accountId, ["read", "manage"]);
  const preview = async (body: object): Promise<WorkspacePreviewResponse> => {
    const reply = await service.post(path, { token, body });
    assert.equal(reply.status, 200, reply.body);
    (await ServedSchemas.of(service)).assertValid("WorkspacePreviewResponseDto", reply.json());
    return reply.json();
  };
  /** How many answers mention and cite each entity, by id. */
  const counted = async () => {
    const timeRange = { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" };
    const body = { groupBy: "none", filters: { timeRange } };
    const reply = await service.post("/v1/insights/summary", { token, body });
    const { entities = [] } = reply.json<InsightsSummaryResponse>().groups[0] ?? {};
    return new Map(
      entities.map(({ id, mentions, citations }) => {
        return [id, { mentions: mentions.numerator, citations: citations.numerator }] as const;
      }),
    );
  };
  return { service, accountId, preview, counted };
}

const edits = {
  "an alias more": { brand: { ...tarnfell, aliases: ["Tarn", "Fell Works"] } },
  "an alias and a domain less": { brand: "Tarnfell" },
  "a longer name, which takes from a shorter one": {
    brand: tarnfell,
    competitors: [globex, "Acme", "Globex Max"],
  },
  "one competitor for another, and a phrase": {
    brand: { ...tarnfell, except: ["The Tarn"], domains: ["fell.example"] },
    competitors: ["Initech", "Acme"],
  },
};

test("what a preview says is what the counts are once it is applied", async () => {
  const { service, accountId, preview, counted } = await accountOf("Previewed", 420);
  for (const [what, edit] of Object.entries(edits)) {
    const file = { competitors: [globex, "Acme"], ...edit };
    const said = await preview(file);
    assert.deepEqual([said.answers, said.read, said.isSample], [420, 420, false], what);
    const before = await counted();
    await service.apply({ account: { name: "Previewed" }, ...file, prompts });
    await service.import(accountId, []);
    const after = await counted();
    const ids = new Set([...before.keys(), ...after.keys()]);
    for (const { id, name, ...kinds } of said.entities) {
      for (const kind of ["mentions", "citations"] as const) {
        const own = kinds[kind];
        const was = before.get(id)?.[kind] ?? 0;
        const is = after.get(id)?.[kind] ?? 0;
        assert.deepEqual([own.before, own.after], [was, is], `${what}: ${kind} of ${name}`);
        assert.equal(own.before + own.added.answers - own.removed.answers, own.after);
        assert.deepEqual([own.added.interval, own.added.read], [null, own.added.answers]);
      }
      ids.delete(id);
    }
    // Of whom nothing is said, nothing changes.
    for (const id of ids) assert.deepEqual(after.get(id), before.get(id), what);
    assert.ok(
      said.entities.some(({ mentions }) => mentions.added.read + mentions.removed.read > 0),
    );
  }
  const nothing = await preview({ ...edits["one competitor for another, and a phrase"] });
  assert.deepEqual([nothing.read, nothing.entities], [0, []]);
});

test("of many answers a random sample is read, the same each time, with an interval", async () => {
  const { preview } = await accountOf("Sampled", 5_600);
  const file = { ...edits["an alias more"], competitors: [globex, "Acme"] };
  const said = await preview(file);
  assert.deepEqual([said.answers, said.read, said.isSample], [5_600, 5_000, true]);
  const [brand] = said.entities;
  const { added, removed } = brand?.mentions ?? {};
  const truth = (await accountOf("Sampled in part", 1)).preview(file);
  assert.equal((await truth).isSample, false);
  assert.deepEqual(removed, { read: 0, answers: 0, interval: removed?.interval });
  assert.ok(added?.interval && added.interval.low <= added.answers, JSON.stringify(added));
  assert.ok(added.answers <= added.interval.high && added.answers > added.read);
  assert.deepEqual((await preview(file)).entities, said.entities);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { UntrackedNamesResponse, WorkspaceResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";

const prompts = ["Which tent is light?", "Which tent is warm?"];
const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

const workspace = {
  account: { name: "Naming" },
  brand: { name: "Acmetents", domains: ["acme.example"] },
  competitors: [{ name: "Globex" }],
  prompts: prompts.map((text, place) => ({ text, tags: place === 0 ? ["weight"] : [] })),
};

test("names that nobody tracks: which, where, and who alone", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply(workspace);
  await service.import(accountId, namingAnswers());
  const token = await service.session(accountId);
  const ask = (more: object = {}) => asked(service, token, { filters: { timeRange }, ...more });
  const rebuilds = async () => {
    const { values } = await service.services.metrics.factsRebuilds.get();
    return values.find(({ labels }) => labels.reason === "names")?.value ?? 0;
  };
  assert.equal(await rebuilds(), 0, "names are read for those who ask");
  const all = await ask();
  assert.equal(await rebuilds(), 1);
  const headers = { authorization: `Bearer ${token}` };
  const tracked = (
    await service.request("GET", "/v1/workspace", { headers })
  ).json<WorkspaceResponse>();
  const brand = tracked.brand.id;
  const promptIds = tracked.prompts.filter(({ text }) => text === prompts[0]).map(({ id }) => id);
  const tagged = await ask({ filters: { timeRange, tags: ["weight"] } });
  assert.equal(tagged.onlyUnknown.denominator, 3);
  assert.deepEqual(tagged, await ask({ filters: { timeRange, promptIds } }));
  const shown = all.names.map((each) => [
    `${each.name}: ${each.kind}`,
    each.aliasOf,
    each.answers,
    each.prompts,
    each.meanPlace,
    each.domain,
  ]);
  assert.deepEqual(
    shown.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    [
      ["Acmetentz: alias", brand, 2, 2, 1, null],
      ["Tarnfell: new", null, 2, 2, 1.5, "tarnfell.example"],
      ["Weidenau: new", null, 2, 2, 2, null],
    ],
  );
  const { numerator, denominator } = all.onlyUnknown;
  assert.deepEqual([numerator, denominator, all.total, all.nextCursor], [3, 6, 3, null]);
  const example = all.names.find(({ name }) => name === "Tarnfell")?.example;
  assert.ok(example);
  const read = await service.request("GET", `/v1/answers/${example.answerId}`, { headers });
  const { text } = read.json<{ text: string }>();
  assert.equal(text.slice(example.start, example.end), "Tarnfell");
  const paged: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: UntrackedNamesResponse = await ask({
      limit: 1,
      ...(cursor === "" ? {} : { cursor }),
    });
    paged.push(...page.names.map(({ name }) => name));
    assert.deepEqual(page.onlyUnknown, all.onlyUnknown);
    cursor = page.nextCursor;
  }
  assert.deepEqual(
    paged,
    all.names.map(({ name }) => name),
  );
  await service.apply({ ...workspace, ignoredNames: ["weiden-au", "TARNFELL"] });
  const rest = await ask();
  assert.deepEqual(
    rest.names.map(({ name }) => name),
    ["Acmetentz"],
  );
  assert.equal(rest.onlyUnknown.numerator, 2);
  const gone = await ask({
    filters: { timeRange: { ...timeRange, from: "2026-01-20T00:00:00Z" } },
  });
  assert.deepEqual([gone.names, gone.empty?.reason], [[], "outsideRange"]);
  const [first] = namingAnswers();
  await service.import(accountId, [{ ...first, answeredAt: "2026-01-09T08:00:00Z" }]);
  assert.equal((await ask()).onlyUnknown.denominator, 7);
  assert.equal(await rebuilds(), 1, "they are read with new answers from then on");
});

/** Asks; the first time it may be refused until the names are read. */
async function asked(
  service: TestService,
  token: string,
  body: object,
): Promise<UntrackedNamesResponse> {
  const reply = await until("names are read", async () => {
    const given = await service.post("/v1/insights/names", { token, body });
    return given.status === 503 ? null : given;
  });
  assert.equal(reply.status, 200, reply.body);
  (await ServedSchemas.of(service)).assertValid("UntrackedNamesResponseDto", reply.json());
  return reply.json<UntrackedNamesResponse>();
}

function namingAnswers() {
  const answer = (day: number, text: string, more: object = {}) => ({
    prompt: prompts[day % 2],
    provider: "OPENAI",
    answeredAt: `2026-01-0${day}T08:00:00Z`,
    text,
    ...more,
  });
  return [
    answer(1, "Many reviewers praise Tarnfell for its poles.", {
      citations: [{ url: "https://www.tarnfell.example/light" }],
    }),
    answer(2, "- **Acmetents**: light\n- **Tarnfell Ridge**: warm\n- **Weidenau**: dear"),
    answer(3, "It is a tent by Globex, or one by Weidenau."),
    answer(4, "It is a tent by Acmetentz."),
    answer(5, "It is a tent by Acmetentz."),
    answer(6, "It is some tent by Onlyonce."),
  ];
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { declaredPromptsOf } from "@sightline/server/account-store";
import { call, httpClient } from "@sightline/test-kit/assistant.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { preparedClient } from "./prepared-client.ts";

// Six prompts, answered on two days: Globex is never named, and each day cites another page.
const client = preparedClient(async (whole) => {
  const service = await TestService.start();
  whole.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Acme" },
    brand: { name: "Acme" },
    competitors: [{ name: "Globex" }],
    prompts: [1, 2, 3, 4, 5, 6].map((number) => ({ text: `Which is best for ${number}?` })),
  });
  const prompts = await declaredPromptsOf(service.services.control, accountId);
  const answers = ["2026-01-05", "2026-01-07"].flatMap((day) =>
    [...prompts].map(({ id }) => ({
      promptId: id,
      provider: "OPENAI",
      answeredAt: `${day}T08:00:00Z`,
      text: "Acme.",
      citations: [{ url: `https://on-${day}.example/` }],
    })),
  );
  await service.import(accountId, answers);
  return { service, token: await service.session(accountId) };
});

async function told(name: string, given: object) {
  const { data, isError, text } = await call(client(), name, given);
  assert.equal(isError, false, text);
  return data as Readonly<Record<string, unknown>> & { readonly notes: readonly string[] };
}

test("where there is no value, it is not said that prompts are too few", async () => {
  const few = ({ notes }: { readonly notes: readonly string[] }) =>
    notes.filter((note) => note.includes("fewer than 6 effective"));
  assert.deepEqual(few(await told("summary", { period: "2026-01" })), []);
  const compared = { period: "2026-01-07", compareWith: "2025-12-01" };
  assert.deepEqual(few(await told("compare", compared)), []);
});

test("a number without an interval says why: here all prompts agree", async () => {
  const { notes } = await told("summary", { period: "2026-01", metrics: ["rank"] });
  const alike = "Without low and high: all prompts agree, which does not make it certain.";
  assert.ok(notes.includes(alike), notes.join(" "));
});

test("a source that a period is known not to have cited had 0 then, and not null", async () => {
  const before = async (compare: string) => {
    const { sources, notes } = await told("top_sources", { period: "2026-01-07", compare });
    const [source] = sources as readonly { readonly before: unknown }[];
    return { before: source?.before, notes };
  };
  assert.deepEqual(await before("2026-01-05"), { before: { citations: 0, share: 0 }, notes: [] });
  assert.deepEqual(await before("2025-12-01"), {
    before: null,
    notes: ["Nothing is cited in the earlier period."],
  });
});

test("by topic, prompts without one are a group, or a note counts them", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const url = await service.listen();
  const names = Array.from({ length: 21 }, (_, number) => `Topic ${number}`);
  const ask = async (topics: readonly string[]) => {
    const accountId = await service.apply({
      account: { name: `Of ${topics.length} topics` },
      brand: { name: "Acme" },
      topics: topics.map((name) => ({ name })),
      prompts: [
        { text: "Which is best?" },
        ...topics.map((topic) => ({ text: `Which is best for ${topic}?`, topic })),
      ],
    });
    const prompts = await declaredPromptsOf(service.services.control, accountId);
    const given = { provider: "OPENAI", answeredAt: "2026-01-05T08:00:00Z", text: "Acme." };
    const answers = [...prompts].map(({ id }) => ({ promptId: id, ...given }));
    await service.import(accountId, answers);
    const token = await service.session(accountId);
    const other = await httpClient(t, { url, token });
    const { data } = await call(other, "summary", { period: "2026-01-05", by: "topic" });
    const { groups, notes } = data as { groups: { group: string }[]; notes: string[] };
    return {
      groups: groups.map(({ group }) => group),
      said: notes.filter((note) => note.includes("without a topic")),
    };
  };
  assert.deepEqual(await ask([]), { groups: ["No topic"], said: [] });
  assert.deepEqual(await ask(names.slice(0, 1)), { groups: ["Topic 0", "No topic"], said: [] });
  const { groups, said } = await ask(names);
  assert.deepEqual([groups.length, groups.includes("No topic")], [20, false]);
  assert.deepEqual(said, ["Prompts without a topic are in no group: 1."]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { declaredPromptsOf } from "@sightline/server/account-store";
import { call } from "@sightline/test-kit/assistant.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { preparedClient } from "./prepared-client.ts";

const dayMs = 86_400_000;
const yearStart = Date.parse("2025-01-01T00:00:00Z");
const names = ["Globex", "Initech", "Umbrella", "Tyrell"];

// Three answers on each day of a year, so that most values have as many digits as a double.
const client = preparedClient(async (whole) => {
  const service = await TestService.start();
  whole.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Acme" },
    brand: { name: "Acme" },
    competitors: names.map((name) => ({ name })),
    prompts: [{ text: "Which is best?" }],
  });
  const [prompt] = await declaredPromptsOf(service.services.control, accountId);
  const answers = Array.from({ length: 365 * 3 }, (_, index) => ({
    promptId: prompt?.id,
    provider: "OPENAI",
    sample: index % 3,
    answeredAt: new Date(yearStart + Math.floor(index / 3) * dayMs).toISOString(),
    text: index % 3 === 0 ? "Globex and Acme." : "Initech, Umbrella and Acme.",
  }));
  await service.import(accountId, answers);
  return { service, token: await service.session(accountId) };
});

interface SeriesData {
  readonly rows: readonly (readonly [string, ...number[]])[];
  readonly notes: readonly string[];
}

async function series(given: object): Promise<SeriesData & { readonly bytes: number }> {
  const { data, isError, text } = await call(client(), "time_series", given);
  assert.equal(isError, false, text);
  return { ...(data as object as SeriesData), bytes: JSON.stringify(data).length };
}

/** A model reads them all, and pays for each. */
const yearBytesMax = 10_000;

test("a year of days is under 10 KB, however many entities are asked", async () => {
  for (const [competitors, days] of [
    [["Acme"], 365],
    [["Globex"], 300],
    [["Globex", "Initech"], 200],
    [undefined, 120],
  ] as const) {
    for (const metric of ["visibility", "mentions", "rank"]) {
      const { rows, bytes } = await series({ metric, period: "2025", competitors });
      assert.ok(bytes < yearBytesMax, `${days} days: ${bytes} bytes`);
      assert.equal(rows.length, days);
      assert.equal(rows.at(-1)?.[0], "2025-12-31");
    }
  }
});

test("values are rounded to three decimals; a long reply keeps its end, and says so", async () => {
  const given = { metric: "mentions", competitors: ["Globex", "Initech"] };
  const { rows, notes } = await series({ ...given, period: "2025" });
  assert.deepEqual(rows.at(0), ["2025-06-15", 1, 0.333, 0.667]);
  assert.deepEqual(notes, [
    "Only the last 200 of 365 buckets are shown. For the rest ask for a period that ends at " +
      "2025-06-15, for a longer interval, or for fewer entities.",
  ]);
  const rest = await series({ ...given, period: "2025-01-01/2025-06-15" });
  assert.equal(rest.rows.length, 165);
});

test("compare: months have one value, since their answers are counted together", async () => {
  const given = { period: "2025-03-01/2025-05-01", metrics: ["mentions"], competitors: ["globex"] };
  const { data } = await call(client(), "compare", given);
  const [group] = (data?.["groups"] ?? []) as readonly { readonly rows: readonly object[] }[];
  assert.deepEqual(group?.rows, [
    ["Acme", "mentions", 1, 0, 0, null, null, null, "insufficient"],
    ["Globex", "mentions", 0.333, 0, 0, null, null, null, "insufficient"],
  ]);
});

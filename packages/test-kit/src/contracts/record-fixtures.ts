import { type Answer, unknownCollection } from "../../../server/src/answers/answer.ts";

/** An account of the tests of records. */
export const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
/** Another account of theirs. */
export const otherAccount = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002";
/** An answer with everything that is hard to store. */
export const answer: Answer = {
  id: idOf(1),
  promptId: "11111111-1111-4111-8111-111111111111",
  provider: "OPENAI",
  region: "US",
  answeredAt: Date.parse("2026-10-01T08:00:00.001Z"),
  outcome: "answered",
  text: "Take Acme\u0000 or 日本 👍.",
  citations: [
    { url: "https://acme.com", title: "Acme", cited: false },
    // In UTF-16 units: the last one is of two.
    {
      url: "https://b.example",
      title: null,
      cited: true,
      spans: [
        [0, 9],
        [9, 10],
        [17, 19],
      ],
    },
  ],
  model: "m",
  surface: "web",
  sample: Number.MAX_SAFE_INTEGER,
  metadata: { a: [1, null, { b: "\ud800" }] },
  searchQueries: ["", 'best "anvils" 日本 \\'],
  cost: { amount: 0.1 + 0.2, currency: "USD", estimated: true },
  vendor: "dataforseo",
  requestedRegion: "DE",
};

/** Ids that are in order of their numbers. */
export function idOf(number: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** Everything that an iteration gives. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

/** Another answer, without all that may be absent. */
export const bareAnswer: Answer = {
  ...answer,
  id: idOf(2),
  region: null,
  answeredAt: Date.parse("0001-01-01T00:00:00Z"),
  citations: [],
  model: null,
  surface: null,
  sample: 0,
  metadata: null,
  ...unknownCollection,
};

import { TestService } from "@sightline/test-kit/test-service.ts";

const promptIds = [1, 2, 3].map((number) => `11111111-1111-4111-8111-11111111111${number}`);
const [anvil = "", storage = "", acme = ""] = promptIds;

/** A name that a spreadsheet would work out, and a terminal would act on. */
export const hostileName = '=HYPERLINK("//x","y")\u202e';

/** Three answers of January 2026, as in the pages on metrics, and one of February for paging. */
const answers = [
  {
    promptId: anvil,
    provider: "OPENAI",
    region: "US",
    answeredAt: "2026-01-05T08:00:00Z",
    text: "Take **Acme**, or Globex if you are in a hurry.",
    citations: [{ url: "https://acme.example/anvils" }, { url: "https://reviews.example/best" }],
  },
  {
    promptId: storage,
    provider: "GEMINI",
    answeredAt: "2026-01-05T09:00:00Z",
    text: "Globex is the usual choice.",
    citations: [{ url: "https://www.acme.example/anvils/?utm_source=ai" }],
  },
  {
    promptId: anvil,
    provider: "OPENAI",
    answeredAt: "2026-01-07T12:00:00Z",
    text: "Any heavy block of steel will do.",
  },
  {
    promptId: acme,
    provider: "GROK",
    answeredAt: "2026-02-01T12:00:00Z",
    text: "Acme is good.",
    citations: Array.from({ length: 130 }, (_, page) => ({ url: `https://many.example/${page}` })),
  },
];

/** A service on a real socket that tracks Acme, Globex and a hostile name, and a key of it. */
export interface AskedService {
  readonly service: TestService;
  readonly url: string;
  readonly key: string;
  /** The key with its last character mistyped. */
  readonly wrongKey: string;
  readonly accountId: string;
}

/** Starts it; close `service` when done. */
export async function startAskedService(): Promise<AskedService> {
  const service = await TestService.start();
  const accountId = await service.apply({
    account: { name: "Acme" },
    brand: { name: "Acme", domains: ["acme.example"] },
    competitors: [{ name: "Globex", domains: ["globex.example"] }, { name: hostileName }],
    topics: [{ name: "Anvils" }, { name: "Storage" }],
    prompts: [
      { id: anvil, text: "What is the best anvil?", topic: "Anvils" },
      { id: storage, text: "Where to store anvils?", topic: "Storage" },
      { id: acme, text: "Is Acme any good?", topic: "Anvils" },
    ],
  });
  await service.import(accountId, answers);
  const key = await service.key(accountId);
  const wrongKey = `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`;
  return { service, url: await service.listen(), key, wrongKey, accountId };
}

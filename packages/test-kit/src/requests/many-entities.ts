import type { AfterHook } from "../sample-account.ts";
import { TestService } from "../test-service.ts";

const promptId = "11111111-0000-4000-8000-000000000009";
const dayMs = 86_400_000;
const firstMs = Date.parse("2024-01-01T00:00:00Z");

/** The range of so many days from the first answer, or later, on. */
export function daysFrom(days: number, first = 0): { readonly from: string; readonly to: string } {
  const instant = (day: number) => new Date(firstMs + day * dayMs).toISOString();
  return { from: instant(first), to: instant(first + days) };
}

/** A service whose account tracks many entities and has an answer each day, so no point is null. */
export async function startManyEntities(
  t: AfterHook,
  { entities, days }: { readonly entities: number; readonly days: number },
) {
  const service = await TestService.start();
  t.after(() => service.close());
  const competitors = Array.from({ length: entities - 1 }, (_, each) => ({
    name: `Rival ${each}x`,
  }));
  const accountId = await service.apply({
    account: { name: "Many" },
    brand: { name: "Brand" },
    competitors,
    prompts: [{ id: promptId, text: "Which?" }],
  });
  const answers = Array.from({ length: days }, (_, day) => ({
    promptId,
    provider: "OPENAI",
    answeredAt: new Date(firstMs + day * dayMs).toISOString(),
    text: `Rival ${day}x, then Brand.`,
  }));
  const { accepted } = await service.import(accountId, answers);
  if (accepted !== days) throw new Error(`${accepted} of ${days} answers were accepted`);
  return { service, accountId, token: await service.session(accountId) };
}

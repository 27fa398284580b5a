import type { TestService } from "@sightline/test-kit/test-service.ts";

/** How large an account is. */
interface Size {
  readonly prompts: number;
  readonly competitors: number;
  /** Weeks with an answer to each prompt, the last of them that of 30 October; 1 unless said. */
  readonly weeks?: number;
}

const weekMs = 7 * 86_400_000;
const lastMs = Date.parse("2026-10-30T08:00:00Z");

/** An account of a size, with an answer a week to each prompt. @returns its id. */
export async function manyPrompts(
  service: TestService,
  { prompts, competitors, weeks = 1 }: Size,
): Promise<string> {
  const numbers = Array.from({ length: prompts }, (_, index) => index);
  const id = (index: number) => `22222222-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const accountId = await service.apply({
    // Files may share a service: each size is an account of its own.
    account: { name: `Large ${prompts} ${competitors} ${weeks}` },
    brand: { name: "Largebrand" },
    competitors: Array.from({ length: competitors }, (_, index) => ({ name: `Rival${index}x` })),
    prompts: numbers.map((index) => ({ id: id(index), text: `Prompt ${index}`, branded: false })),
  });
  for (let week = 0; week < weeks; week += 1) {
    await service.import(
      accountId,
      numbers.map((index) => ({
        promptId: id(index),
        provider: "OPENAI",
        answeredAt: new Date(lastMs - week * weekMs).toISOString(),
        text: `Take Largebrand or Rival${(index * (week + 1)) % competitors}x.`,
        citations: [{ url: `https://site${index % 300}.example/${index}` }],
      })),
    );
  }
  return accountId;
}

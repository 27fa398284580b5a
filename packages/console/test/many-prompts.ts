import type { TestService } from "@sightline/server/test/test-service.ts";

/** How large an account is. */
interface Size {
  readonly prompts: number;
  readonly competitors: number;
}

/** An account of a size, with an answer to each prompt. @returns its id. */
export async function manyPrompts(
  service: TestService,
  { prompts, competitors }: Size,
): Promise<string> {
  const numbers = Array.from({ length: prompts }, (_, index) => index);
  const id = (index: number) => `22222222-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const accountId = await service.apply({
    account: { name: "Large" },
    brand: { name: "Largebrand" },
    competitors: Array.from({ length: competitors }, (_, index) => ({ name: `Rival${index}x` })),
    prompts: numbers.map((index) => ({ id: id(index), text: `Prompt ${index}`, branded: false })),
  });
  await service.import(
    accountId,
    numbers.map((index) => ({
      promptId: id(index),
      provider: "OPENAI",
      answeredAt: "2026-10-30T08:00:00Z",
      text: `Take Largebrand or Rival${index % competitors}x.`,
    })),
  );
  return accountId;
}

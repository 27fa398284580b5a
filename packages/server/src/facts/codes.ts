// By itself: the extracting thread has no use for the contract's schemas, and they take memory.
import { type Provider, providers } from "@sightline/contract/providers";
import type { Codes } from "../analytics/plan.ts";
import type { Snapshot, SnapshotPrompt } from "./snapshot.ts";

/** The numbers of a snapshot, both for rows that are written and for filters. */
export interface SnapshotCodes extends Codes {
  readonly topicOf: (topicId: string | null) => number;
  readonly promptOf: (promptId: string) => NumberedPrompt | undefined;
}

/** A prompt with its number. */
export interface NumberedPrompt extends SnapshotPrompt {
  readonly number: number;
}

const providerCodes: ReadonlyMap<string, number> = new Map(
  providers.map((provider, index) => [provider, index + 1]),
);

/** The numbers that a snapshot gives. */
export function codesOf(snapshot: Snapshot): SnapshotCodes {
  const topics = new Map(snapshot.topics.map((id, index) => [id, index + 1]));
  const prompts = new Map(
    snapshot.prompts.map((prompt, number) => [prompt.id, { ...prompt, number }]),
  );
  const topicOf = (id: string | null) => (id === null ? 0 : (topics.get(id) ?? 0));
  return {
    provider: (name) => providerCodes.get(name),
    region: (code) => regionCode(code),
    topic: (id) => topics.get(id),
    prompt: (id) => prompts.get(id)?.number,
    topicOf,
    promptOf: (id) => prompts.get(id),
  };
}

/** The number of a provider: from 1, by its place in the contract's list, which only grows. */
export function providerCode(provider: Provider): number {
  return providerCodes.get(provider) ?? 0;
}

/** The number of two upper-case letters, from 1; 0: without a region. */
export function regionCode(code: string | null): number {
  if (code === null) return 0;
  return (code.charCodeAt(0) - 65) * 26 + (code.charCodeAt(1) - 65) + 1;
}

/** The providers with these numbers, in the contract's order. */
export function providersOf(numbers: ReadonlySet<number>): readonly Provider[] {
  return providers.filter((provider) => numbers.has(providerCode(provider)));
}

/** The regions with these numbers, by code unit; 0, no region, is left out. */
export function regionsOf(numbers: ReadonlySet<number>): readonly string[] {
  return [...numbers]
    .filter((number) => number > 0)
    .sort((a, b) => a - b)
    .map((number) => {
      const letters = [Math.floor((number - 1) / 26), (number - 1) % 26];
      return String.fromCharCode(...letters.map((letter) => letter + 65));
    });
}

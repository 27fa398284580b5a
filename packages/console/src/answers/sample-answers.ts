import type { DeclaredWorkspaceResponse } from "@sightline/client";
import { sampleModel } from "../data/names.ts";

const dayMs = 86_400_000;
const weeks = 12;
/** Prompts that get answers; more add nothing to a first look. */
const promptsMax = 20;
const providers = ["OPENAI", "GEMINI", "PERPLEXITY"] as const;

/**
 * Invented answers to the account's own prompts, to see the pages with numbers in them: twelve
 * weeks up to yesterday, one import that can be undone. The same day gives the same answers.
 */
export function sampleAnswers(file: DeclaredWorkspaceResponse, nowMs: number): Blob {
  const { brand, competitors, prompts } = file;
  const random = randomFrom(20_260_101);
  const names = [brand.name, ...competitors.slice(0, 6).map(({ name }) => name)];
  // The brand becomes a little more frequent, so that there is a course to see.
  const weights = names.map((_, index) => 0.25 + 0.5 * random() * (index === 0 ? 0.6 : 1));
  const yesterdayMs = Math.floor(nowMs / dayMs) * dayMs - dayMs;
  const lines: string[] = [];
  for (let week = weeks - 1; week >= 0; week--) {
    for (const { id } of prompts.slice(0, promptsMax)) {
      for (const provider of providers) {
        const named = names.filter((_, index) => {
          const growth = index === 0 ? (weeks - week) * 0.015 : 0;
          return random() < (weights[index] ?? 0) + growth;
        });
        named.sort(() => random() - 0.5);
        const hour = Math.floor(random() * 24) * 3_600_000;
        lines.push(
          JSON.stringify({
            promptId: id,
            provider,
            model: sampleModel,
            answeredAt: new Date(yesterdayMs - week * 7 * dayMs + hour).toISOString(),
            text: textOf(named),
            citations: citationsOf(file, named, random),
          }),
        );
      }
    }
  }
  return new Blob([`${lines.join("\n")}\n`], { type: "application/x-ndjson" });
}

function textOf(named: readonly string[]): string {
  if (named.length === 0) return "It depends on what you need, and on your budget.";
  const list = named.map((name, index) => `${index + 1}. **${name}**`).join("\n");
  return `These are worth a look:\n\n${list}\n\nThis is a sample answer.`;
}

function citationsOf(
  { brand, competitors }: DeclaredWorkspaceResponse,
  named: readonly string[],
  random: () => number,
) {
  const owned = [brand, ...competitors]
    .filter(({ name }) => named.includes(name))
    .flatMap(({ domains }) => domains.slice(0, 1));
  const cited = owned.filter(() => random() < 0.4).map((domain) => `https://${domain}/`);
  const others = ["https://reviews.example/best", "https://magazine.example/tests"];
  return [...cited, ...others.filter(() => random() < 0.5)].map((url) => ({ url }));
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

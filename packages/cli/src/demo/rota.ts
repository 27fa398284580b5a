import { daysTotal, isWeekend, outage } from "./calendar.ts";
import { type Region, regions } from "./market.ts";
import { type DemoPrompt, prompts } from "./prompts.ts";
import { type Provider, providers } from "./providers.ts";

/** One asking of one prompt. */
export interface Asking {
  readonly day: number;
  readonly provider: Provider;
  readonly region: Region | undefined;
  readonly prompt: DemoPrompt;
  /** Which asking of its provider and place on this day it is, from 0. */
  readonly turn: number;
}

// How many prompts a provider is asked in a place on a working day and on a day of the weekend.
const asksPerDay = {
  US: { working: 3, weekend: 2 },
  GB: { working: 2, weekend: 2 },
  DE: { working: 3, weekend: 2 },
  FR: { working: 2, weekend: 2 },
  none: { working: 1, weekend: 1 },
} as const;

const places = [...regions, undefined] as const;

// Without a common divisor with 60, and above a topic's eight prompts: neighbours on the rota are
// prompts of different topics, and a round meets each prompt once.
const promptStride = 13;

// The same for the places' starting points, so that one day's askings spread over all topics.
const startStride = 7;

/**
 * The askings of every day, in order: each place of each provider goes round all prompts by
 * itself. An outage's askings are missing, not put off: the rota moves on as if they had been made.
 */
export function* askingsByDay(): Generator<readonly Asking[]> {
  const asked = new Map<string, number>();
  for (let day = 0; day < daysTotal; day += 1) yield askingsOf(day, asked);
}

function askingsOf(day: number, asked: Map<string, number>): readonly Asking[] {
  const askings: Asking[] = [];
  const kind = isWeekend(day) ? "weekend" : "working";
  for (const [row, provider] of providers.entries()) {
    for (const [column, region] of places.entries()) {
      const place = `${provider.name} ${region}`;
      const start = (row * places.length + column) * startStride;
      const count = asksPerDay[region ?? "none"][kind];
      const before = asked.get(place) ?? 0;
      asked.set(place, before + count);
      if (isOut(provider, day)) continue;
      for (let turn = 0; turn < count; turn += 1) {
        askings.push({ day, provider, region, prompt: promptAt(start + before + turn), turn });
      }
    }
  }
  return askings;
}

function isOut(provider: Provider, day: number): boolean {
  return provider.name === outage.provider && day >= outage.from && day < outage.to;
}

function promptAt(place: number): DemoPrompt {
  const prompt = prompts[(place * promptStride) % prompts.length];
  if (prompt === undefined) throw new RangeError("there are no prompts");
  return prompt;
}

// When a place's askings begin, in seconds after midnight UTC: morning there, night for no region.
const startOf = { US: 46_800, GB: 25_200, DE: 19_800, FR: 21_600, none: 7_200 } as const;

/** The second of the day at which an asking is answered, given a jitter of 0 to 1. */
export function secondOf(asking: Asking, jitter: number): number {
  const queue = providers.indexOf(asking.provider) * 240;
  return startOf[asking.region ?? "none"] + queue + asking.turn * 9_000 + Math.floor(jitter * 900);
}

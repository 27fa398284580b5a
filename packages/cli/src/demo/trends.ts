import { daysTotal, launchDay, launchTopic } from "./calendar.ts";
import { brand, type Company, type Region, type Topic } from "./market.ts";
import type { DemoPrompt } from "./prompts.ts";
import type { Provider } from "./providers.ts";

/** When, where and to what an answer was given: all that the probabilities depend on. */
export interface Occasion {
  readonly day: number;
  readonly provider: Provider;
  readonly region: Region | undefined;
  readonly prompt: DemoPrompt;
}

/** How a company stands over the year. Shares are chances of a mention in one answer, 0 to 1. */
interface Standing {
  /** The share on the first day and on the last; straight between. */
  readonly share: readonly [first: number, last: number];
  /** Factors by region and by topic; 1 where nothing is said. */
  readonly regions?: Partial<Record<Region, number>>;
  readonly topics?: Partial<Record<Topic, number>>;
  /** How far the share swings around its mean, and the day of the year on which it is highest. */
  readonly season?: { readonly swing: number; readonly peakDay: number };
}

const midJanuary = 75;
const midJuly = 256;

const standings: Readonly<Record<string, Standing>> = {
  Tarnfell: {
    share: [0.19, 0.34],
    topics: { Tents: 1.15, Headlamps: 0.7, "Camp cooking": 0.85 },
    season: { swing: 0.12, peakDay: midJuly },
  },
  "Stonewhit & Pike": { share: [0.58, 0.3], topics: { "Repair and care": 0.7 } },
  Ridgeloom: {
    share: [0.34, 0.36],
    topics: { Backpacks: 1.5, "Sleeping bags": 1.2, "Hiking boots": 0.5 },
  },
  Höhenbrandt: {
    share: [0.2, 0.22],
    regions: { DE: 3, US: 0.6 },
    topics: { "Hiking boots": 1.3 },
  },
  Éclivaux: {
    share: [0.17, 0.18],
    regions: { FR: 2.6, US: 0.5 },
    topics: { "Sleeping bags": 1.3 },
  },
  Quillmarsh: {
    share: [0.18, 0.2],
    regions: { GB: 1.9 },
    topics: { "Rain jackets": 2, "Camp cooking": 0.4 },
    season: { swing: 0.55, peakDay: midJanuary },
  },
  // Small on purpose: outside two topics, and in all of France, its rates are a measured 0.
  Osierline: {
    share: [0.07, 0.09],
    regions: { FR: 0 },
    topics: {
      Tents: 0,
      "Sleeping bags": 0,
      Backpacks: 0,
      "Rain jackets": 0,
      "Hiking boots": 0,
      Headlamps: 0,
    },
  },
};

/** 1 on the peak day, -1 half a year away, straight between: a cosine without its rounding. */
function seasonOf(day: number, peakDay: number): number {
  const distance = Math.abs(day - peakDay);
  return 1 - (4 * Math.min(distance, daysTotal - distance)) / daysTotal;
}

function along([first, last]: readonly [number, number], day: number): number {
  return first + ((last - first) * day) / (daysTotal - 1);
}

/** True where the launch can be seen: for the brand, in the launch's topic, from its day on. */
export function isLaunched(company: Company, { day, prompt }: Occasion): boolean {
  return company === brand && prompt.topic === launchTopic && day >= launchDay;
}

/** What the launch adds to the brand's share: a jump that settles at half within ninety days. */
function launchGain(company: Company, occasion: Occasion): number {
  if (!isLaunched(company, occasion)) return 0;
  return 0.36 * Math.max(0.5, 1 - (occasion.day - launchDay) / 180);
}

/** A company's share before the provider's habits: 0 to 0.97, the same for every provider. */
export function shareOf(company: Company, occasion: Occasion): number {
  const { day, region, prompt } = occasion;
  const standing = standings[company.name];
  if (standing === undefined) throw new RangeError(`${company.name} has no standing`);
  const { regions = {}, topics = {}, season } = standing;
  const inRegion = region === undefined ? 1 : (regions[region] ?? 1);
  const inSeason = season === undefined ? 1 : 1 + season.swing * seasonOf(day, season.peakDay);
  const share = along(standing.share, day) * inRegion * (topics[prompt.topic] ?? 1) * inSeason;
  return Math.min(0.97, share + launchGain(company, occasion));
}

/** The chance that an answer mentions a company. A prompt that names it nearly always gets it. */
export function mentionChance(company: Company, occasion: Occasion): number {
  if (occasion.prompt.names.includes(company)) return 0.97;
  return Math.min(0.97, shareOf(company, occasion) * occasion.provider.mentions);
}

/** The chance that an answer cites a page of a company's own. */
export function ownPageChance(company: Company, occasion: Occasion, mentioned: boolean): number {
  const { provider } = occasion;
  const chance = mentioned
    ? provider.citesMentioned
    : shareOf(company, occasion) * provider.citesUnmentioned;
  return Math.min(0.95, chance * (isLaunched(company, occasion) ? 1.6 : 1));
}

/** How early a company is named among those that are: higher comes first, before any chance. */
export function prominenceOf(company: Company, occasion: Occasion): number {
  return shareOf(company, occasion) + (occasion.prompt.names.includes(company) ? 1 : 0);
}

/** The chance that a surface showed no AI answer at all; it falls as Google rolls them out. */
export function absentChance({ provider, day }: Occasion): number {
  if (provider.name === "GOOGLE_AI_OVERVIEW") return along([0.32, 0.14], day);
  return provider.name === "GOOGLE_AI_MODE" ? 0.015 : 0;
}

/** The chance that asking failed: a time-out or a refusal. */
export const failedChance = 0.006;

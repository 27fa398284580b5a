import type { EvidenceRole, Interval, MetricName, PortrayalFlag, Surface } from "@sightline/client";
import { providerNames } from "@sightline/contract/providers";

/** A provider's name; of one that a newer service knows, its code. */
export function providerName(provider: string): string {
  return (providerNames as Readonly<Record<string, string>>)[provider] ?? provider;
}

/** What the surfaces are called. */
export const surfaceNames: Readonly<Record<Surface, string>> = { api: "API", web: "Web page" };

/** A surface's name; of one that a newer service knows, its code. */
export function surfaceName(surface: string): string {
  return (surfaceNames as Readonly<Record<string, string>>)[surface] ?? surface;
}

/** Orders what is of providers by the names that are shown. */
export function byProviderName(one: OfProvider, other: OfProvider): number {
  return providerName(one.provider) < providerName(other.provider) ? -1 : 1;
}

interface OfProvider {
  readonly provider: string;
}

/** What the page says of a metric. */
export interface MetricText {
  readonly title: string;
  /** What counts, in one sentence. */
  readonly definition: string;
  /** The field of a summary. */
  readonly field: "mentions" | "visibility" | "citations" | "rank";
  /** The answers of the numerator. */
  readonly role: EvidenceRole;
  /** After "was": what the entity was in an answer. */
  readonly was: string;
}

/** The four metrics, in the order of the tiles. */
export const metricTexts: Readonly<Record<MetricName, MetricText>> = {
  mentions: {
    title: "Mentions",
    definition: "Answers that name it, of all answers.",
    field: "mentions",
    role: "mentioned",
    was: "mentioned",
  },
  "overall-visibility": {
    title: "Visibility",
    definition: "Answers that name it or cite one of its pages, of all answers.",
    field: "visibility",
    role: "visible",
    was: "visible",
  },
  citations: {
    title: "Citations",
    definition: "Answers that cite one of its pages, of all answers.",
    field: "citations",
    role: "cited",
    was: "cited",
  },
  rank: {
    title: "Rank",
    definition: "Its mean place in the order of first mention, where it is named; 1 is first.",
    field: "rank",
    role: "mentioned",
    was: "mentioned",
  },
};

/** The names of the metrics, in the order of the tiles. */
export const metricOrder = Object.keys(metricTexts) as readonly MetricName[];

/** What a chart may draw: a metric, or how often answers say something. */
export type DrawnMetric = MetricName | PortrayalFlag;

/** What is drawn, and the answers of its numerator. */
export function drawnText(metric: DrawnMetric): Pick<MetricText, "title" | "role"> {
  const flag = flagOf(metric);
  return flag === null
    ? metricTexts[metric as MetricName]
    : { title: flagTitles[flag], role: flag };
}

/** What an answer may say of an entity that it mentions. */
export const flagTitles: Readonly<Record<PortrayalFlag, string>> = {
  recommended: "Recommended",
  praised: "Praised",
  criticized: "Criticized",
  discouraged: "Advised against",
  notFound: "Not found",
};

/** The names of these, in their order. */
export const flagOrder = Object.keys(flagTitles) as readonly PortrayalFlag[];

/** A name that is that of a flag; null: it is not. */
export function flagOf(name: string | undefined): PortrayalFlag | null {
  return flagOrder.find((flag) => flag === name) ?? null;
}

/** The lengths of a bucket. */
export const intervalTexts: Readonly<Record<Interval, string>> = {
  daily: "Days",
  weekly: "Weeks",
  monthly: "Months",
};

/** A region's English name by its code. */
export function regionName(code: string): string {
  try {
    return regionNames.of(code) ?? code;
  } catch {
    return code; // no code that Intl takes
  }
}

const regionNames = new Intl.DisplayNames("en", { type: "region" });

/** The model of every sample answer: they are told from real ones by it. */
export const sampleModel = "sightline-sample";
/** The source of their import, by which the service counts them apart. */
export const sampleSource = "sample answers";

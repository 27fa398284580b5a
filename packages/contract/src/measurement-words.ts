import type { MeasurementFacts } from "./insights-facts.ts";

/** A numbered count as people read it. */
const grouped = (count: number) => count.toLocaleString("en-GB");

const counted = (count: number, one: string) => `${grouped(count)} ${one}${count === 1 ? "" : "s"}`;

const percent = (share: number) => `${(share * 100).toFixed(1)}%`;

/**
 * Facts of a measurement in sentences of plain words, each of which stands alone. Names of models
 * are as recorded, which is any text: make the sentences safe before you show them.
 */
export function measurementSentences(
  facts: MeasurementFacts,
  nameOf: (provider: string) => string = String,
): readonly string[] {
  return [
    sampleSentence(facts),
    cadenceSentence(facts),
    originsSentence(facts, nameOf),
    modelsSentence(facts),
    retestSentence(facts),
    exclusionsSentence(facts),
    versionsSentence(facts),
  ].filter((sentence) => sentence !== "");
}

function sampleSentence({ answers, prompts, answersPerPrompt }: MeasurementFacts): string {
  if (answersPerPrompt === null) return "No answers.";
  const { least, median, most } = answersPerPrompt;
  const each = least === most ? grouped(least) : `${grouped(least)} to ${grouped(most)}`;
  const middle = least === most ? "" : ` (median ${grouped(median)})`;
  const sample = `${counted(answers, "answer")} to ${counted(prompts, "prompt")}`;
  return `${sample}, ${each} a prompt${middle}.`;
}

function cadenceSentence({ answers, cadence }: MeasurementFacts): string {
  if (answers === 0) return "";
  const { days, daysWithAnswers, medianDaysBetween } = cadence;
  const between =
    medianDaysBetween === null
      ? ""
      : `; a prompt's next answer by the same provider in the same region came after ${counted(
          medianDaysBetween,
          "day",
        )} (median)`;
  return `There are answers on ${grouped(daysWithAnswers)} of ${counted(days, "day")}${between}.`;
}

function originsSentence(
  { answers, providers, regions, surfaces }: MeasurementFacts,
  nameOf: (provider: string) => string,
): string {
  if (answers === 0) return "";
  const list = (parts: readonly (readonly [string, number])[]) =>
    parts.map(([name, own]) => `${name} ${grouped(own)}`).join(", ");
  const byProvider = list(providers.map((each) => [nameOf(each.provider), each.answers]));
  const byRegion = list(regions.map((each) => [each.region ?? "not recorded", each.answers]));
  const bySurface = list(surfaces.map((each) => [surfaceWords(each.surface), each.answers]));
  return `Providers: ${byProvider}. Regions: ${byRegion}. Collected from: ${bySurface}.`;
}

function surfaceWords(surface: "api" | "web" | null): string {
  if (surface === null) return "not recorded";
  return surface === "api" ? "API" : "web page";
}

function modelsSentence({ answers, models }: MeasurementFacts): string {
  if (answers === 0) return "";
  const { distinct, unknown, named } = models;
  const left = distinct - named.length;
  const parts = [
    ...named.map(({ model, answers: own }) => `${model} ${grouped(own)}`),
    ...(left > 0 ? [`${grouped(left)} more`] : []),
    ...(unknown > 0 ? [`not recorded ${grouped(unknown)}`] : []),
  ];
  return `Models: ${parts.join(", ")}.`;
}

function retestSentence({ answers, retest }: MeasurementFacts): string {
  if (answers === 0) return "";
  const { pairs, brandDiffers, entitiesDiffer } = retest;
  if (brandDiffers === null) {
    return `Repeatability is not known: ${counted(pairs, "pair")} of consecutive answers.`;
  }
  const entities =
    entitiesDiffer === null
      ? ""
      : ` The entities that they mention differ by ${percent(entitiesDiffer)} on average.`;
  return (
    `Repeatability: of ${counted(pairs, "pair")} of consecutive answers to the same prompt, ` +
    `${percent(brandDiffers)} differ in whether they mention the brand.${entities}`
  );
}

function exclusionsSentence({ unanswered }: MeasurementFacts): string {
  const { asked } = unanswered;
  const kinds = ["failed", "refused", "absent"] as const;
  if (asked === 0) return "";
  if (unanswered.failed.share === null) {
    return "Excluded: not known, since nothing but answers was ever recorded.";
  }
  const parts = kinds.map((kind) => {
    const { answers, share } = unanswered[kind];
    return `${grouped(answers)} ${kind} (${percent(share ?? 0)})`;
  });
  return `Excluded of ${grouped(asked)} asked: ${parts.join(", ")}.`;
}

function versionsSentence({ versions, pricesDate }: MeasurementFacts): string {
  if (versions === null) return "";
  const { extraction, suffixList, unicode } = versions;
  return (
    `Read by extraction ${extraction}, the public suffix list of ${suffixList} and Unicode ` +
    `${unicode}; prices of ${pricesDate}.`
  );
}

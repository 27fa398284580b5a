import type { ClaimsRequest, ClaimsResponse, StartedReading } from "@sightline/client";
import type { ViewFilters } from "../../data/filters.ts";
import { countOf, countText, dateText, dollarsText } from "../../data/format.ts";

type ModelReader = NonNullable<ClaimsResponse["reader"]>;
type Aspect = ClaimsResponse["entities"][number]["aspects"][number];
type Kind = Aspect["kinds"][number]["kind"];

/** What claims are filtered by. */
export type ClaimsFilters = ClaimsRequest["filters"];

/** Of the filters of a view those that readings know. */
export function claimsFilters(filters: ViewFilters): ClaimsFilters {
  const { timeRange, providers, topics, promptIds, regions, branded } = filters;
  const instant = (at: number | string | Date) => new Date(at).toISOString();
  return {
    timeRange: { from: instant(timeRange.from), to: instant(timeRange.to) },
    ...(providers === undefined ? {} : { providers: [...providers] }),
    ...(topics === undefined ? {} : { topics: topics.map(({ id }) => ({ id })) }),
    ...(promptIds === undefined ? {} : { promptIds: [...promptIds] }),
    ...(regions === undefined ? {} : { regions: regions.map(({ code }) => ({ code })) }),
    ...(branded === undefined ? {} : { branded }),
  };
}

/** Whether a view has filters that claims do not have. */
export function hasOtherFilters({ models, surfaces, tags, exclude }: ViewFilters): boolean {
  return [models, surfaces, tags, exclude].some((each) => each !== undefined);
}

/** What answers say of an aspect, by kind. */
export const kindTexts: Readonly<Record<Kind, string>> = {
  recommended: "recommended for it",
  praised: "praised",
  criticized: "criticized",
  discouraged: "advised against",
  notFound: "not found",
  claim: "stated",
};

/** α below which numbers are no basis for conclusions (Krippendorff). */
const alphaMin = 0.667;

/** By which model answers were read, when, at what cost, and how far it agrees with itself. */
export function modelSentences(reader: ModelReader, answers: number | null): readonly string[] {
  const { models, model, promptVersion, firstReadAt, lastReadAt, dollars, findings } = reader;
  const named = models.length === 0 ? model : models.join(", ");
  const when =
    dateText(firstReadAt) === dateText(lastReadAt)
      ? `on ${dateText(lastReadAt)}`
      : `from ${dateText(firstReadAt)} to ${dateText(lastReadAt)}`;
  return [
    `Read by ${named}, with version ${promptVersion} of the question, ${when}, for ` +
      `${sumText(dollars)}.`,
    ...(answers === null ? [] : [unreadText(reader.answers, answers)]),
    `${countOf(findings, "finding")} with a quote that stands in its answer. ` +
      droppedText(reader),
    agreementText(reader),
  ];
}

/** How many answers of the period were read. */
function unreadText(read: number, answers: number): string {
  const unread = Math.max(0, answers - read);
  const rest =
    unread === 0
      ? ""
      : ` ${countText(unread)} unread: they name nobody, have no text, or came after the reading.`;
  return `${countText(read)} of the ${countOf(answers, "answer")} of the period were read.${rest}`;
}

function droppedText({ dropped }: ModelReader): string {
  const all = dropped.reduce((sum, { findings }) => sum + findings, 0);
  if (all === 0) return "None was dropped.";
  const reasons = dropped.map(({ reason, findings }) => {
    return `${reason.replaceAll("_", " ")} ${countText(findings)}`;
  });
  return `${countText(all)} were dropped: ${reasons.join(", ")}.`;
}

function agreementText({ agreement: { answers, alpha } }: ModelReader): string {
  if (alpha === null) return "How far the model agrees with itself is not known yet.";
  const doubt = alpha < alphaMin ? " That is too little to conclude anything from the shares." : "";
  return (
    `Krippendorff's α of ${countOf(answers, "answer")} that were read twice: ` +
    `${alpha.toFixed(2)}.${doubt}`
  );
}

/** The least sum that is written as it is. */
const centDollars = 0.01;

/** A sum within a sentence. */
function sumText(dollars: number): string {
  if (dollars === 0) return "nothing";
  return dollars < centDollars ? `less than ${dollarsText(centDollars)}` : dollarsText(dollars);
}

/** What a reading would ask and cost. */
export function readingSentences(reading: StartedReading): readonly string[] {
  const { requests, inputTokens, outputTokens, model, alreadyRead, nothingToRead } = reading;
  return [
    `${countOf(requests, "request")} to ${model}: every twentieth answer is read twice.`,
    `About ${countText(inputTokens)} tokens of input and ${countText(outputTokens)} of output.`,
    `${countText(alreadyRead)} were read before, ${countText(nothingToRead)} have nothing to read.`,
  ];
}

/** The figure of an estimate: how many answers, for how much. */
export function costText({ answers, dollars }: StartedReading): string {
  const cost = dollars === null ? "at a price that is not known" : `for ${sumText(dollars)}`;
  return `${countOf(answers, "answer")}, ${cost}`;
}

import {
  type ClaimsResponse,
  type ListedCollection,
  portrayalFlags,
  type StartedReading,
} from "@sightline/contract";
import { counted } from "./counted.ts";
import { plainTable } from "./plain-table.ts";
import { safeText } from "./safe-text.ts";

/** What a reading is expected to use and cost. */
export function readingText(reading: StartedReading): string {
  const { answers, alreadyRead, nothingToRead, requests, model, dollars } = reading;
  const tokens = reading.inputTokens + reading.outputTokens;
  const cost =
    dollars === null
      ? "The price is not known: set SIGHTLINE_READER_PRICE."
      : `Estimated at $${dollars.toFixed(4)}.`;
  return [
    safeText(`${counted(answers, "answer")} to read by ${model}, ${tokens} tokens. ${cost}`),
    `${counted(requests, "request")}: every twentieth answer is read twice.`,
    `Read before: ${alreadyRead}. Nothing to read: ${nothingToRead}.`,
  ].join("\n");
}

/** How the requests of a reading ended. */
export function endedReadingText({ jobs, done, spentDollars, parts }: ListedCollection): string {
  const failed = parts.flatMap((part) =>
    part.failed.map(({ reason, jobs: count }) => safeText(`${count} failed: ${reason}`)),
  );
  const ended = `${done} of ${counted(jobs, "request")} gave a reading.`;
  return [`${ended} $${spentDollars.toFixed(4)} was spent.`, ...failed].join("\n");
}

/** What a model read: flags by entity, then aspects. */
export function claimsText({ reader, entities }: ClaimsResponse): string {
  if (reader === null) return "No answer of the range was read by a model.";
  const flags = entities.map((entity) => {
    const shares = portrayalFlags.map((flag) => percentOf(entity[flag].value));
    return [entity.name, entity.praised.denominator, ...shares];
  });
  const aspects = entities.flatMap(({ name, aspects: listed }) =>
    listed.map(({ aspect, answers, kinds, facts, pages }) => {
      const said = kinds.map(({ kind, answers: count }) => `${kind} ${count}`).join(", ");
      return [
        name,
        aspect,
        answers,
        said,
        facts === undefined ? null : comparedText(facts),
        pages[0]?.url ?? null,
      ];
    }),
  );
  const quotes = entities.flatMap(({ aspects: listed }) =>
    listed.flatMap(({ aspect, claims = [] }) => claims.map((claim) => quoteText(aspect, claim))),
  );
  const headings = ["entity", "aspect", "answers", "said", "facts", "page cited beside most"];
  const { agreement, answers, findings, dropped, dollars } = reader;
  const lost = dropped.map(({ reason, findings: count }) => `${count} ${reason}`);
  const alpha = agreement.alpha === null ? "not known" : agreement.alpha.toFixed(2);
  return [
    plainTable(["entity", "answers", ...portrayalFlags], flags),
    ...(aspects.length === 0 ? [] : ["", plainTable(headings, aspects)]),
    ...(quotes.length === 0 ? [] : ["", ...quotes]),
    "",
    safeText(
      `Read by ${reader.models.join(", ") || reader.model}, prompt ${reader.promptVersion}: ` +
        `${counted(answers, "answer")}, ${counted(findings, "finding")}, $${dollars.toFixed(4)}.`,
    ),
    `Dropped findings: ${lost.length === 0 ? "none" : lost.join(", ")}.`,
    `Agreement of ${counted(agreement.answers, "answer")} read twice: α ${alpha}.`,
  ].join("\n");
}

type Aspect = ClaimsResponse["entities"][number]["aspects"][number];

/** How answers agree with the facts of the workspace file. */
function comparedText({ agrees, differs, unclear }: NonNullable<Aspect["facts"]>): string {
  return `${agrees} agree, ${differs} differ, ${unclear} unclear`;
}

/** A claim in a line: its words, who said them when, and the fact with which it was compared. */
function quoteText(aspect: string, claim: NonNullable<Aspect["claims"]>[number]): string {
  const { quote, provider, answeredAt, verdict, fact } = claim;
  const compared = verdict === null || fact === null ? "" : `, ${verdict}: ${fact}`;
  const words = safeText(quote.replace(/\s+/g, " "));
  return `${aspect}: "${words}" (${provider}, ${answeredAt.slice(0, 10)}${safeText(compared)})`;
}

function percentOf(value: number | null): string | null {
  return value === null ? null : `${(100 * value).toFixed(0)} %`;
}

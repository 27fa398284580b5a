import type { Answer, AnswerCollection } from "./answer.ts";
import type { AnswerStore } from "./answer-store.ts";

/** Which answers are written: those of a half-open range, in milliseconds since 1970. */
export interface AnswerLinesOptions {
  readonly accountId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Answers per read. */
const pageAnswers = 1_000;

/**
 * Recorded answers as the lines that an import takes, in the order of recording, also those that
 * do not count; those that are recorded meanwhile are left out. Imported again, they are equal;
 * those whose text was removed say so, and no import takes them.
 */
export async function* answerLines(
  store: AnswerStore,
  { accountId, fromMs, toMs }: AnswerLinesOptions,
): AsyncGenerator<string> {
  const { sequence: last } = await store.end(accountId);
  for (let after = 0; after < last; ) {
    const page = await store.read(accountId, { after, limit: pageAnswers });
    for (const { sequence, ...answer } of page) {
      after = sequence;
      if (after > last) return;
      if (answer.answeredAt >= fromMs && answer.answeredAt < toMs) yield lineOf(answer);
    }
    if (page.length === 0) return;
  }
}

/** What an import takes for granted is left out. */
function lineOf(answer: Answer): string {
  const { id, promptId, provider, region, outcome, text, model, surface, sample } = answer;
  const line = {
    id,
    promptId,
    provider,
    ...(region === null ? {} : { region }),
    answeredAt: new Date(answer.answeredAt).toISOString(),
    ...(outcome === "answered" ? {} : { outcome }),
    text,
    citations: answer.citations.map(({ url, title, cited, spans }) => ({
      url,
      ...(title === null ? {} : { title }),
      ...(cited ? {} : { cited }),
      ...(spans === undefined ? {} : { spans }),
    })),
    ...(model === null ? {} : { model }),
    ...(surface === null ? {} : { surface }),
    ...(sample === 0 ? {} : { sample }),
    ...(answer.metadata === null ? {} : { metadata: answer.metadata }),
    ...collectionOf(answer),
    ...(answer.removedText === undefined
      ? {}
      : { textRemoved: true, mentionedEntityIds: answer.removedText.mentioned }),
  };
  return `${JSON.stringify(line)}\n`;
}

function collectionOf({
  searchQueries,
  cost,
  vendor,
  requestedRegion,
}: AnswerCollection): Partial<AnswerCollection> {
  return {
    ...(searchQueries.length === 0 ? {} : { searchQueries }),
    ...(cost === null ? {} : { cost }),
    ...(vendor === null ? {} : { vendor }),
    ...(requestedRegion === null ? {} : { requestedRegion }),
  };
}

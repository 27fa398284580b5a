import { estimated, type Part } from "./estimates.ts";

/** An answer as an account has it, and what it says of one entity. */
export interface SearchingAnswer {
  readonly prompt: string;
  readonly provider: string;
  readonly at: number;
  readonly queries: readonly string[];
  readonly isMentioned: boolean;
  readonly isCited: boolean;
}

/** Folds as people would: one case, one width, single spaces. */
const folded = (query: string): string =>
  query
    .normalize("NFKC")
    .toLowerCase()
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");

const wordsOf = (text: string): readonly string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** What POST /v1/insights/queries has to reply of some answers of providers that tell. */
export function expectedQueries(
  answers: readonly SearchingAnswer[],
  { entityId, providers }: { readonly entityId: string; readonly providers: readonly string[] },
): object {
  const all = [...new Set(answers.flatMap(({ queries }) => queries.map(folded)))];
  const queries = all.map((query) => {
    const own = answers.filter((answer) => answer.queries.map(folded).includes(query));
    const prompts = [...new Set(own.map(({ prompt }) => prompt))];
    const parts = (counts: (answer: SearchingAnswer) => boolean): readonly Part[] =>
      prompts.map((prompt) => {
        const some = own.filter((answer) => answer.prompt === prompt);
        return { a: some.filter(counts).length, b: some.length };
      });
    const instants = own.map(({ at }) => at).sort((a, b) => a - b);
    const isInAll = (word: string) => prompts.every((prompt) => wordsOf(prompt).includes(word));
    const isInAny = (word: string) => prompts.some((prompt) => wordsOf(prompt).includes(word));
    return {
      query,
      answers: own.length,
      prompts: prompts.length,
      providers: providers.filter((each) => own.some(({ provider }) => provider === each)),
      added: [...new Set(wordsOf(query))].filter((word) => !isInAny(word)).sort(),
      dropped: [...new Set(prompts.flatMap(wordsOf))]
        .filter((word) => isInAll(word) && !wordsOf(query).includes(word))
        .sort(),
      firstSeenAt: new Date(instants[0] ?? 0).toISOString(),
      lastSeenAt: new Date(instants.at(-1) ?? 0).toISOString(),
      entities: [
        {
          id: entityId,
          mentions: estimated(
            parts(({ isMentioned }) => isMentioned),
            "rate",
          ),
          citations: estimated(
            parts(({ isCited }) => isCited),
            "rate",
          ),
        },
      ],
    };
  });
  return {
    searched: providers
      .map((provider) => {
        const own = answers.filter((answer) => answer.provider === provider);
        const searched = own.filter(({ queries }) => queries.some((each) => folded(each) !== ""));
        return { provider, answers: own.length, searched: searched.length, tells: true };
      })
      .filter((each) => each.answers > 0),
    queries: queries
      .filter(({ query }) => query !== "")
      .sort((a, b) => b.answers - a.answers || (a.query < b.query ? -1 : 1)),
    total: queries.filter(({ query }) => query !== "").length,
    nextCursor: null,
    empty: null,
  };
}

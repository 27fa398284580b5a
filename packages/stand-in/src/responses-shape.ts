import { z } from "zod";
import { type StandInAnswer, type StandInPage, textOf } from "./answers.ts";

/** The request of OpenAI's Responses API, which Perplexity and xAI speak too. */
export const responsesRequest = z.looseObject({
  model: z.string().min(1).nullish(),
  preset: z.string().min(1).nullish(),
  input: z.union([
    z.string().min(1),
    z
      .array(
        z.looseObject({
          role: z.string(),
          content: z.union([z.string(), z.array(z.looseObject({ text: z.string() }))]),
        }),
      )
      .min(1),
  ]),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        user_location: z.looseObject({ country: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  include: z.array(z.string()).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});
/** A request of the Responses API. */
export type ResponsesRequest = z.infer<typeof responsesRequest>;

/** What a request asks, of whom, and where. */
export function askedOf({ input, tools }: ResponsesRequest) {
  const last = typeof input === "string" ? input : (input.at(-1)?.content ?? "");
  const location = tools?.find((tool) => tool.user_location != null)?.user_location;
  return {
    prompt: typeof last === "string" ? last : last.map(({ text }) => text).join("\n"),
    region: location?.country ?? null,
    searches: tools?.some(({ type }) => type.startsWith("web_search")) ?? false,
  };
}

/** A citation of a text: half-open, in characters of the text. */
export interface ResponsesAnnotation {
  readonly type: "url_citation";
  readonly url: string;
  readonly title: string;
  readonly start_index: number;
  readonly end_index: number;
}

/** A text with marks of what it cites, and where the marks are. */
export function annotated(
  { sentences }: StandInAnswer,
  mark: (page: StandInPage, number: number) => { readonly text: string; readonly url: string },
): { readonly text: string; readonly annotations: readonly ResponsesAnnotation[] } {
  const annotations: ResponsesAnnotation[] = [];
  let text = "";
  for (const [index, sentence] of sentences.entries()) {
    text += index === 0 ? sentence.text : `\n${sentence.text}`;
    for (const page of sentence.pages) {
      const { text: marked, url } = mark(page, annotations.length + 1);
      const start = text.length + 1;
      text += ` ${marked}`;
      const span = { start_index: start, end_index: text.length };
      annotations.push({ type: "url_citation", url, title: page.title, ...span });
    }
  }
  return { text, annotations };
}

/** What is left of an answer that its limit cut off. */
export function firstHalf(answer: StandInAnswer): StandInAnswer {
  const sentences = answer.sentences.slice(0, Math.ceil(answer.sentences.length / 2));
  return { ...answer, sentences };
}

/** What a model says that does not answer. */
export const refusalText = "I’m sorry, but I can’t help with that request.";

/** The length of a text in tokens, roughly. */
export function tokensOf(answer: StandInAnswer): number {
  return Math.ceil(textOf(answer.sentences).length / 4);
}

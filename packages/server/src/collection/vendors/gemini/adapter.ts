import type { Adapter, Exchange, Step } from "../../adapter.ts";
import { asksOf } from "../asks-of.ts";
import { type ReplyReader, readReply } from "../collected-answer.ts";
import { geminiErrors } from "./errors.ts";
import { geminiAnswer, readGeminiReply, usageOf } from "./parse.ts";
import { nextRedirect, pageOfRedirect } from "./redirects.ts";
import {
  geminiAuthorized,
  geminiHost,
  geminiRefusal,
  geminiRequest,
  redirectHost,
  redirectRequest,
} from "./request.ts";

/** Google's `generateContent` with Google Search, and the look-up of its links. */
export const gemini: Adapter = {
  vendor: "gemini",
  hosts: [geminiHost, redirectHost],
  asks: asksOf("gemini"),
  regionOf: ({ region }) => region,
  refusal: geminiRefusal,
  step: (question, exchanges) => {
    const reply = exchanges.findLast(({ request }) => request.host !== redirectHost);
    if (reply === undefined) return { kind: "send", request: geminiRequest(question) };
    return readReply(reply, readerAfter(exchanges));
  },
  authorize: geminiAuthorized,
};

/** Links are looked up one after the other, since each costs nothing and takes a moment. */
function readerAfter(exchanges: readonly Exchange[]): ReplyReader {
  return {
    rules: geminiErrors,
    usageOf,
    stepOf: (body): Step => {
      const read = readGeminiReply(body);
      if ("ended" in read) return read.ended;
      const urls = [...read.cited, ...read.retrieved].map(({ url }) => url);
      const path = nextRedirect(urls, exchanges);
      if (path !== null) return { kind: "send", request: redirectRequest(path) };
      const pages = new Map(urls.map((url) => [url, pageOfRedirect(url, exchanges)]));
      return geminiAnswer(read, (url) => pages.get(url) ?? url, usageOf(body));
    },
  };
}

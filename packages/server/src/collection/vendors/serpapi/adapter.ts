import type { Adapter, AskedQuestion, Exchange, Step, Usage } from "../../adapter.ts";
import { asksOf } from "../asks-of.ts";
import { capturedAnswer } from "../capture.ts";
import { failed } from "../collected-answer.ts";
import { type JsonObject, parsedObject } from "../read-json.ts";
import { giveUp, notUnderstood, replyFailure, toldFailure } from "../reply-failure.ts";
import { overviewLater, serpapiErrors } from "./errors.ts";
import { readAiMode, readCopilot, readOverview, searchFault, usageOf } from "./parse.ts";
import {
  isLaterRequest,
  serpapiAuthorized,
  serpapiHost,
  serpapiLaterRequest,
  serpapiRefusal,
  serpapiRegion,
  serpapiRequest,
} from "./request.ts";

/** SerpApi: the pages of Google Search, of its AI Mode and of Copilot. */
export const serpapi: Adapter = {
  vendor: "serpapi",
  hosts: [serpapiHost],
  asks: asksOf("serpapi"),
  regionOf: serpapiRegion,
  refusal: serpapiRefusal,
  step: (question, exchanges) => {
    const last = exchanges.at(-1);
    if (last === undefined) return { kind: "send", request: serpapiRequest(question) };
    const usage = usageOf(exchanges);
    const failure = replyFailure(last, serpapiErrors);
    if (failure !== null) return failed(failure, usage);
    try {
      return stepOf(question, last, usage);
    } catch (error) {
      return failed(notUnderstood(error), usage);
    }
  },
  authorize: serpapiAuthorized,
};

function stepOf({ provider }: AskedQuestion, last: Exchange, usage: Usage): Step {
  const body = parsedObject(last.reply.body);
  const fault = searchFault(body);
  if (fault !== null) return failed(toldFailure("retry", fault), usage);
  if (provider === "GOOGLE_AI_MODE") return capturedAnswer(readAiMode(body), usage);
  if (provider === "COPILOT") return capturedAnswer(readCopilot(body), usage);
  return overviewStep(body, { isLater: isLaterRequest(last.request), usage });
}

interface OfOverview {
  /** Whether the reply is that of the second request. */
  readonly isLater: boolean;
  readonly usage: Usage;
}

function overviewStep(body: JsonObject, { isLater, usage }: OfOverview): Step {
  const overview = readOverview(body, isLater);
  switch (overview.kind) {
    case "shown":
      return capturedAnswer(overview.capture, usage);
    case "absent":
      return capturedAnswer(null, usage);
    case "later":
      return { kind: "send", request: serpapiLaterRequest(overview.token) };
    case "error": {
      const { message } = overview;
      const failure = overviewLater.test(message) ? toldFailure("retry", message) : giveUp(message);
      return failed(failure, usage);
    }
  }
}

import type { Adapter, AskedQuestion, Exchange, Step, Usage } from "../../adapter.ts";
import { asksOf } from "../asks-of.ts";
import { capturedAnswer } from "../capture.ts";
import { failed } from "../collected-answer.ts";
import { regionUnlessSaid } from "../google-regions.ts";
import { type JsonObject, parsedObject } from "../read-json.ts";
import { notUnderstood, replyFailure, toldFailure } from "../reply-failure.ts";
import {
  classOfCode,
  dataforseoErrors,
  doneCode,
  noResultsCode,
  queuedCode,
  runningCode,
  takenCode,
} from "./errors.ts";
import { captureOf, codeOf, messageOf, taskIdOf, taskOf, usageOf } from "./parse.ts";
import {
  dataforseoAuthorized,
  dataforseoHost,
  dataforseoLook,
  dataforseoRefusal,
  dataforseoRequest,
} from "./request.ts";

/** Queued pages take some five minutes, and 45 at most. */
const lookAgainMs = 15_000;

/** DataForSEO: the pages of Google Search and of its AI Mode. */
export const dataforseo: Adapter = {
  vendor: "dataforseo",
  hosts: [dataforseoHost],
  asks: asksOf("dataforseo"),
  regionOf: ({ region }) => region ?? regionUnlessSaid,
  refusal: dataforseoRefusal,
  step: (question, exchanges) => {
    const last = exchanges.at(-1);
    if (last === undefined) return { kind: "send", request: dataforseoRequest(question) };
    const usage = usageOf(exchanges);
    const failure = replyFailure(last, dataforseoErrors);
    if (failure !== null) return failed(failure, usage);
    try {
      return stepOf(question, last, exchanges);
    } catch (error) {
      return failed(notUnderstood(error), usage);
    }
  },
  authorize: dataforseoAuthorized,
};

function stepOf(question: AskedQuestion, last: Exchange, exchanges: readonly Exchange[]): Step {
  const usage = usageOf(exchanges);
  const body = parsedObject(last.reply.body);
  const code = codeOf(body);
  if (code !== doneCode) return failed(failureOf(code, body), usage);
  const task = taskOf(body);
  const taskCode = codeOf(task);
  switch (taskCode) {
    case doneCode:
      return pageStep(captureOf(task, question.provider), usage);
    case noResultsCode:
      return capturedAnswer(null, usage);
    case takenCode:
      return { kind: "send", request: dataforseoLook(question, taskIdOf(task)) };
    case queuedCode:
    case runningCode:
      return { kind: "pending", afterMs: lookAgainMs, isQueued: taskCode === queuedCode };
    default:
      return failed(failureOf(taskCode, task), usage);
  }
}

function pageStep(capture: ReturnType<typeof captureOf>, usage: Usage): Step {
  if (capture !== "later") return capturedAnswer(capture, usage);
  return failed(toldFailure("retry", "the page's overview did not load"), usage);
}

function failureOf(code: number, holder: JsonObject) {
  return toldFailure(classOfCode(code), `${code}: ${messageOf(holder)}`);
}

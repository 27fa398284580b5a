import type { Adapter, Exchange, Step, Usage } from "../../adapter.ts";
import { asksOf } from "../asks-of.ts";
import { bearer } from "../bearer.ts";
import { capturedAnswer } from "../capture.ts";
import { failed } from "../collected-answer.ts";
import { parsedObject } from "../read-json.ts";
import { giveUp, notUnderstood, replyFailure } from "../reply-failure.ts";
import { cloroErrors } from "./errors.ts";
import { captureOf, faultOf, stateOf, taskIdOf, usageOf } from "./parse.ts";
import { cloroHost, cloroLook, cloroRefusal, cloroRequest, regionUnlessSaid } from "./request.ts";

/** A page takes about a minute from the moment that Cloro begins. */
const lookAgainMs = 5_000;

/** Cloro: the consumer pages of assistants, by tasks. */
export const cloro: Adapter = {
  vendor: "cloro",
  hosts: [cloroHost],
  asks: asksOf("cloro"),
  regionOf: ({ region }) => region ?? regionUnlessSaid,
  refusal: cloroRefusal,
  step: (question, exchanges) => {
    const last = exchanges.at(-1);
    if (last === undefined) return { kind: "send", request: cloroRequest(question) };
    const usage = usageOf(exchanges);
    const failure = replyFailure(withPlainSuccess(last), cloroErrors);
    if (failure !== null) return failed(failure, usage);
    try {
      return stepOf(last, usage);
    } catch (error) {
      return failed(notUnderstood(error), usage);
    }
  },
  authorize: bearer,
};

function stepOf({ request, reply }: Exchange, usage: Usage): Step {
  const body = parsedObject(reply.body);
  if (request.isPaid) return { kind: "send", request: cloroLook(taskIdOf(body)) };
  const state = stateOf(body);
  switch (state) {
    case "QUEUED":
    case "PROCESSING":
      return { kind: "pending", afterMs: lookAgainMs, isQueued: state === "QUEUED" };
    case "COMPLETED":
      return capturedAnswer(captureOf(body), usage);
    case "FAILED":
      return failed(giveUp(`the task failed: ${faultOf(body)}`), usage);
  }
}

/** A task that is taken is a success, whether it is told as OK, Created or Accepted. */
function withPlainSuccess(exchange: Exchange): Exchange {
  const { reply } = exchange;
  return [201, 202].includes(reply.status)
    ? { ...exchange, reply: { ...reply, status: 200 } }
    : exchange;
}

import assert from "node:assert/strict";
import { type ErrorCode, errorCodes, type Problem, problemType } from "@sightline/contract";

/** A reply as inject or a socket gives it. */
interface AnyReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Asserts that a reply is the problem with this code, and gives its body. */
export function assertProblem(reply: AnyReply, code: ErrorCode): Problem {
  const { status, title } = errorCodes[code];
  assert.equal(reply.status, status, reply.body);
  assert.equal(reply.headers["content-type"], "application/problem+json");
  const problem = JSON.parse(reply.body) as Problem;
  const { detail, errors, errorCode, errorDescription, errorMessage, ...rest } = problem;
  const requestId = reply.headers["x-request-id"];
  assert.deepEqual(rest, { type: problemType(code), title, status, code, requestId });
  assert.match(String(requestId), /^req_[0-9a-f-]{36}$/);
  assert.match(detail, /^\S[\s\S]*[.?]$/);
  assert.equal(errors === undefined, code !== "invalid_request");
  if (errorCode !== undefined) {
    // The exchange says the same in Descope's names.
    assert.deepEqual([errorCode, errorDescription, errorMessage], [code, title, detail]);
  }
  return problem;
}

/** A problem without what differs from request to request. */
export function sameForAll({ requestId, ...problem }: Problem): Omit<Problem, "requestId"> {
  assert.ok(requestId !== "");
  return problem;
}

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exchange, VendorQuestion } from "../adapter.ts";
import { anthropic } from "./anthropic.ts";
import { noUsage } from "./collected-answer.ts";

const question: VendorQuestion = {
  id: "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0",
  prompt: "Which phone is best?",
  provider: "ANTHROPIC",
  surface: "api",
  region: "DE",
  model: null,
};

const usage = { input_tokens: 100, output_tokens: 10, server_tool_use: { web_search_requests: 1 } };

/** The replies of a vendor, in order; a number is a status without a message. */
function stepAfter(...replies: readonly (object | number)[]) {
  const exchanges = replies.map((reply): Exchange => {
    const request = { method: "POST", host: "api.anthropic.com", path: "", isPaid: true } as const;
    const body = typeof reply === "number" ? "" : JSON.stringify(reply);
    const status = typeof reply === "number" ? reply : 200;
    return { request, reply: { status, headers: {}, body }, at: 0 };
  });
  return anthropic.step(question, exchanges);
}

const message = (stop_reason: string, ...content: readonly object[]) => ({
  type: "message",
  model: "claude-sonnet-5-5",
  stop_reason,
  content,
  usage,
});
const text = (words: string) => ({ type: "text", text: words });
const searched = (content: unknown) => ({ type: "web_search_tool_result", content });
const result = { type: "web_search_result", url: "https://a.example/", title: "A" };
const searchError = (error_code: string) =>
  searched({ type: "web_search_tool_result_error", error_code });

test("a paused turn goes on with all that it said, unchanged", () => {
  const first = message("pause_turn", text("Let me see."), { type: "thinking", signature: "s" });
  const second = message("pause_turn", searched([result]));
  const step = stepAfter(first, second);
  assert.equal(step.kind, "send");
  const begun = stepAfter();
  assert.ok(begun.kind === "send" && typeof begun.request.body === "object");
  assert.deepEqual(step.request, {
    ...begun.request,
    body: {
      ...begun.request.body,
      messages: [
        { role: "user", content: question.prompt },
        { role: "assistant", content: [...first.content, ...second.content] },
      ],
    },
  });
});

test("the answer of a paused turn is all of its text, and what it used is the sum", () => {
  const citing = {
    ...text("Acme"),
    citations: [{ type: "web_search_result_location", url: result.url, title: "A" }],
  };
  const step = stepAfter(
    message("pause_turn", text("Let me see.")),
    429, // what failed in between is left out
    message("end_turn", searched([result]), text("It is "), citing),
  );
  assert.deepEqual(step, {
    kind: "answered",
    answer: {
      outcome: "answered",
      text: "Let me see.\n\nIt is Acme",
      citations: [{ url: result.url, title: "A", cited: true, spans: [{ start: 19, end: 23 }] }],
      searchQueries: [],
      model: "claude-sonnet-5-5",
      usage: { ...noUsage, inputTokens: 200, outputTokens: 20, searches: 2, isReported: true },
      warnings: [],
    },
  });
});

test("a turn that is paused again and again is given up", () => {
  const pause = message("pause_turn", text("…"));
  assert.equal(stepAfter(pause, pause, pause).kind, "send");
  const step = stepAfter(pause, pause, pause, pause);
  assert.ok(step.kind === "failed");
  assert.deepEqual(step.failure, {
    class: "give-up",
    reason: "the turn was paused 4 times",
    afterMs: null,
  });
  assert.equal(step.usage.inputTokens, 400);
});

test("a turn that was answered before is not a part of the next", () => {
  const step = stepAfter(message("end_turn", text("Old.")), message("end_turn", text("New.")));
  assert.ok(step.kind === "answered");
  assert.equal(step.answer.text, "New.");
  assert.equal(step.answer.usage.inputTokens, 100);
});

test("searches that all failed are a failure, which the error's code classes", () => {
  const failures = ["too_many_requests", "unavailable", "query_too_long"].map((code) => {
    const step = stepAfter(message("end_turn", searchError(code), text("From memory.")));
    assert.ok(step.kind === "failed");
    assert.equal(step.usage.inputTokens, 100);
    return [step.failure.class, step.failure.reason];
  });
  assert.deepEqual(failures, [
    ["wait", "every web search failed: too_many_requests"],
    ["retry", "every web search failed: unavailable"],
    ["give-up", "every web search failed: query_too_long"],
  ]);
});

test("a search that failed among others leaves the answer", () => {
  const step = stepAfter(
    message("end_turn", searched([result]), searchError("max_uses_exceeded"), text("Acme.")),
  );
  assert.ok(step.kind === "answered");
  assert.deepEqual(
    step.answer.citations.map(({ url, cited }) => [url, cited]),
    [[result.url, false]],
  );
});

test("a refusal is refused, with or without a text; a truncated reply is a failure", () => {
  for (const content of [[], [text("I cannot help with that.")]]) {
    const step = stepAfter(message("refusal", ...content));
    assert.ok(step.kind === "answered");
    assert.equal(step.answer.outcome, "refused");
    assert.equal(step.answer.text, content[0]?.text ?? "");
  }
  for (const reason of ["max_tokens", "model_context_window_exceeded", "tool_use", "new_reason"]) {
    const step = stepAfter(message(reason, text("Half an ans")));
    assert.ok(step.kind === "failed");
    assert.equal(step.failure.reason, `the answer is incomplete: ${reason}`);
  }
});

test("a reply that is not understood is a failure that names the field", () => {
  const reasons = [
    {},
    { ...message("end_turn"), content: "Acme" },
    message("end_turn", { type: "hologram" }),
    message("end_turn", { ...text("Acme"), citations: [{ type: "char_location" }] }),
    message("end_turn", searched([result]), { ...text("Acme"), sources: [{ url: "a" }] }),
    message("end_turn", searched([result]), { ...text("Acme"), citations: { url: "a" } }),
    message("end_turn", text(" ")),
    message("end_turn"),
  ].map((reply) => {
    const step = stepAfter(reply);
    assert.ok(step.kind === "failed");
    assert.equal(step.failure.class, "give-up");
    return step.failure.reason.replace("not understood: ", "");
  });
  assert.deepEqual(reasons, [
    'the reply lacks "type"',
    '"content" of the reply is not a list of objects',
    '"hologram" is not a known block',
    '"char_location" is not a known citation',
    'no text has "citations", and "sources" is not a known field of it',
    '"citations" of the reply is not a list of objects',
    "the answer has no text",
    "the answer has no text",
  ]);
});

test("sources without a URL are dropped and counted; a text without citations is an answer", () => {
  const citing = { ...text("Acme"), citations: [{ type: "web_search_result_location" }] };
  const step = stepAfter(
    message("end_turn", searched([result, { type: "web_search_result" }, { title: 7 }]), citing),
  );
  assert.ok(step.kind === "answered");
  assert.deepEqual(step.answer.citations, [
    { url: result.url, title: "A", cited: false, spans: [] },
  ]);
  assert.deepEqual(step.answer.warnings, [{ reason: 'a source lacks "url"', count: 3 }]);
  assert.equal(stepAfter(message("end_turn", searched([result]), text("Acme"))).kind, "answered");
  // A model that did not search has no citations under any name.
  const unsearched = stepAfter(message("end_turn", { ...text("Acme"), cited: null }));
  assert.equal(unsearched.kind, "answered");
});

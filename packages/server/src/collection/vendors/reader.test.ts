import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readReader } from "../reader-config.ts";
import { readerAdapter, readerMessage, readerPromptHash, readerRequestBytes } from "./reader.ts";

const { reader } = readReader({ readerUrl: "https://llm.example/v1", readerModel: "reader-1" });
assert.ok(reader !== null);
const adapter = readerAdapter(reader);
const prompt = readerMessage(["Acme", "Globex"], "Acme is fast. Globex is slow.");
const question = {
  id: "q",
  prompt,
  provider: "OPENAI",
  surface: "api",
  region: null,
  model: "reader-1",
} as const;

const findings = '{"findings":[]}';
const chat = (content: unknown, more: object = {}) => ({
  model: "reader-1-2026",
  choices: [{ message: { role: "assistant", content }, finish_reason: "stop", ...more }],
  usage: { prompt_tokens: 900, completion_tokens: 30 },
});

function stepOf(body: unknown, status = 200) {
  const request = { method: "POST", host: "llm.example", path: "/", isPaid: true } as const;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return adapter.step(question, [{ request, reply: { status, headers: {}, body: text }, at: 0 }]);
}

test("an answer is one structured request, of which no text is kept", () => {
  const step = adapter.step(question, []);
  assert.ok(step.kind === "send");
  const { method, host, path, isPaid, body } = step.request;
  assert.deepEqual(
    [method, host, path, isPaid],
    ["POST", "llm.example", "/v1/chat/completions", true],
  );
  const sent = body as Record<string, unknown> & { readonly messages: readonly object[] };
  const { messages, response_format: format, ...parameters } = sent;
  assert.deepEqual(parameters, { model: "reader-1", temperature: 0, max_tokens: 4_000 });
  assert.equal((format as { readonly type: string }).type, "json_schema");
  assert.deepEqual(messages[1], { role: "user", content: prompt });
  assert.ok(Buffer.byteLength(JSON.stringify(messages)) <= readerRequestBytes(prompt));
  assert.deepEqual(adapter.kept?.(body), {
    ...parameters,
    prompt: { version: 1, hash: readerPromptHash },
  });
});

test("findings are an answer; refusals, cut replies and prose fail with their usage", () => {
  const step = stepOf(chat(findings));
  assert.ok(step.kind === "answered");
  const { text, model, usage } = step.answer;
  assert.deepEqual(
    [text, model, usage.inputTokens, usage.isReported],
    [findings, "reader-1-2026", 900, true],
  );
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [chat(null, { message: { content: null, refusal: "No." } }), /refuses/],
    [chat("", { finish_reason: "content_filter" }), /refuses/],
    [chat('{"findings":[', { finish_reason: "length" }), /stopped before its end \(length\)/],
    [chat('{"findings":['), /did not write findings/],
    [chat("Acme is praised."), /did not write findings/],
    [chat('{"results":[]}'), /did not write findings/],
    [{ ...chat(findings), choices: [] }, /"choices" of the reply is empty/],
    [{ output: findings }, /lacks "choices"/],
    ["<html>", /not JSON/],
  ];
  for (const [body, reason] of cases) {
    const failed = stepOf(body);
    assert.ok(failed.kind === "failed");
    assert.match(failed.failure.reason, reason);
    assert.equal(failed.failure.class, "give-up");
  }
});

test("errors stop what all further requests would meet", () => {
  const error = (message: string, code = "") => ({ error: { message, code } });
  const cases: readonly (readonly [number, object, string])[] = [
    [401, error("Incorrect API key provided."), "stop-vendor"],
    [429, error("quota", "insufficient_quota"), "stop-vendor"],
    [429, error("slow down"), "wait"],
    [404, error("The model does not exist.", "model_not_found"), "stop-part"],
    [400, error("response_format json_schema is not supported"), "stop-part"],
    [400, error("Use max_completion_tokens instead of max_tokens"), "stop-part"],
    [400, error("context length exceeded"), "give-up"],
    [503, error("overloaded"), "retry"],
  ];
  for (const [status, body, expected] of cases) {
    const step = stepOf(body, status);
    assert.equal(step.kind === "failed" && step.failure.class, expected, JSON.stringify(body));
  }
});

test("no mutated reply is an answer without findings as JSON, and none throws", () => {
  const whole = JSON.stringify(chat(findings));
  const place = fc.nat(whole.length);
  fc.assert(
    fc.property(place, fc.nat(12), fc.string({ maxLength: 6 }), (at, cut, insert) => {
      const step = stepOf(`${whole.slice(0, at)}${insert}${whole.slice(at + cut)}`);
      if (step.kind !== "answered") return;
      const said: unknown = JSON.parse(step.answer.text);
      assert.ok(Array.isArray((said as { readonly findings?: unknown }).findings));
    }),
  );
});

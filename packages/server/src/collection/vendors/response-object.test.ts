import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, VendorQuestion } from "../adapter.ts";
import { openai } from "./openai.ts";
import { perplexity } from "./perplexity.ts";
import { xai } from "./xai.ts";

function stepOf(adapter: Adapter, body: object) {
  const [asks] = adapter.asks;
  assert.ok(asks !== undefined);
  const id = "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0";
  const question: VendorQuestion = { id, prompt: "?", ...asks, region: null, model: null };
  const request = { method: "POST", host: "", path: "/", isPaid: true } as const;
  const reply = { status: 200, headers: {}, body: JSON.stringify(body) };
  return adapter.step(question, [{ request, reply, at: 0 }]);
}

const said = (text: string, ...annotations: readonly object[]) => ({
  type: "output_text",
  text,
  annotations,
});
const message = (...content: readonly object[]) => ({
  type: "message",
  status: "completed",
  content,
});
const response = (...output: readonly object[]) => ({
  object: "response",
  status: "completed",
  model: "m",
  output,
});
const citation = (url: string, start_index?: unknown, end_index?: unknown) => ({
  type: "url_citation",
  url,
  title: "T",
  start_index,
  end_index,
});

for (const adapter of [openai, perplexity, xai]) {
  test(`${adapter.vendor}: a response that is not completed is a failure`, () => {
    const usage = { input_tokens: 9, output_tokens: 1 };
    const failures = [
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      { status: "failed", error: { code: "server_error", message: "Oops." } },
      { status: "failed", error: { code: "rate_limit_exceeded", message: "Slow down." } },
      { status: "failed", error: { code: "invalid_prompt", message: "No." } },
      { status: "completed", error: { message: "Oops." } },
      { status: "queued" },
    ].map((fields) => {
      const step = stepOf(adapter, { ...response(message(said("Half"))), usage, ...fields });
      assert.ok(step.kind === "failed");
      assert.equal(step.usage.inputTokens, 9);
      return [step.failure.class, step.failure.reason];
    });
    assert.deepEqual(failures, [
      ["give-up", "the answer is incomplete: max_output_tokens"],
      ["retry", "the response is failed: server_error Oops."],
      ["wait", "the response is failed: rate_limit_exceeded Slow down."],
      ["give-up", "the response is failed: invalid_prompt No."],
      ["give-up", "the response is completed: Oops."],
      ["give-up", "the response is queued: "],
    ]);
  });

  test(`${adapter.vendor}: what is not understood is a failure that names it`, () => {
    const reasons = [
      {},
      { ...response(), output: {} },
      response({ type: "hologram" }),
      response(message({ type: "hologram" })),
      response({ ...message(said("Acme")), status: "in_progress" }),
      response(message({ ...said("Acme"), text: 7 })),
      response(message(said(" "))),
      response(),
      { ...response(message(said("Acme"))), model: 7 },
    ].map((body) => {
      const step = stepOf(adapter, body);
      assert.ok(step.kind === "failed");
      return step.failure.reason.replace("not understood: ", "");
    });
    assert.deepEqual(reasons, [
      'the reply lacks "object"',
      '"output" of the reply is not a list of objects',
      '"hologram" is not a known item of the output',
      '"hologram" is not a known content',
      "a message is cut off",
      '"text" of the reply is not a text',
      "the answer has no text",
      "the answer has no text",
      '"model" of the reply is not a text',
    ]);
  });

  test(`${adapter.vendor}: a refusal is refused`, () => {
    const refusal = message({ type: "refusal", refusal: "I cannot help with that." });
    const step = stepOf(adapter, response(refusal));
    assert.ok(step.kind === "answered");
    assert.equal(step.answer.outcome, "refused");
    assert.equal(step.answer.text, "I cannot help with that.");
  });
}

test("messages are paragraphs; commentary is left out; offsets are those of their part", () => {
  const b = "https://b.example/";
  const step = stepOf(
    openai,
    response(
      {
        ...message(said("Let me search.", citation("https://c.example/", 0, 3))),
        phase: "commentary",
      },
      message(said("Acme."), said(" Bolt.")),
      message(said(`Or ${b}`, citation(b, 3, 3 + b.length))),
    ),
  );
  assert.ok(step.kind === "answered");
  const { text, citations } = step.answer;
  assert.equal(text, `Acme. Bolt.\n\nOr ${b}`);
  assert.deepEqual(
    citations.map(({ url, spans: [span] }) => [url, text.slice(span?.start, span?.end)]),
    [[b, b]],
  );
});

test("an offset is read in the unit in which the part holds the URL there", () => {
  const url = "https://b.example/";
  const text = `📱📱 ${url}`;
  // Two emoji are two code points, and four units of UTF-16.
  for (const start of [3, 5]) {
    const cited = citation(url, start, start + url.length);
    const step = stepOf(openai, response(message(said(text, cited))));
    assert.ok(step.kind === "answered");
    assert.deepEqual(step.answer.citations[0]?.spans, [{ start: 5, end: 5 + url.length }]);
  }
});

test("a citation whose place is outside the text is cited all the same", () => {
  for (const [start, end] of [
    [5, 1e308],
    [-1, 2],
    [3, 3],
    ["0", "4"],
    [0.5, 2],
    [9, 12],
  ]) {
    const cited = citation("https://b.example/", start, end);
    const step = stepOf(openai, response(message(said("Acme", cited))));
    assert.ok(step.kind === "answered");
    const expected = { url: "https://b.example/", title: "T", cited: true, spans: [] };
    assert.deepEqual(step.answer.citations, [expected]);
  }
});

test("Grok: an annotation without a place is cited only where the text links to it", () => {
  const [a, b, c] = ["https://a.example/", "https://b.example/", "https://c.example/"] as const;
  const annotations = [citation(a), citation(b, 0, 0), citation(c, 0, 4)];
  const step = stepOf(xai, response(message(said(`Acme [[1]](${a})`, ...annotations))));
  assert.ok(step.kind === "answered");
  assert.deepEqual(
    step.answer.citations.map(({ url, cited }) => [url, cited]),
    [
      [a, true],
      [c, true],
      [b, false],
    ],
  );
});

test("without annotations, or with an unknown one, a reply of OpenAI or xAI fails", () => {
  const { annotations: _annotations, ...renamed } = said("Acme");
  const other = { type: "citation", url: "https://a.example/", title: "A" };
  const file = { type: "file_citation", file_id: "f", index: 4 };
  for (const adapter of [openai, xai]) {
    const reasons = [
      { ...renamed, references: [] },
      { ...renamed, annotations: null },
      said("Acme", other),
      said("Acme", { url: "https://a.example/" }),
    ].map((content) => {
      const step = stepOf(adapter, response(message(content)));
      return step.kind === "failed" ? step.failure.reason : step.kind;
    });
    assert.deepEqual(reasons, [
      ...Array.from({ length: 2 }, () => 'not understood: the reply lacks "annotations"'),
      'not understood: "citation" is not a known annotation',
      "not understood: undefined is not a known annotation",
    ]);
    assert.equal(stepOf(adapter, response(message(said("Acme", file)))).kind, "answered");
  }
  // Perplexity's list is optional, and its own pages show annotations of this type.
  const cited = [said("Acme", other), { ...renamed, text: "Acme" }].map((content) => {
    const step = stepOf(perplexity, response(message(content)));
    assert.ok(step.kind === "answered");
    return step.answer.citations.map(({ url, cited }) => [url, cited]);
  });
  assert.deepEqual(cited, [[[other.url, true]], []]);
});

test("sources that cannot be read are dropped and counted; the text is an answer", () => {
  const good = citation("https://a.example/", 0, 4);
  const long = citation(`https://a.example/${"x".repeat(65_536)}`);
  const step = stepOf(
    openai,
    response(
      {
        type: "web_search_call",
        action: {
          type: "search",
          query: "q",
          sources: [{ type: "url" }, { type: "api", name: "w" }],
        },
      },
      message(said("Acme", good, { type: "url_citation" }, { ...good, title: 7 }, long)),
    ),
  );
  assert.ok(step.kind === "answered");
  assert.equal(step.answer.text, "Acme");
  assert.deepEqual(
    step.answer.citations.map(({ url, title, cited }) => [url, title, cited]),
    [["https://a.example/", "T", true]],
  );
  assert.deepEqual(step.answer.warnings, [
    { reason: 'a source lacks "url"', count: 2 },
    { reason: '"title" of a source is not a text', count: 1 },
    { reason: "the URL of a source is too long", count: 1 },
  ]);
});

test("Perplexity: items of tools that find no pages are passed over", () => {
  const tools = ["finance_results", "sandbox_grep", "mcp_call", "unknown"].map((type) => ({
    type,
  }));
  assert.equal(stepOf(perplexity, response(...tools, message(said("Acme")))).kind, "answered");
  assert.equal(stepOf(openai, response(...tools, message(said("Acme")))).kind, "failed");
});

test("Perplexity: a number that stands for two pages is not guessed", () => {
  const results = ["https://a.example/", "https://b.example/"].map((url) => ({
    id: 1,
    url,
    title: "T",
  }));
  const step = stepOf(
    perplexity,
    response(
      { type: "search_results", results: [...results, { url: "c" }] },
      message(said("Acme[1]")),
    ),
  );
  assert.ok(step.kind === "answered");
  assert.deepEqual(
    step.answer.citations.map(({ url, cited }) => [url, cited]),
    [...results.map(({ url }) => [url, false]), ["c", false]],
  );
  assert.deepEqual(step.answer.warnings, [
    { reason: 'the "id" of a search result stands for two pages', count: 1 },
    { reason: 'a search result lacks "id"', count: 1 },
  ]);
});

test("Perplexity: links are not markers", () => {
  const results = [{ id: 1, url: "https://a.example/", title: "A" }];
  const text = "See [1](https://x.example/) and [[1]](https://x.example/).";
  const step = stepOf(
    perplexity,
    response({ type: "search_results", results }, message(said(text))),
  );
  assert.ok(step.kind === "answered");
  assert.deepEqual(
    step.answer.citations.map(({ url, spans }) => [url, spans.length]),
    [["https://a.example/", 1]],
  );
});

test("a cost that is not believable is not taken", () => {
  for (const total_cost of [-1, 1e308, "1", null]) {
    const usage = { cost: { currency: "USD", total_cost } };
    const step = stepOf(perplexity, { ...response(message(said("Acme"))), usage });
    assert.ok(step.kind === "answered" && step.answer.usage.cost === null);
  }
  for (const cost_in_usd_ticks of [-1, 1e308, "1", null]) {
    const usage = { cost_in_usd_ticks, input_tokens: 1e308, output_tokens: -3 };
    const step = stepOf(xai, { ...response(message(said("Acme"))), usage });
    assert.ok(step.kind === "answered");
    const { cost, inputTokens, outputTokens } = step.answer.usage;
    assert.deepEqual([cost, inputTokens, outputTokens], [null, 0, 0]);
  }
});

test("an answer beyond what the record takes is a failure", () => {
  const long = stepOf(openai, response(message(said("x".repeat(1_000_001)))));
  assert.ok(long.kind === "failed" && long.failure.reason.includes("the text is too long"));
  const many = Array.from({ length: 10_001 }, (_, index) => citation(`https://${index}.example/`));
  const step = stepOf(openai, response(message(said("Acme", ...many))));
  assert.ok(step.kind === "failed" && step.failure.reason.includes("too many citations"));
});

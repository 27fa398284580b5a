import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exchange, VendorQuestion } from "../adapter.ts";
import { noUsage } from "./collected-answer.ts";
import { gemini } from "./gemini.ts";

const question: VendorQuestion = {
  id: "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0",
  prompt: "Which phone is best?",
  provider: "GEMINI",
  surface: "api",
  region: null,
  model: null,
};
const prefix = "https://vertexaisearch.cloud.google.com";
const linkOf = (name: string) => `${prefix}/grounding-api-redirect/${name}==`;

function replied(body: object): Exchange {
  const host = "generativelanguage.googleapis.com";
  const request = { method: "POST", host, path: "/", isPaid: true } as const;
  return { request, reply: { status: 200, headers: {}, body: JSON.stringify(body) }, at: 0 };
}

/** The request for a link, and its reply. */
function looked(name: string, status: number, location?: string): Exchange {
  const path = `/grounding-api-redirect/${name}==`;
  const host = "vertexaisearch.cloud.google.com";
  const headers: Readonly<Record<string, string>> = location === undefined ? {} : { location };
  return {
    request: { method: "GET", host, path, isPaid: false },
    reply: { status, headers, body: "" },
    at: 0,
  };
}

const chunk = (uri: string, title: string) => ({ web: { uri, title } });
const candidate = (fields: object) => ({
  content: { parts: [{ text: "Acme." }] },
  finishReason: "STOP",
  ...fields,
});
const grounded = (names: readonly string[], cited: readonly number[]) => ({
  candidates: [
    candidate({
      groundingMetadata: {
        groundingChunks: names.map((name) => chunk(linkOf(name), `${name}.example`)),
        groundingSupports: [{ segment: { endIndex: 4 }, groundingChunkIndices: cited }],
      },
    }),
  ],
  usageMetadata: { promptTokenCount: 7, cachedContentTokenCount: 5, candidatesTokenCount: 2 },
});

test("links are resolved one after another, the cited ones first, without the key", () => {
  const exchanges = [replied(grounded(["a", "b", "c"], [2, 0]))];
  const paths: string[] = [];
  for (;;) {
    const step = gemini.step(question, exchanges);
    if (step.kind === "answered") break;
    assert.ok(step.kind === "send");
    const { request } = step;
    assert.deepEqual(request, {
      method: "GET",
      host: "vertexaisearch.cloud.google.com",
      path: request.path,
      isPaid: false,
      withinMs: 10_000,
    });
    assert.deepEqual(gemini.authorize(request, "secret"), { path: request.path, headers: {} });
    paths.push(request.path);
    const headers = { location: `https://${paths.length}.example/` };
    exchanges.push({ request, reply: { status: 302, headers, body: "" }, at: 0 });
  }
  assert.deepEqual(
    paths.map((path) => path.split("/").at(-1)),
    ["c==", "a==", "b=="],
  );
});

test("a link that leads nowhere stays, with the domain as its title", () => {
  const step = gemini.step(question, [
    replied(grounded(["a", "b", "c", "d", "e"], [0, 1, 2, 3, 4])),
    looked("a", 302, "https://page.example/?utm_source=x"),
    looked("b", 404),
    looked("c", 302, "javascript:alert(1)"),
    looked("d", 302, "/relative"),
    looked("e", 200, "https://not-a-redirect.example/"),
  ]);
  assert.ok(step.kind === "answered");
  const spans = [{ start: 0, end: 4 }];
  const stays = ["b", "c", "d", "e"].map((name) => [linkOf(name), `${name}.example`]);
  assert.deepEqual(
    step.answer.citations,
    [["https://page.example/?utm_source=x", "a.example"], ...stays].map(([url, title]) => ({
      url,
      title,
      cited: true,
      spans,
    })),
  );
  const used = {
    ...noUsage,
    inputTokens: 7,
    cachedInputTokens: 5,
    outputTokens: 2,
    isReported: true,
  };
  assert.deepEqual(step.answer.usage, used);
});

test("only Google's links are resolved, and at most 50 of them", () => {
  const uris = [
    "https://a.example/",
    `${prefix}.evil.example/grounding-api-redirect/x`,
    "nonsense",
  ];
  const chunks = uris.map((uri) => chunk(uri, "t"));
  const groundingMetadata = { groundingChunks: chunks, groundingSupports: [] };
  const other = { candidates: [candidate({ groundingMetadata })] };
  assert.equal(gemini.step(question, [replied(other)]).kind, "answered");
  const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
  const many = replied(grounded(names, []));
  const lookUps = names.map((name) => looked(name, 302, `https://${name}.example/`));
  assert.equal(gemini.step(question, [many, ...lookUps.slice(0, 49)]).kind, "send");
  const step = gemini.step(question, [many, ...lookUps.slice(0, 50)]);
  assert.ok(step.kind === "answered");
  const kept = step.answer.citations.filter(({ url }) => url.startsWith(prefix));
  assert.equal(kept.length, 10);
});

test("thoughts are not a part of the text; a part's offsets are its own", () => {
  const step = gemini.step(question, [
    replied({
      candidates: [
        candidate({
          content: {
            parts: [{ text: "Hm.", thought: true }, { text: "Ä: " }, { text: "öde Acme" }],
          },
          groundingMetadata: {
            groundingChunks: [chunk("https://a.example/", "a")],
            groundingSupports: [
              {
                segment: { partIndex: 2, startIndex: 5, endIndex: 9, text: "Acme" },
                groundingChunkIndices: [0],
              },
              // Its text is not what the offsets enclose: it cites, and its range is unknown.
              { segment: { partIndex: 2, endIndex: 4, text: "Acme" }, groundingChunkIndices: [0] },
              { segment: { partIndex: 2, startIndex: 1, endIndex: 9 }, groundingChunkIndices: [0] },
            ],
          },
        }),
      ],
    }),
  ]);
  assert.ok(step.kind === "answered");
  assert.equal(step.answer.text, "Ä: öde Acme");
  assert.deepEqual(step.answer.citations[0]?.spans, [{ start: 7, end: 11 }]);
});

test("a blocked reply is a refusal; a truncated one is a failure", () => {
  const blocked = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } };
  const unsafe = { candidates: [{ finishReason: "SAFETY" }] };
  for (const body of [blocked, unsafe]) {
    const step = gemini.step(question, [replied(body)]);
    assert.ok(step.kind === "answered");
    assert.equal(step.answer.outcome, "refused");
    assert.deepEqual(step.answer.citations, []);
  }
  for (const finishReason of ["MAX_TOKENS", "RECITATION", "OTHER", "NEW_REASON"]) {
    const step = gemini.step(question, [replied({ candidates: [candidate({ finishReason })] })]);
    assert.ok(step.kind === "failed");
    assert.equal(step.failure.reason, `the answer is incomplete: ${finishReason}`);
  }
});

test("a reply that is not understood is a failure that names the field", () => {
  const reasons = [
    {},
    { candidates: [] },
    { candidates: [{ content: { parts: [{ text: "Acme" }] } }] },
    { candidates: [candidate({ groundingMetadata: { groundingChunks: [chunk("a", "a")] } })] },
    { candidates: [candidate({ groundingMetadata: { groundingSupports: [{ segment: {} }] } })] },
    { candidates: [candidate({ groundingMetadata: { groundingChunks: [{ maps: {} }] } })] },
    { candidates: [candidate({ content: { parts: [{ text: " " }] } })] },
  ].map((body) => {
    const step = gemini.step(question, [replied(body)]);
    assert.ok(step.kind === "failed");
    return step.failure.reason.replace("not understood: ", "");
  });
  assert.deepEqual(reasons, [
    'the reply lacks "candidates"',
    "the reply has no candidate",
    'the reply lacks "finishReason"',
    'the reply lacks "groundingSupports"',
    'a support lacks "groundingChunkIndices"',
    'the reply lacks "web"',
    "the answer has no text",
  ]);
});

test("supports that name chunks that cannot be read are dropped and counted", () => {
  const link = "https://a.example/";
  const cites = (...indices: readonly unknown[]) => ({
    groundingSupports: [{ segment: { endIndex: 4 }, groundingChunkIndices: indices }],
  });
  const reads = [
    cites(0, 1),
    { ...cites(0, 1, "x"), groundingChunks: [chunk(link, "a"), { web: { title: "b" } }] },
  ].map((groundingMetadata) => {
    const step = gemini.step(question, [
      replied({ candidates: [candidate({ groundingMetadata })] }),
    ]);
    assert.ok(step.kind === "answered");
    const { text, citations, warnings } = step.answer;
    assert.equal(text, "Acme.");
    const urls = citations.map(({ url }) => url);
    return [urls, ...warnings.map(({ reason, count }) => `${count} ${reason}`)];
  });
  assert.deepEqual(reads, [
    [[], "2 a support names a chunk that is not there"],
    [[link], '1 a source lacks "uri"', "1 a support names a chunk that is not there"],
  ]);
});

test("a support whose offsets are of no part stands where its text is, if it is there once", () => {
  const parts = [
    { text: "Hm.", thought: true },
    { text: "Acme leads. Bolt follows. Bolt is cheap." },
  ];
  const groundingSupports = [
    { segment: { endIndex: 11, text: "Acme leads." }, groundingChunkIndices: [0] },
    { segment: { startIndex: 12, endIndex: 16, text: "Bolt" }, groundingChunkIndices: [0] },
  ];
  const groundingChunks = [chunk("https://a.example/", "a")];
  const groundingMetadata = { groundingChunks, groundingSupports };
  const body = { candidates: [candidate({ content: { parts }, groundingMetadata })] };
  const step = gemini.step(question, [replied(body)]);
  assert.ok(step.kind === "answered");
  assert.deepEqual(step.answer.citations[0]?.spans, [{ start: 0, end: 11 }]);
});

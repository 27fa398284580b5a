import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { Exchange, Step, VendorQuestion } from "../../src/collection/adapter.ts";
import { cloro } from "../../src/collection/vendors/cloro.ts";
import { noUsage } from "../../src/collection/vendors/collected-answer.ts";
import { dataforseo } from "../../src/collection/vendors/dataforseo.ts";
import { serpapi } from "../../src/collection/vendors/serpapi.ts";
import * as pages from "./documented-pages.ts";

const question: VendorQuestion = {
  id: "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0",
  prompt: "best phone",
  provider: "GOOGLE_AI_MODE",
  surface: "web",
  region: null,
  model: null,
};
const overview = { ...question, provider: "GOOGLE_AI_OVERVIEW" } as const;
const copilot = { ...question, provider: "COPILOT" } as const;
const none = { ...noUsage, isReported: true };
const dollars = (amount: number) => ({ amount, currency: "USD" }) as const;

/** The adapter's own requests, each with its reply, after which a step follows. */
function after(
  adapter: { readonly step: typeof cloro.step },
  asked: VendorQuestion,
  replies: readonly (unknown | Exchange["reply"])[],
): Step {
  const exchanges: Exchange[] = [];
  for (const body of replies) {
    const step = adapter.step(asked, exchanges);
    assert.ok(step.kind === "send", `a request before reply ${exchanges.length + 1}`);
    const { headers: _headers, withinMs: _withinMs, ...request } = step.request;
    const isReply = typeof body === "object" && body !== null && "headers" in body;
    const reply = isReply
      ? (body as Exchange["reply"])
      : { status: 200, headers: {}, body: JSON.stringify(body) };
    exchanges.push({ request, reply, at: 0 });
  }
  return adapter.step(asked, exchanges);
}

function answerOf(step: Step) {
  assert.ok(step.kind === "answered", JSON.stringify(step));
  return step.answer;
}

function sent(step: Step) {
  assert.ok(step.kind === "send", JSON.stringify(step));
  return step.request;
}

function failureOf(step: Step) {
  assert.ok(step.kind === "failed", JSON.stringify(step));
  return { ...step.failure, usage: step.usage };
}

const [a, b, c] = ["a", "b", "c"].map((name) => ({
  url: `https://${name}.example/`,
  title: `About ${name}`,
  cited: true,
}));

test("DataForSEO: a page of AI Mode, synthetic, is asked for live and read in full", () => {
  const request = sent(dataforseo.step({ ...question, region: "DE" }, []));
  assert.equal(request.path, "/v3/serp/google/ai_mode/live/advanced");
  assert.deepEqual(request.body, [
    {
      keyword: "best phone",
      location_code: 2276,
      language_code: "de",
      device: "desktop",
      tag: question.id,
    },
  ]);
  const text = "## Phones\n\n**Acme** leads. [[1]](https://b.example/)\n\n- Bolt is cheap";
  assert.deepEqual(answerOf(after(dataforseo, question, [pages.dataforseoAiMode])), {
    outcome: "answered",
    warnings: [],
    text,
    citations: [
      { ...a, spans: [] },
      { ...b, spans: [{ start: 11, end: 52 }] },
      { ...c, spans: [{ start: 54, end: 69 }] },
    ],
    searchQueries: [],
    model: null,
    usage: { ...none, searches: 1, cost: dollars(0.004) },
  });
  assert.equal(text.slice(11, 52), "**Acme** leads. [[1]](https://b.example/)");
  assert.equal(text.slice(54, 69), "- Bolt is cheap");
});

test("DataForSEO: a page of AI Mode with an item that nobody knows is not an absent answer", () => {
  const page = pages.dataforseoReply({}, [{ type: "ai_mode" }]);
  const failure = failureOf(after(dataforseo, question, [page]));
  assert.equal(failure.reason, 'not understood: "ai_mode" is not a known item of AI Mode');
  const empty = after(dataforseo, question, [pages.dataforseoReply({}, [])]);
  assert.equal(answerOf(empty).outcome, "absent");
  // Google Search shows results that are no overview.
  assert.equal(answerOf(after(dataforseo, overview, [pages.dataforseoAbsent])).outcome, "absent");
});

test("DataForSEO: an overview is loaded when the page loads it later; none is absent", () => {
  const request = sent(dataforseo.step(overview, []));
  assert.equal(request.path, "/v3/serp/google/organic/live/advanced");
  assert.deepEqual(request.body, [
    {
      keyword: "best phone",
      location_code: 2840,
      language_code: "en",
      device: "desktop",
      tag: question.id,
      depth: 10,
      load_async_ai_overview: true,
    },
  ]);
  const answer = answerOf(after(dataforseo, overview, [pages.dataforseoOverview]));
  assert.deepEqual([answer.outcome, answer.citations.length], ["answered", 3]);
  const absent = {
    outcome: "absent",
    text: "",
    citations: [],
    searchQueries: [],
    model: null,
    warnings: [],
    usage: { ...none, searches: 1, cost: dollars(0.002) },
  };
  assert.deepEqual(answerOf(after(dataforseo, overview, [pages.dataforseoAbsent])), absent);
  const nothing = pages.dataforseoReply(
    { code: 40102, message: "No Search Results.", cost: 0.002 },
    null,
  );
  assert.deepEqual(answerOf(after(dataforseo, overview, [nothing])), absent);
  assert.deepEqual(failureOf(after(dataforseo, overview, [pages.dataforseoLater])), {
    class: "retry",
    reason: "the page's overview did not load",
    afterMs: null,
    usage: absent.usage,
  });
});

test("DataForSEO: a queued page is known by its task before anybody looks for it", () => {
  const queued = { ...question, model: "standard" };
  assert.equal(sent(dataforseo.step(queued, [])).path, "/v3/serp/google/ai_mode/task_post");
  const taken = pages.dataforseoReply(
    { code: 20100, message: "Task Created.", cost: 0.0012 },
    null,
  );
  const look = sent(after(dataforseo, queued, [taken]));
  assert.deepEqual([look.method, look.isPaid, look.body], ["GET", false, undefined]);
  const path = "/v3/serp/google/ai_mode/task_get/advanced/11251234-1535-0139-0000-0c0ffee0c0de";
  assert.equal(look.path, path);
  const waiting = (code: number) => pages.dataforseoReply({ code, cost: 0 }, null);
  const pending = { kind: "pending", afterMs: 15_000 };
  assert.deepEqual(after(dataforseo, queued, [taken, waiting(40602)]), {
    ...pending,
    isQueued: true,
  });
  assert.deepEqual(after(dataforseo, queued, [taken, waiting(40601)]), {
    ...pending,
    isQueued: false,
  });
  const done = { ...pages.dataforseoAiMode, cost: 0 };
  const { usage } = answerOf(after(dataforseo, queued, [taken, done]));
  assert.deepEqual(usage, { ...none, searches: 1, cost: dollars(0.0012) });
});

test("DataForSEO: what its own codes ask for", () => {
  const classes: readonly (readonly [number, string])[] = [
    ...([40100, 40104, 40200, 40203, 40210] as const).map((code) => [code, "stop-vendor"] as const),
    ...([40202, 40209] as const).map((code) => [code, "wait"] as const),
    ...([40101, 40103, 50000, 50301, 50401] as const).map((code) => [code, "retry"] as const),
    ...([40000, 40501, 40401, 40402, 12] as const).map((code) => [code, "give-up"] as const),
  ];
  for (const [code, expected] of classes) {
    const ofTask = pages.dataforseoReply({ code, message: "Told.", cost: 0.001 }, null);
    const failure = failureOf(after(dataforseo, question, [ofTask]));
    assert.deepEqual([failure.class, failure.reason], [expected, `${code}: Told.`]);
    assert.deepEqual(failure.usage.cost, dollars(0.001));
    const ofReply = { ...pages.dataforseoReply({}, null), status_code: code, tasks: [] };
    assert.equal(failureOf(after(dataforseo, question, [ofReply])).class, expected);
  }
});

test("SerpApi: a page of AI Mode, synthetic, is asked for and read in full", () => {
  const request = sent(serpapi.step({ ...question, region: "GB", prompt: "a&b=ü #1" }, []));
  assert.equal(
    request.path,
    "/search.json?engine=google_ai_mode&q=a%26b%3D%C3%BC+%231&gl=uk&hl=en&no_cache=true",
  );
  const norway = sent(serpapi.step({ ...question, region: "NO" }, []));
  assert.match(norway.path, /&gl=no&hl=no&/);
  const text = "# Phones\n\nAcme leads.\n\n- **Bolt:** is cheap\n- Others";
  assert.deepEqual(answerOf(after(serpapi, question, [pages.serpapiAiMode])), {
    outcome: "answered",
    warnings: [],
    text,
    citations: [
      {
        ...b,
        spans: [
          { start: 10, end: 21 },
          { start: 25, end: 43 },
        ],
      },
      { ...a, spans: [{ start: 25, end: 43 }] },
    ],
    searchQueries: [],
    model: null,
    usage: { ...none, searches: 1 },
  });
  assert.equal(text.slice(25, 43), "**Bolt:** is cheap");
});

const blocksText = [
  ...["### Phones", "Acme leads.", "- **Bolt:** is cheap\n- Others\n  - Cobb"],
  ...["| Phone | Price |\n| --- | --- |\n| Acme | € 400 |", "More", "Prices change."],
].join("\n\n");

test("SerpApi: an overview that is on the page, and one that needs a second request", () => {
  const onPage = answerOf(after(serpapi, overview, [pages.serpapiOverview]));
  assert.equal(onPage.text, blocksText);
  assert.deepEqual(onPage.usage, { ...none, searches: 1 });
  const cited = onPage.citations.map(({ url, spans }) => [
    url,
    ...spans.map(({ start, end }) => blocksText.slice(start, end)),
  ]);
  assert.deepEqual(cited, [
    ["https://b.example/", "Acme leads.", "**Bolt:** is cheap"],
    ["https://a.example/", "**Bolt:** is cheap", "Prices change."],
  ]);
  const second = sent(after(serpapi, overview, [pages.serpapiToken]));
  assert.equal(second.isPaid, true);
  assert.equal(
    second.path,
    "/search.json?engine=google_ai_overview&page_token=t0k%2Fen%2B%3D&no_cache=true",
  );
  const later = answerOf(after(serpapi, overview, [pages.serpapiToken, pages.serpapiLater]));
  assert.deepEqual(later, { ...onPage, usage: { ...none, searches: 2 } });
});

test("SerpApi: no overview is absent; one that did not come is asked for again", () => {
  const absent = {
    outcome: "absent",
    text: "",
    citations: [],
    searchQueries: [],
    model: null,
    warnings: [],
    usage: { ...none, searches: 1 },
  };
  const error = "Google hasn't returned any results for this query.";
  const unavailable = "An AI Overview is not available for this search";
  for (const page of [
    pages.serpapiAbsent,
    pages.serpapiReply("google", { error }),
    pages.serpapiReply("google", { ai_overview: { error: unavailable } }),
  ]) {
    assert.deepEqual(answerOf(after(serpapi, overview, [page])), absent);
  }
  const again = "Can't generate an AI overview right now. Try again later.";
  const late = pages.serpapiReply("google", { ai_overview: { error: again } });
  assert.deepEqual(failureOf(after(serpapi, overview, [late])), {
    class: "retry",
    reason: again,
    afterMs: null,
    usage: { ...none, searches: 1 },
  });
  const failed = { ...pages.serpapiReply("google", { error: "Proxy timeout" }) };
  const search = { ...failed, search_metadata: { status: "Error" } };
  assert.deepEqual(failureOf(after(serpapi, overview, [search])), {
    class: "retry",
    reason: "the search is Error: Proxy timeout",
    afterMs: null,
    usage: noUsage,
  });
});

test("SerpApi: what its statuses ask for, and where its key is", () => {
  const reply = (status: number, error: string) => ({
    status,
    headers: { "retry-after": "30" },
    body: JSON.stringify({ error }),
  });
  const over = failureOf(after(serpapi, question, [reply(429, "You exceed your limit.")]));
  assert.deepEqual([over.class, over.afterMs], ["wait", 30_000]);
  const empty = reply(429, "Your account has run out of searches.");
  assert.equal(failureOf(after(serpapi, question, [empty])).class, "stop-vendor");
  assert.equal(failureOf(after(serpapi, question, [reply(401, "Invalid")])).class, "stop-vendor");
  assert.equal(failureOf(after(serpapi, question, [reply(503, "Later")])).class, "retry");
  const request = sent(serpapi.step(question, []));
  assert.ok(!request.path.includes("api_key"));
  const { path, headers } = serpapi.authorize(request, "a key&");
  assert.equal(path, `${request.path}&api_key=a%20key%26`);
  assert.deepEqual(headers, {});
});

test("SerpApi: a page of Copilot, synthetic, has every field that is documented", (t) => {
  const answer = answerOf(after(serpapi, copilot, [pages.serpapiCopilot]));
  const text = [
    ...["# Phones", "Acme leads.", "## Others", "- Bolt", "```\ndial 1\n```"],
    "| Phone |\n| --- |\n| Acme |",
  ].join("\n\n");
  assert.equal(answer.text, text);
  assert.deepEqual(
    answer.citations.map(({ url, spans }) => [url, ...spans.map(({ start }) => start)]),
    [
      ["https://b.example/", text.indexOf("Acme")],
      ["https://a.example/", text.indexOf("Bolt")],
    ],
  );
  const name = "COPILOT/SHAPE-ONLY.serpapi.bing_copilot.documented.json";
  // Kept beside the repository, never in it.
  const path = `../../../../../shared/data/provider-samples/${name}`;
  const file = new URL(path, import.meta.url);
  if (!existsSync(file)) {
    t.diagnostic(`THE SHAPE WAS NOT COMPARED: there is no ${file.pathname}`);
    return;
  }
  const documented = JSON.parse(readFileSync(file, "utf8"));
  const types = documented.text_blocks.map(({ type }: { readonly type: string }) => type);
  const { text_blocks, references } = pages.copilotPage;
  assert.deepEqual(new Set(text_blocks.map(({ type }) => type)), new Set(types));
  for (const block of documented.text_blocks) {
    const written = text_blocks.find(({ type }) => type === block.type) ?? {};
    const read = ["snippet", "list", "code", "headers", "table"];
    for (const field of read) {
      if (field in block) assert.ok(field in written, `${block.type} ${field}`);
    }
  }
  for (const field of ["index", "title", "link"]) {
    assert.ok(field in documented.references[0] && field in (references[0] ?? {}), field);
  }
});

test("Cloro: a task is known by the id that it is polled by, and counts credits", () => {
  const asked = sent(cloro.step({ ...copilot, region: "DE" }, []));
  assert.deepEqual([asked.method, asked.path, asked.isPaid], ["POST", "/v1/async/task", true]);
  assert.deepEqual(asked.body, {
    taskType: "COPILOT",
    idempotencyKey: question.id,
    payload: { prompt: "best phone", country: "DE", include: { markdown: true } },
  });
  const taken = { success: true, ...pages.cloroReply("QUEUED") };
  for (const status of [200, 201, 202]) {
    const reply = { status, headers: {}, body: JSON.stringify(taken) };
    const look = sent(after(cloro, copilot, [reply]));
    assert.deepEqual([look.method, look.isPaid], ["GET", false]);
    assert.equal(look.path, "/v1/async/task/b27a21e1-7c39-4aa2-a347-23e828c426f9");
  }
  const pending = { kind: "pending", afterMs: 5_000 };
  const state = (status: string) => after(cloro, copilot, [taken, pages.cloroReply(status)]);
  assert.deepEqual(state("QUEUED"), { ...pending, isQueued: true });
  assert.deepEqual(state("PROCESSING"), { ...pending, isQueued: false });
  assert.deepEqual(answerOf(after(cloro, copilot, [taken, pages.cloroCopilot])), {
    outcome: "answered",
    warnings: [],
    text: "**Acme** leads.",
    citations: [
      { ...a, spans: [] },
      { ...b, spans: [] },
    ],
    searchQueries: [],
    model: null,
    usage: { ...none, searches: 5 },
  });
});

test("Cloro: what a page links to is apart from what was found for it", () => {
  const chatGpt = { ...question, provider: "OPENAI" } as const;
  const taken = pages.cloroReply("QUEUED");
  const { citations, searchQueries, model } = answerOf(
    after(cloro, chatGpt, [taken, pages.cloroChatGpt]),
  );
  assert.deepEqual(citations, [
    { ...b, spans: [] },
    { ...a, cited: false, spans: [] },
  ]);
  assert.deepEqual([searchQueries, model], [["best phone"], "gpt-6-2"]);
  // The page of other endpoints is in `result`.
  const { response } = Object.fromEntries(Object.entries(pages.cloroChatGpt));
  const wrapped = { ...pages.cloroChatGpt, response: { success: true, result: response } };
  const again = answerOf(after(cloro, chatGpt, [taken, wrapped]));
  assert.deepEqual(again.citations, citations);
});

test("Cloro: a task that failed costs nothing; a key that was used is never paid twice", () => {
  const taken = pages.cloroReply("QUEUED");
  const response = { success: false, error: "Maximum retries exceeded" };
  const failed = pages.cloroReply("FAILED", { response });
  assert.deepEqual(failureOf(after(cloro, copilot, [taken, failed])), {
    class: "give-up",
    reason: "the task failed: Maximum retries exceeded",
    afterMs: null,
    usage: noUsage,
  });
  const classes = [
    [401, "INVALID_OR_EXPIRED_API_KEY", "stop-vendor"],
    [403, "INSUFFICIENT_CREDITS", "stop-vendor"],
    [409, "CONFLICT", "give-up"],
    [429, "CONCURRENT_LIMIT_EXCEEDED", "wait"],
    [499, "CANCELED", "retry"],
    [500, "INTERNAL_SERVER_ERROR", "retry"],
    [400, "VALIDATION", "give-up"],
  ] as const;
  for (const [status, code, expected] of classes) {
    const body = JSON.stringify({ error: { code, message: "Told" } });
    const failure = failureOf(after(cloro, copilot, [{ status, headers: {}, body }]));
    assert.equal(failure.class, expected, code);
    assert.equal(failure.reason, `HTTP ${status}: ${code} Told`);
  }
});

test("what a vendor cannot be asked for is said before it is", () => {
  const long = "x".repeat(10_001);
  const cases = [
    [dataforseo, { ...question, prompt: "x".repeat(700) }, null],
    [dataforseo, { ...question, prompt: "+".repeat(234) }, /at most 700 characters/],
    [dataforseo, { ...question, region: "KP" }, /region KP/],
    [dataforseo, { ...question, model: "standard" }, null],
    [dataforseo, { ...question, model: "fast" }, /methods live and standard, got fast/],
    [serpapi, { ...question, prompt: long }, /at most 2000 characters/],
    [serpapi, { ...question, region: "XX" }, /region XX/],
    [serpapi, { ...copilot, region: "DE" }, /cannot ask Copilot for a region/],
    [serpapi, { ...question, model: "a" }, /no choice of models/],
    [cloro, { ...copilot, prompt: long }, /at most 10000 characters/],
    [cloro, { ...copilot, model: "a" }, /cannot be chosen/],
    [cloro, { ...copilot, region: "DE" }, null],
  ] as const;
  for (const [adapter, asked, expected] of cases) {
    const refusal = adapter.refusal(asked);
    if (expected === null) assert.equal(refusal, null);
    else assert.match(refusal ?? "", expected);
  }
  const [task] = sent(dataforseo.step({ ...question, prompt: "50 % + tax" }, [])).body as {
    readonly keyword: string;
  }[];
  assert.equal(task?.keyword, "50 %25 %2B tax");
});

test("what authorises a request is added to it, and not in what is kept", () => {
  const request = sent(dataforseo.step(question, []));
  const { headers } = dataforseo.authorize(request, "me@example.com:password");
  const basic = Buffer.from("me@example.com:password").toString("base64");
  assert.deepEqual(headers, { authorization: `Basic ${basic}` });
  const asked = sent(cloro.step(copilot, []));
  assert.deepEqual(cloro.authorize(asked, "secret").headers, { authorization: "Bearer secret" });
  assert.ok(!JSON.stringify([request, asked]).includes("secret"));
});

test("damaged sources and empty blocks of pages are dropped and counted", () => {
  const good = { index: 0, title: "A", link: "https://a.example/" };
  const said = { type: "paragraph", snippet: "Acme leads.", reference_indexes: [0] };
  const shown = [
    {
      text_blocks: [said],
      references: [good, { index: 1, title: "B" }, { link: "https://b.example/" }],
    },
    { text_blocks: [{ ...said, reference_indexes: [0, 7] }], references: [good] },
    {
      text_blocks: [
        said,
        { type: "paragraph" },
        { type: "list", list: [{ reference_indexes: [0] }] },
      ],
      references: [good],
    },
  ].map((ai_overview) => {
    const page = pages.serpapiReply("google", { ai_overview });
    const { text, citations, warnings } = answerOf(after(serpapi, overview, [page]));
    assert.equal(text, "Acme leads.");
    const urls = citations.map(({ url, spans }) => `${url} ${spans.length}`);
    return [...urls, ...warnings.map(({ reason, count }) => `${count} ${reason}`)];
  });
  assert.deepEqual(shown, [
    ["https://a.example/ 1", "https://b.example/ 0", '1 a source lacks "link"'],
    ["https://a.example/ 1", "1 the text refers to a reference that is not there"],
    ["https://a.example/ 1", "2 a block of the text is empty"],
  ]);
  for (const ai_overview of [
    { text_blocks: [said] },
    { text_blocks: [said], references: null },
    { text_blocks: [said, { type: "paragraph", body: "Bolt follows." }], references: [good] },
  ]) {
    const page = pages.serpapiReply("google", { ai_overview });
    assert.match(failureOf(after(serpapi, overview, [page])).reason, /^not understood: /);
  }
  const references = [{ title: "A" }, { title: "B", url: "https://b.example/" }];
  const item = { type: "ai_overview", markdown: "Acme leads.", references, items: null };
  const mode = answerOf(after(dataforseo, question, [pages.dataforseoReply({}, [item])]));
  const response = {
    text: "Acme leads.",
    sources: [{ label: "A" }, { url: "https://b.example/" }],
  };
  const task = [pages.cloroReply("QUEUED"), pages.cloroReply("COMPLETED", { response })];
  for (const { citations, warnings } of [mode, answerOf(after(cloro, copilot, task))]) {
    assert.deepEqual(
      citations.map(({ url }) => url),
      ["https://b.example/"],
    );
    assert.deepEqual(warnings, [{ reason: 'a source lacks "url"', count: 1 }]);
  }
});

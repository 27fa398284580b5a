import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkSpans,
  type Mutation,
  mutated,
  mutations,
} from "@sightline/test-kit/collection/mutate-reply.ts";
import fc from "fast-check";
import {
  type Adapter,
  type CollectedAnswer,
  type Exchange,
  failureClasses,
  type Step,
  type VendorQuestion,
} from "../../src/collection/adapter.ts";
import { cloro } from "../../src/collection/vendors/cloro.ts";
import { dataforseo } from "../../src/collection/vendors/dataforseo.ts";
import { serpapi } from "../../src/collection/vendors/serpapi.ts";
import * as pages from "./documented-pages.ts";

/** Replies of one question, synthetic, the last of which is mutated. */
interface Base {
  readonly adapter: Adapter;
  readonly provider: VendorQuestion["provider"];
  readonly replies: readonly unknown[];
}

const queued = pages.cloroReply("QUEUED");
const mode = { provider: "GOOGLE_AI_MODE" } as const;
const overview = { provider: "GOOGLE_AI_OVERVIEW" } as const;
const bases: readonly Base[] = [
  { adapter: dataforseo, ...mode, replies: [pages.dataforseoAiMode] },
  { adapter: dataforseo, ...overview, replies: [pages.dataforseoOverview] },
  { adapter: dataforseo, ...overview, replies: [pages.dataforseoAbsent] },
  { adapter: serpapi, ...mode, replies: [pages.serpapiAiMode] },
  { adapter: serpapi, ...overview, replies: [pages.serpapiOverview] },
  { adapter: serpapi, ...overview, replies: [pages.serpapiToken, pages.serpapiLater] },
  { adapter: serpapi, ...overview, replies: [pages.serpapiAbsent] },
  { adapter: serpapi, provider: "COPILOT", replies: [pages.serpapiCopilot] },
  { adapter: cloro, provider: "COPILOT", replies: [queued, pages.cloroCopilot] },
  { adapter: cloro, provider: "OPENAI", replies: [queued, pages.cloroChatGpt] },
];

function stepOf({ adapter, provider, replies }: Base, last: Partial<Exchange["reply"]> = {}): Step {
  const question: VendorQuestion = {
    id: "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0",
    prompt: "best phone",
    provider,
    surface: "web",
    region: null,
    model: null,
  };
  const exchanges: Exchange[] = [];
  for (const [index, body] of replies.entries()) {
    const step = adapter.step(question, exchanges);
    assert.ok(step.kind === "send");
    const { headers: _headers, withinMs: _withinMs, ...request } = step.request;
    const reply = { status: 200, headers: {}, body: JSON.stringify(body) };
    const isLast = index === replies.length - 1;
    exchanges.push({ request, reply: isLast ? { ...reply, ...last } : reply, at: 0 });
  }
  return adapter.step(question, exchanges);
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];
const isPage = (url: unknown): boolean =>
  typeof url === "string" && /^https?:\/\//i.test(url) && URL.canParse(url);

/** What a reply says to a reader who looks for known fields and requires nothing. */
interface PlainReading {
  readonly isShown: boolean;
  /** Each is a part of the text. */
  readonly texts: readonly string[];
  readonly pages: readonly string[];
}

/** Independent of the adapters, and lenient: what an adapter answers must not differ from it. */
function plainReading(adapter: Adapter, body: Fields): PlainReading {
  if (adapter === dataforseo) return ofItems(body);
  if (adapter === cloro) return ofTask(body);
  const holder = "text_blocks" in body ? body : fieldsOf(body["ai_overview"]);
  const { reconstructed_markdown: whole } = body;
  return {
    isShown: "text_blocks" in holder,
    texts: typeof whole === "string" ? [whole] : textsIn(holder["text_blocks"]),
    pages: listOf(holder["references"]).map(({ link }) => String(link)),
  };
}

function ofItems(body: Fields): PlainReading {
  const [result = {}] = listOf(listOf(body["tasks"])[0]?.["result"]);
  const shown = listOf(result["items"]).find(({ type }) => type === "ai_overview");
  const parts = listOf(shown?.["items"]);
  const { markdown } = shown ?? {};
  const references = [shown, ...parts].flatMap((each) => listOf(each?.["references"]));
  return {
    isShown: shown !== undefined,
    texts:
      typeof markdown === "string" ? [markdown] : parts.map((part) => String(part["markdown"])),
    pages: references.map(({ url }) => String(url)),
  };
}

function ofTask(body: Fields): PlainReading {
  const page = fieldsOf(body["response"]);
  const listed = [...listOf(page["sources"]), ...listOf(page["citationPills"])];
  const text = page["markdown"] ?? page["text"];
  return { isShown: true, texts: [String(text)], pages: listed.map(({ url }) => String(url)) };
}

/** Every text of blocks, however deep: what a page shows. */
function textsIn(value: unknown, field = ""): readonly string[] {
  if (typeof value === "string") return ["snippet", "title", "code"].includes(field) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, field));
  return Object.entries(fieldsOf(value)).flatMap(([name, each]) => textsIn(each, name));
}

const saidIn = ({ outcome, text, citations, model }: CollectedAnswer) => ({
  outcome,
  text,
  model,
  pages: citations.map(({ url, title, cited }) => ({ url, title, cited })),
});

/** That a step is a failure with a reason, or the right answer for what the reply says. */
function check(base: Base, body: string, step: Step): void {
  if (step.kind === "failed") {
    assert.ok(failureClasses.includes(step.failure.class));
    assert.ok(step.failure.reason.length > 0 && step.failure.reason.length <= 300);
    return;
  }
  assert.equal(step.kind, "answered", "nothing else is asked");
  if (step.kind !== "answered") return;
  const reading = plainReading(base.adapter, JSON.parse(body));
  const { outcome, text, citations } = step.answer;
  assert.equal(outcome, reading.isShown ? "answered" : "absent");
  if (outcome === "absent") {
    assert.deepEqual([text, citations], ["", []]);
    return;
  }
  assert.ok(text.trim() !== "");
  for (const each of reading.texts) assert.ok(text.includes(each.trim()), `${each} in ${text}`);
  const urls = new Set(citations.map(({ url }) => url));
  assert.deepEqual(urls, new Set(reading.pages.filter(isPage)));
  assert.ok(citations.some(({ cited }) => cited) || urls.size === 0 || base.provider === "OPENAI");
  for (const { spans } of citations) checkSpans(spans, text);
}

function checkMutation(base: Base, mutation: Mutation): string {
  const reply = mutated(JSON.stringify(base.replies.at(-1)), mutation);
  fc.pre(reply !== null);
  const step = stepOf(base, reply);
  const isTaken = base.adapter === cloro && [201, 202].includes(reply.status);
  if (mutation.kind === "cut") assert.equal(step.kind, "failed");
  if (mutation.kind === "status" && !isTaken) assert.equal(step.kind, "failed");
  if (mutation.kind === "other type" && step.kind === "answered") {
    const original = stepOf(base);
    assert.ok(original.kind === "answered");
    const { pages: read, ...said } = saidIn(step.answer);
    const { pages: all, ...right } = saidIn(original.answer);
    assert.deepEqual(said, right, "a wrong type tells nothing else");
    if (step.answer.warnings.length === 0) assert.deepEqual(read, all);
    const known = new Set(all.map(({ url }) => url));
    assert.ok(read.every(({ url }) => known.has(url)));
  } else if (mutation.kind !== "cut") check(base, reply.body, step);
  return step.kind;
}

test("2,000 mutations of documented pages, synthetic, give a failure or what they say", (t) => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(fc.nat(bases.length - 1), mutations, (which, mutation) => {
      const base = bases[which];
      assert.ok(base !== undefined);
      const kind = checkMutation(base, mutation);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }),
    { numRuns: 2_000, maxSkipsPerRun: 100 },
  );
  t.diagnostic([...seen].map(([kind, count]) => `${kind}: ${count}`).join(", "));
  assert.ok((seen.get("failed") ?? 0) > 400 && (seen.get("answered") ?? 0) > 100);
});

test("no reply of any content makes an adapter throw, or ask on", () => {
  const texts = fc.oneof(fc.json(), fc.string(), fc.constant("[".repeat(100_000)));
  fc.assert(
    fc.property(fc.nat(bases.length - 1), texts, (which, body) => {
      const base = bases[which];
      assert.ok(base !== undefined);
      assert.equal(stepOf(base, { body }).kind, "failed");
    }),
    { numRuns: 1_000 },
  );
  const nested = '{"type":"list","list":['.repeat(50_000) + "]}".repeat(50_000);
  const frame = JSON.stringify(pages.serpapiReply("google_ai_mode", { text_blocks: ["X"] }));
  const [, , , aiMode] = bases;
  assert.ok(aiMode !== undefined);
  assert.equal(stepOf(aiMode, { body: frame.replace('"X"', nested) }).kind, "failed");
});

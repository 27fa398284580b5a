import type { Provider } from "@sightline/contract";
import type {
  Adapter,
  AuthorizedRequest,
  Exchange,
  FailureClass,
  Step,
  Usage,
  VendorQuestion,
  VendorRequest,
} from "../adapter.ts";
import { type CitedPage, DamagedSources, type Span } from "./cited-pages.ts";
import { type Capture, capturedAnswer, failed, noUsage } from "./collected-answer.ts";
import { googleRegion, regionRefusal, regionUnlessSaid } from "./places.ts";
import {
  asksOf,
  type JsonObject,
  listAt,
  optionalListAt,
  optionalTextAt,
  parsedObject,
  textAt,
  textsAt,
  UnknownShape,
} from "./read-json.ts";
import { type FailureRule, notUnderstood, replyFailure, reportedFailure } from "./reply-failure.ts";

/** The host of DataForSEO's API. */
const dataforseoHost = "api.dataforseo.com";

/** What a question's `model` may name: whether to wait for the page, or to queue for a third. */
const dataforseoMethods = ["live", "standard"] as const;

/** A page takes some 6 seconds, and 120 at most. */
const withinMs = 150_000;
/** A look at a task is a look-up. */
const taskWithinMs = 30_000;
const promptCharactersMax = 700;

/** Why a question cannot be asked of DataForSEO; null: it can. */
function dataforseoRefusal({ prompt, region, model }: VendorQuestion): string | null {
  if (model !== null && !dataforseoMethods.some((method) => method === model)) {
    return `DataForSEO has the methods ${dataforseoMethods.join(" and ")}, got ${model}`;
  }
  if (keywordOf(prompt).length > promptCharactersMax) {
    return `DataForSEO takes prompts of at most ${promptCharactersMax} characters`;
  }
  return regionRefusal(region, "DataForSEO");
}

/** The request that is billed: for the page, or for a task. */
function dataforseoRequest(question: VendorQuestion): VendorRequest {
  const { prompt, region, model, provider, id } = question;
  const { locationCode = 2_840, language = "en" } = googleRegion(region) ?? {};
  const isOverview = provider === "GOOGLE_AI_OVERVIEW";
  const task = {
    keyword: keywordOf(prompt),
    location_code: locationCode,
    language_code: language,
    device: "desktop",
    tag: id,
    // An overview that the page loads later is loaded, and paid for only when there is one.
    ...(isOverview ? { depth: 10, load_async_ai_overview: true } : {}),
  };
  return {
    method: "POST",
    host: dataforseoHost,
    path: `${basePath(question)}/${model === "standard" ? "task_post" : "live/advanced"}`,
    body: [task],
    isPaid: true,
    withinMs,
  };
}

/** The request for a task's page, which costs nothing. */
function dataforseoTaskRequest(question: VendorQuestion, taskId: string): VendorRequest {
  const path = `${basePath(question)}/task_get/advanced/${taskId}`;
  return { method: "GET", host: dataforseoHost, path, isPaid: false, withinMs: taskWithinMs };
}

/** The login and the password, as HTTP's Basic authentication (RFC 7617). */
function dataforseoAuthorized(
  { path, headers }: VendorRequest,
  credential: string,
): AuthorizedRequest {
  const basic = Buffer.from(credential).toString("base64");
  return { path, headers: { ...headers, authorization: `Basic ${basic}` } };
}

function basePath({ provider }: VendorQuestion): string {
  return `/v3/serp/google/${provider === "GOOGLE_AI_MODE" ? "ai_mode" : "organic"}`;
}

/** DataForSEO decodes keywords: a plus would become a space. */
function keywordOf(prompt: string): string {
  return prompt.replaceAll("%", "%25").replaceAll("+", "%2B");
}

/** The only task of a reply. */
function taskOf(body: JsonObject): JsonObject {
  const [task, ...others] = listAt(body, "tasks");
  if (task === undefined || others.length > 0) {
    throw new UnknownShape("the reply is not of one task");
  }
  return task;
}

/** A status code of DataForSEO's own, of a reply or of its task. */
function codeOf(holder: JsonObject): number {
  const code = holder["status_code"];
  if (typeof code === "number" && Number.isInteger(code)) return code;
  throw new UnknownShape('the reply lacks "status_code"');
}

/** What the replies so far cost, which each tells. Lenient: an answer is right whatever it cost. */
function usageOf(exchanges: readonly Exchange[]): Usage {
  const costs = exchanges.map(({ reply }) => costOf(reply.body));
  const told = costs.filter((cost) => cost !== null);
  const searches = exchanges.filter(({ request, reply }) => {
    return request.isPaid && reply.status === 200;
  }).length;
  const used = { ...noUsage, searches, isReported: searches > 0 };
  if (told.length === 0) return used;
  const amount = told.reduce((sum, cost) => sum + cost, 0);
  return { ...used, cost: { amount, currency: "USD" } };
}

const costMax = 1_000;

function costOf(body: string): number | null {
  try {
    const cost = parsedObject(body)["cost"];
    const isCost = typeof cost === "number" && cost >= 0 && cost <= costMax;
    return isCost ? cost : null;
  } catch {
    return null;
  }
}

/** What the page of a task shows; null: no answer. "later": it would have, and did not load. */
function captureOf(task: JsonObject, provider: Provider): Capture | "later" | null {
  const [result, ...others] = listAt(task, "result");
  if (result === undefined || others.length > 0) {
    throw new UnknownShape("the task has not one result");
  }
  const items = listAt(result, "items");
  const overviews = items.filter((item) => textAt(item, "type") === "ai_overview");
  const isListed = textsAt(result, "item_types").includes("ai_overview");
  if (!Object.hasOwn(result, "item_types") || isListed !== overviews.length > 0) {
    throw new UnknownShape('"items" and "item_types" disagree');
  }
  if (overviews.length > 1) throw new UnknownShape("the page has several answers");
  const [overview] = overviews;
  if (overview === undefined) {
    // A page of results may have no overview; one of AI Mode is the answer, whatever it is called.
    const [other] = provider === "GOOGLE_AI_MODE" ? items : [];
    if (other === undefined) return null;
    throw new UnknownShape(`"${textAt(other, "type")}" is not a known item of AI Mode`);
  }
  const text = textOf(overview);
  if (text === "" && overview["asynchronous_ai_overview"] === true) return "later";
  if (!Object.hasOwn(overview, "references")) {
    throw new UnknownShape('the answer lacks "references"');
  }
  const damaged = new DamagedSources();
  const whole = citedBy(overview, null, damaged);
  const cited = [...whole, ...citingParts(overview, text, damaged)];
  const { warnings } = damaged;
  return { text, cited, retrieved: [], searchQueries: [], model: null, warnings };
}

/** The answer as Markdown; where it is null, its parts'. */
function textOf(overview: JsonObject): string {
  if (!Object.hasOwn(overview, "markdown")) throw new UnknownShape('the answer lacks "markdown"');
  const markdown = optionalTextAt(overview, "markdown");
  if (markdown !== null) return markdown;
  const parts = (optionalListAt(overview, "items") ?? []).map((part) => {
    return optionalTextAt(part, "markdown") ?? optionalTextAt(part, "text") ?? "";
  });
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The references of each part of the answer, which need not be among those of the whole. */
function citingParts(
  overview: JsonObject,
  text: string,
  damaged: DamagedSources,
): readonly CitedPage[] {
  let from = 0;
  return (optionalListAt(overview, "items") ?? []).flatMap((part) => {
    const markdown = optionalTextAt(part, "markdown") ?? "";
    const start = markdown === "" ? -1 : text.indexOf(markdown, from);
    const span = start === -1 ? null : { start, end: start + markdown.length };
    from = span?.end ?? from;
    return citedBy(part, span, damaged);
  });
}

/** The references of an answer or of a part of it, which may have none. */
function citedBy(
  holder: JsonObject,
  span: Span | null,
  damaged: DamagedSources,
): readonly CitedPage[] {
  const references = optionalListAt(holder, "references") ?? [];
  return damaged.pagesOf(references, "url").map((page) => ({ ...page, span }));
}

/** The id of a task, which becomes a part of a path. */
function taskIdOf(task: JsonObject): string {
  const id = textAt(task, "id");
  if (!/^[\w-]{1,100}$/.test(id)) throw new UnknownShape("the id of the task is not one");
  return id;
}

/** What a reply says of itself, for people. */
function messageOf(holder: JsonObject): string {
  const message = holder["status_message"];
  return typeof message === "string" ? message : "no reason is given";
}

/** Statuses of HTTP need no rules: errors are told in replies of status 200. */
const dataforseoErrors: readonly FailureRule[] = [];

/** A page is there. */
const doneCode = 20_000;
/** A task was taken. */
const takenCode = 20_100;
/** The search engine has nothing to show. */
const noResultsCode = 40_102;
/** A task waits. */
const queuedCode = 40_602;
/** A task is worked on. */
const runningCode = 40_601;

/** The limits per minute, and of requests at a time. */
const waits: readonly number[] = [40_202, 40_209, 40_301, 40_302];
/** The search engine or a task failed; some of these are billed, which the reply's cost tells. */
const retries: readonly number[] = [40_101, 40_103, 40_106];

/** What a status code of DataForSEO's own asks for (docs.dataforseo.com/v3/appendix/errors). */
function classOfCode(code: number): FailureClass {
  if (waits.includes(code)) return "wait";
  if (retries.includes(code) || code >= 50_000) return "retry";
  // 40100: the login; 40104: the account is not verified; 402xx: its balance, limits and rights.
  const isOfAccount = code === 40_100 || code === 40_104 || (code >= 40_200 && code < 40_300);
  return isOfAccount ? "stop-vendor" : "give-up";
}

/** Queued pages take some five minutes, and 45 at most. */
const pollAfterMs = 15_000;

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

function stepOf(question: VendorQuestion, last: Exchange, exchanges: readonly Exchange[]): Step {
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
      return { kind: "send", request: dataforseoTaskRequest(question, taskIdOf(task)) };
    case queuedCode:
    case runningCode:
      return { kind: "pending", afterMs: pollAfterMs, isQueued: taskCode === queuedCode };
    default:
      return failed(failureOf(taskCode, task), usage);
  }
}

function pageStep(capture: ReturnType<typeof captureOf>, usage: Usage): Step {
  if (capture !== "later") return capturedAnswer(capture, usage);
  return failed(reportedFailure("retry", "the page's overview did not load"), usage);
}

function failureOf(code: number, holder: JsonObject) {
  return reportedFailure(classOfCode(code), `${code}: ${messageOf(holder)}`);
}

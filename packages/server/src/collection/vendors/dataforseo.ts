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

/** The values of a question's `model`: wait for the page, or queue it for a third of the price. */
const dataforseoMethods = ["live", "standard"] as const;

/** A page takes some 6 seconds, at most 120. */
const withinMs = 150_000;
/** Polling a task is quick. */
const taskWithinMs = 30_000;
const promptCharactersMax = 700;

/** Why DataForSEO refuses a question, for people; null: it does not. */
function dataforseoRefusal({ prompt, region, model }: VendorQuestion): string | null {
  if (model !== null && !dataforseoMethods.some((method) => method === model)) {
    return `DataForSEO has the methods ${dataforseoMethods.join(" and ")}, got ${model}`;
  }
  if (keywordOf(prompt).length > promptCharactersMax) {
    return `DataForSEO takes prompts of at most ${promptCharactersMax} characters`;
  }
  return regionRefusal(region, "DataForSEO");
}

/** The billed request: for the page, or for a task. */
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
    // An overview that the page loads later is loaded as well, and paid for only if there is one.
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

/** The free request that polls a task. */
function dataforseoTaskRequest(question: VendorQuestion, taskId: string): VendorRequest {
  const path = `${basePath(question)}/task_get/advanced/${taskId}`;
  return { method: "GET", host: dataforseoHost, path, isPaid: false, withinMs: taskWithinMs };
}

/** Login and password, as HTTP Basic authentication (RFC 7617). */
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

/**
 * The usage of the replies so far, each of which reports its cost. Lenient: an answer is right
 * whatever it cost.
 */
function usageOf(exchanges: readonly Exchange[]): Usage {
  const costs = exchanges.map(({ reply }) => costOf(reply.body));
  const reported = costs.filter((cost) => cost !== null);
  const searches = exchanges.filter(({ request, reply }) => {
    return request.isPaid && reply.status === 200;
  }).length;
  const used = { ...noUsage, searches, isReported: searches > 0 };
  if (reported.length === 0) return used;
  const amount = reported.reduce((sum, cost) => sum + cost, 0);
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

/** The page of a task; null: it has no answer. "later": its answer did not load in time. */
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
    // A page of results may have no overview; a page of AI Mode is the answer, whatever its type is
    // called.
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

/** The answer as Markdown; if it is null, that of its parts. */
function textOf(overview: JsonObject): string {
  if (!Object.hasOwn(overview, "markdown")) throw new UnknownShape('the answer lacks "markdown"');
  const markdown = optionalTextAt(overview, "markdown");
  if (markdown !== null) return markdown;
  const parts = (optionalListAt(overview, "items") ?? []).map((part) => {
    return optionalTextAt(part, "markdown") ?? optionalTextAt(part, "text") ?? "";
  });
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The references of each part of the answer; they may be missing from the answer's own list. */
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

/** The references of an answer or of a part; there may be none. */
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

/** The status message of a reply, for people. */
function messageOf(holder: JsonObject): string {
  const message = holder["status_message"];
  return typeof message === "string" ? message : "no reason is given";
}

/** No rules: errors come in replies of status 200. */
const dataforseoErrors: readonly FailureRule[] = [];

/** The page is ready. */
const doneCode = 20_000;
/** The task was created. */
const takenCode = 20_100;
/** The search engine has nothing to show. */
const noResultsCode = 40_102;
/** The task is queued. */
const queuedCode = 40_602;
/** The task is running. */
const runningCode = 40_601;

/** The limits per minute and of concurrent requests. */
const waits: readonly number[] = [40_202, 40_209, 40_301, 40_302];
/** The search engine or a task failed; some of these are billed, as the reply's cost reports. */
const retries: readonly number[] = [40_101, 40_103, 40_106];

/** The failure class of DataForSEO's own status codes (docs.dataforseo.com/v3/appendix/errors). */
function classOfCode(code: number): FailureClass {
  if (waits.includes(code)) return "wait";
  if (retries.includes(code) || code >= 50_000) return "retry";
  // 40100: the login; 40104: the account is not verified; 402xx: its balance, limits and rights.
  const isOfAccount = code === 40_100 || code === 40_104 || (code >= 40_200 && code < 40_300);
  return isOfAccount ? "stop-vendor" : "give-up";
}

/** Queued pages take some five minutes, at most 45. */
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

import { z } from "zod";
import { type StandInPage, type StandInSentence, textOf } from "../answers.ts";
import { requestPrices } from "../prices.ts";
import {
  type AskContext,
  badReading,
  type FreeContext,
  type Reading,
  type Refusal,
  type StandInReply,
  stateOf,
  type Task,
  type VendorStandIn,
} from "../vendor-stand-in.ts";

const errors: Readonly<Record<Refusal, readonly [number, number, string]>> = {
  credential: [401, 40100, "You are not Authorized to Access this Resource."],
  money: [402, 40200, "Payment Required."],
  limit: [429, 40202, "Rate limit per minute exceeded."],
  server: [500, 50000, "Internal Error."],
  overloaded: [503, 50301, "3rd Party API Service Unavailable."],
};

/** DataForSEO: Google's pages and its AI Mode, live or by tasks. */
export const dataforseo: VendorStandIn = {
  vendor: "dataforseo",
  hosts: ["api.dataforseo.com"],
  credentialOf: ({ headers }) => {
    const [, encoded] = headers.authorization?.match(/^Basic (.+)$/) ?? [];
    return encoded === undefined ? null : Buffer.from(encoded, "base64").toString("utf8");
  },
  refuse: (refusal) => {
    const [status, code, message] = errors[refusal];
    return { status, body: envelope({ code, message, tasks: [] }) };
  },
  read: ({ method, path, body }) => {
    const [, type, action] = path.match(/^\/v3\/serp\/google\/(ai_mode|organic)\/(.+)$/) ?? [];
    if ((type !== "ai_mode" && type !== "organic") || action === undefined) return null;
    const [, id] = action.match(/^task_get\/advanced\/([^/]+)$/) ?? [];
    if (method === "GET" && id !== undefined) {
      return { kind: "free", reply: (context) => gotTask(id, context) };
    }
    if (method !== "POST") return null;
    if (action === "live/advanced") return readPost(type, { body, isLive: true });
    return action === "task_post" ? readPost(type, { body, isLive: false }) : null;
  },
};

function readPost(
  type: PageType,
  { body, isLive }: { readonly body: unknown; readonly isLive: boolean },
): Reading {
  const [posted] = postSchema.safeParse(body).data ?? [];
  if (posted === undefined) {
    const fault = { code: 40501, message: "Invalid Field." };
    return badReading(200, envelope({ ...fault, tasks: [] }));
  }
  const region = posted.location_code ?? posted.location_name ?? null;
  const asked = {
    prompt: decoded(posted.keyword),
    region: region === null ? null : `${region}`,
    model: type,
  };
  const reply = (context: AskContext) => capture({ type, posted, isLive }, context);
  return { kind: "paid", ask: { ...asked, reply } };
}

/** DataForSEO decodes keywords as queries of URLs are: `%2B` is a plus, and a plus is a space. */
function decoded(keyword: string): string {
  try {
    return decodeURIComponent(keyword.replaceAll("+", " "));
  } catch {
    return keyword;
  }
}

function capture(captured: Captured, context: AskContext): StandInReply {
  const { type, posted, isLive } = captured;
  const isFailed = context.happens("incomplete");
  const isLater = type === "organic" && context.happens("secondRequest");
  const isAbsent = type === "organic" && context.happens("absent");
  const isLoaded = isLater && !isAbsent && posted.load_async_ai_overview === true;
  const speed = isLive ? "live" : posted.priority === 2 ? "high" : "standard";
  const price = requestPrices.dataforseo[type][speed];
  // Loading an overview costs as much again, which is given back where there was none to load.
  const micros = isFailed ? 0 : price * (isLoaded ? 2 : 1);
  const id = context.draws.uuid("task");
  const result = isFailed ? null : [resultOf(captured, { ...context, isLater, isAbsent })];
  const done = isFailed
    ? { code: 40103, message: "Task execution failed." }
    : { code: 20000, message: "Ok." };
  const shown = { id, ...done, cost: micros / 1e6, captured, result };
  const consumed = { model: type, inputTokens: 0, outputTokens: 0, searches: 1 };
  const charge = isFailed ? {} : { charge: { ...consumed, micros } };
  if (isLive) return { status: 200, body: taskOf(shown), ...charge };
  const { queueMs, runMs } = context.taskTimes();
  const startsAt = context.now + queueMs;
  const times = { createdAt: context.now, startsAt, endsAt: startsAt + runMs };
  const kept = taskOf({ ...shown, cost: 0 });
  const task: Task = { id, vendor: "dataforseo", key: null, kind: type, ...times, result: kept };
  const accepted = { ...shown, code: 20100, message: "Task Created.", result: null };
  return { status: 200, body: taskOf(accepted), task, ...charge };
}

function gotTask(id: string, { tasks, now }: FreeContext): StandInReply {
  const task = tasks.get("dataforseo", id);
  const waiting = (code: number, message: string): StandInReply => ({
    status: 200,
    body: taskOf({ id, code, message, cost: 0, captured: null, result: null }),
  });
  if (task === undefined) return waiting(40401, "Task Not Found.");
  const state = stateOf(task, now);
  if (state === "queued") return waiting(40602, "Task In Queue.");
  return state === "running" ? waiting(40601, "Task Handed.") : { status: 200, body: task.result };
}

/** What DataForSEO takes: one page a request. */
const postSchema = z
  .array(
    z.looseObject({
      keyword: z.string().min(1).max(700),
      location_code: z.int().optional(),
      location_name: z.string().optional(),
      language_code: z.string().optional(),
      priority: z.int().min(1).max(2).optional(),
      tag: z.string().max(255).optional(),
      load_async_ai_overview: z.boolean().optional(),
    }),
  )
  .length(1);
/** What is asked of DataForSEO: one page. */
type PostedPage = z.infer<typeof postSchema>[number];

/** Which kind of page. */
type PageType = "ai_mode" | "organic";

/** A page that is captured, now or later. */
interface Captured {
  readonly type: PageType;
  readonly posted: PostedPage;
  readonly isLive: boolean;
}

const version = "0.1.20261101";

/** The frame of every reply. */
function envelope(shown: {
  readonly code: number;
  readonly message: string;
  readonly tasks: readonly { readonly cost: number; readonly status_code: number }[];
}) {
  const { code, message, tasks } = shown;
  return {
    version,
    status_code: code,
    status_message: message,
    time: "0.1 sec.",
    cost: tasks.reduce((sum, task) => sum + task.cost, 0),
    tasks_count: tasks.length,
    tasks_error: tasks.filter(({ status_code }) => status_code >= 40000).length,
    tasks,
  };
}

/** A reply about one task. */
function taskOf(shown: {
  readonly id: string;
  readonly code: number;
  readonly message: string;
  /** In dollars. */
  readonly cost: number;
  /** Null: not known. */
  readonly captured: Captured | null;
  readonly result: readonly unknown[] | null;
}) {
  const { id, code, message, cost, captured, result } = shown;
  const asked = captured === null ? [] : ["v3", "serp", "google", captured.type];
  const task = {
    id,
    status_code: code,
    status_message: message,
    time: "0.1 sec.",
    cost,
    result_count: result?.length ?? 0,
    path: asked,
    data:
      captured === null
        ? {}
        : { api: "serp", se: "google", se_type: captured.type, ...captured.posted },
    result,
  };
  return envelope({ code: 20000, message: "Ok.", tasks: [task] });
}

type Context = AskContext & { readonly isLater: boolean; readonly isAbsent: boolean };

/** What a page showed: an overview, unless there is none, and what else was found. */
function resultOf({ type, posted }: Captured, context: Context) {
  const { answer, isAbsent, now } = context;
  const organic = answer.retrieved.map(({ url, title, domain, snippet }, index) => ({
    type: "organic",
    rank_group: index + 1,
    rank_absolute: index + 2,
    domain,
    title,
    url,
    description: snippet,
  }));
  const overview = isAbsent ? [] : [overviewOf({ type, posted }, context)];
  const items = type === "ai_mode" ? overview : [...overview, ...organic];
  return {
    keyword: posted.keyword,
    type,
    se_domain: "google.com",
    location_code: posted.location_code ?? null,
    language_code: posted.language_code ?? null,
    check_url: `https://www.google.com/search?q=${encodeURIComponent(posted.keyword)}`,
    datetime: new Date(now)
      .toISOString()
      .replace("T", " ")
      .replace(/\.\d+Z$/, " +00:00"),
    item_types: [...new Set(items.map((item) => item.type))],
    items_count: items.length,
    items,
  };
}

function overviewOf({ type, posted }: Omit<Captured, "isLive">, { answer, isLater }: Context) {
  const place = { type: "ai_overview", rank_group: 1, rank_absolute: 1, position: "left" };
  const isOrganic = type === "organic";
  const later = isOrganic ? { asynchronous_ai_overview: isLater } : {};
  // Google loads it after the page, and nobody asked that this be waited for.
  if (isOrganic && isLater && posted.load_async_ai_overview !== true) {
    return { ...place, ...later, markdown: null, items: null, references: null };
  }
  const others = answer.retrieved.filter((page) => !answer.cited.includes(page)).slice(0, 2);
  return {
    ...place,
    ...later,
    markdown: textOf(answer.sentences),
    items: answer.sentences.map(elementOf),
    references: [...answer.cited, ...others].map(referenceOf),
  };
}

function elementOf({ text, pages }: StandInSentence) {
  return {
    type: "ai_overview_element",
    position: "left",
    title: null,
    text: text.replaceAll("**", ""),
    markdown: text,
    links: null,
    references: pages.length === 0 ? null : pages.map(referenceOf),
  };
}

function referenceOf({ url, title, domain, snippet }: StandInPage) {
  const place = { type: "ai_overview_reference", position: "left" };
  return { ...place, source: domain, domain, url, title, text: snippet };
}

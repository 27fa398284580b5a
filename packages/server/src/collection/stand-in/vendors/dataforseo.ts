import { requestPrices } from "../prices.ts";
import { stateOf, type Task } from "../tasks.ts";
import {
  type AskContext,
  badReading,
  type FreeContext,
  type Reading,
  type Refusal,
  type StandInReply,
  type VendorStandIn,
} from "../vendor-stand-in.ts";
import {
  type Captured,
  envelope,
  type PageType,
  postSchema,
  resultOf,
  taskOf,
} from "./dataforseo-shape.ts";

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

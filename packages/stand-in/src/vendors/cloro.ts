import { z } from "zod";
import { type StandInPage, textOf } from "../answers.ts";
import { cloroCredits, requestPrices } from "../prices.ts";
import { annotated } from "../responses-shape.ts";
import {
  type AskContext,
  badReading,
  bearerOf,
  type FreeContext,
  type Reading,
  type Refusal,
  type StandInReply,
  stateOf,
  type Task,
  type VendorStandIn,
} from "../vendor-stand-in.ts";

const payloadSchema = z.looseObject({
  prompt: z.string().min(1).max(10_000).optional(),
  query: z.string().min(1).max(10_000).optional(),
  country: z.string().length(2).optional(),
  include: z
    .looseObject({
      markdown: z.boolean().optional(),
      searchQueries: z.boolean().optional(),
      aioverview: z.union([z.boolean(), z.looseObject({})]).optional(),
    })
    .optional(),
});
const taskSchema = z.looseObject({
  taskType: z.enum(["CHATGPT", "COPILOT", "PERPLEXITY", "GEMINI", "GROK", "AIMODE", "GOOGLE"]),
  idempotencyKey: z.string().min(1).optional(),
  payload: payloadSchema,
});
type TaskRequest = z.infer<typeof taskSchema>;

const errors: Readonly<Record<Refusal, readonly [number, string, string]>> = {
  credential: [401, "INVALID_OR_EXPIRED_API_KEY", "Invalid or expired API key"],
  money: [403, "INSUFFICIENT_CREDITS", "Insufficient credits"],
  limit: [429, "CONCURRENT_LIMIT_EXCEEDED", "Concurrent limit exceeded"],
  server: [500, "INTERNAL_SERVER_ERROR", "Internal server error"],
  overloaded: [503, "SERVICE_UNAVAILABLE", "Service unavailable"],
};
const errorOf = (code: string, message: string) => ({
  error: { code, message, timestamp: "2026-01-01T00:00:00.000Z" },
});

/** What a query fan-out costs of ChatGPT's page; and what an overview costs of Google's. */
const extraCredits = 2;

/** Cloro: consumer pages, by tasks. */
export const cloro: VendorStandIn = {
  vendor: "cloro",
  hosts: ["api.cloro.dev"],
  credentialOf: bearerOf,
  refuse: (refusal) => {
    const [status, code, message] = errors[refusal];
    return { status, body: errorOf(code, message) };
  },
  read: (request) => {
    const [, id] = request.path.match(/^\/v1\/async\/task\/([^/]+)$/) ?? [];
    if (request.method === "GET" && id !== undefined) {
      return { kind: "free", reply: (context) => statusOf(id, context) };
    }
    if (request.method !== "POST" || request.path !== "/v1/async/task") return null;
    return readTask(request.body);
  },
};

function readTask(body: unknown): Reading {
  const { data } = taskSchema.safeParse(body);
  const prompt = data?.payload[data.taskType === "GOOGLE" ? "query" : "prompt"];
  if (data === undefined || prompt === undefined) {
    const details = [{ field: "payload", message: "Prompt cannot be empty" }];
    return badReading(400, { success: false, error: "Request validation failed", details });
  }
  const region = data.payload.country ?? null;
  const reply = (context: AskContext) => created(data, context);
  return { kind: "paid", ask: { prompt, region, model: data.taskType, reply } };
}

function creditsOf({ taskType, payload: { include } }: TaskRequest): number {
  const hasMore =
    (taskType === "CHATGPT" && include?.searchQueries === true) ||
    (taskType === "GOOGLE" && include?.aioverview !== undefined);
  return (cloroCredits[taskType] ?? 0) + (hasMore ? extraCredits : 0);
}

function created(request: TaskRequest, context: AskContext): StandInReply {
  const { idempotencyKey: key = null, taskType } = request;
  if (key !== null && context.tasks.hasKey("cloro", key)) {
    return { status: 409, body: errorOf("CONFLICT", "The idempotency key has been used") };
  }
  const isFailed = context.happens("incomplete");
  const credits = creditsOf(request);
  const { queueMs, runMs } = context.taskTimes();
  const startsAt = context.now + queueMs;
  const charged = isFailed ? 0 : credits;
  const result = isFailed
    ? { success: false, error: "Maximum retries exceeded" }
    : pageOf(request, context);
  const task: Task = {
    id: context.draws.uuid("task"),
    vendor: "cloro",
    key,
    kind: taskType,
    createdAt: context.now,
    startsAt,
    endsAt: startsAt + runMs,
    result: { isFailed, credits, charged, response: result },
  };
  const body = {
    success: true,
    task: shownTask(task, "QUEUED"),
    credits: { creditsToCharge: credits },
  };
  const consumed = { model: taskType, inputTokens: 0, outputTokens: 0, searches: 0 };
  const charge = { ...consumed, micros: charged * requestPrices.cloroCredit };
  return { status: 200, body, task, ...(isFailed ? {} : { charge }) };
}

function shownTask({ id, kind, key, createdAt }: Task, status: string) {
  const named = key === null ? {} : { idempotencyKey: key };
  const createdAtText = new Date(createdAt).toISOString();
  return { id, taskType: kind, status, priority: 1, createdAt: createdAtText, ...named };
}

const kept = z.object({
  isFailed: z.boolean(),
  credits: z.number(),
  charged: z.number(),
  response: z.unknown(),
});

function statusOf(id: string, { tasks, now }: FreeContext): StandInReply {
  const task = tasks.get("cloro", id);
  if (task === undefined) return { status: 404, body: errorOf("NOT_FOUND", "Task not found") };
  const state = stateOf(task, now);
  const { isFailed, credits, charged, response } = kept.parse(task.result);
  if (state !== "ended") {
    const shown = shownTask(task, state === "queued" ? "QUEUED" : "PROCESSING");
    return { status: 200, body: { task: shown, credits: { creditsToCharge: credits } } };
  }
  const shown = shownTask(task, isFailed ? "FAILED" : "COMPLETED");
  const money = { creditsToCharge: credits, creditsCharged: charged };
  return { status: 200, body: { task: shown, credits: money, response } };
}

/** What a page showed. ChatGPT's and Google's tell what they cite from what they found. */
function pageOf({ taskType, payload: { include } }: TaskRequest, context: AskContext): unknown {
  const { answer } = context;
  const { text: markdown } = annotated(answer, ({ url, title }) => ({
    text: `([${title.replace(/[[\]]/g, "")}](${url}))`,
    url,
  }));
  const text = textOf(answer.sentences).replaceAll("**", "");
  const hasPills = taskType === "CHATGPT" || taskType === "GOOGLE";
  const sources = (hasPills ? answer.retrieved : answer.cited).map(sourceOf);
  const citationPills = answer.cited.map(({ url, title, domain }, index) => ({
    citationPillId: index + 1,
    url,
    label: title,
    domain,
    position: index + 1,
  }));
  const pills = hasPills ? { citationPills } : {};
  const page = { text, sources, ...pills, ...(include?.markdown === true ? { markdown } : {}) };
  if (taskType === "GOOGLE") {
    return context.happens("absent") ? { aioverview: null } : { aioverview: { ...page, markdown } };
  }
  if (taskType === "CHATGPT") {
    const searches = include?.searchQueries === true ? { searchQueries: answer.queries } : {};
    return { ...page, model: "gpt-5-3-mini", ...searches };
  }
  return taskType === "PERPLEXITY" ? { ...page, search_model_queries: answer.queries } : page;
}

function sourceOf({ url, title, snippet }: StandInPage, index: number) {
  return { position: index + 1, url, label: title, description: snippet };
}

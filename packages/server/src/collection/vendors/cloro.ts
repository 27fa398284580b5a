import type { Provider } from "@sightline/contract";
import type { Adapter, Exchange, Step, Usage, VendorQuestion, VendorRequest } from "../adapter.ts";
import { DamagedSources, type RetrievedPage } from "./cited-pages.ts";
import { type Capture, capturedAnswer, failed, noUsage } from "./collected-answer.ts";
import {
  asksOf,
  bearer,
  countAt,
  type JsonObject,
  lenientObjectAt,
  objectAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  parsedObject,
  textAt,
  UnknownShape,
} from "./read-json.ts";
import { type FailureRule, giveUp, notUnderstood, replyFailure } from "./reply-failure.ts";

/** The host of Cloro's API. */
const cloroHost = "api.cloro.dev";

/** Creating and polling a task is quick. */
const withinMs = 60_000;
const promptCharactersMax = 10_000;

/** The country of a page whose task names none, as Cloro documents it. */
const regionUnlessSaid = "US";

/** The pages that Cloro supports, by the names of its tasks. */
const cloroTasks: Partial<Readonly<Record<Provider, string>>> = {
  COPILOT: "COPILOT",
  OPENAI: "CHATGPT",
  PERPLEXITY: "PERPLEXITY",
  GEMINI: "GEMINI",
  GROK: "GROK",
};

/** Why Cloro refuses a question, for people; null: it does not. */
function cloroRefusal({ prompt, provider, model }: VendorQuestion): string | null {
  if (cloroTasks[provider] === undefined) return `Cloro has no page of ${provider}`;
  if (model !== null) return `Cloro asks pages, whose model cannot be chosen, got ${model}`;
  return prompt.length > promptCharactersMax
    ? `Cloro takes prompts of at most ${promptCharactersMax} characters`
    : null;
}

/** The billed request, which creates a task. Its idempotency key prevents a second, paid task. */
function cloroRequest({ id, prompt, region, provider }: VendorQuestion): VendorRequest {
  return {
    method: "POST",
    host: cloroHost,
    path: "/v1/async/task",
    body: {
      taskType: cloroTasks[provider],
      idempotencyKey: id,
      payload: {
        prompt,
        ...(region === null ? {} : { country: region }),
        include: { markdown: true },
      },
    },
    isPaid: true,
    withinMs,
  };
}

/** The free request that polls a task. */
function cloroTaskRequest(taskId: string): VendorRequest {
  const path = `/v1/async/task/${taskId}`;
  return { method: "GET", host: cloroHost, path, isPaid: false, withinMs };
}

/** The states of a task. */
const taskStates = ["QUEUED", "PROCESSING", "COMPLETED", "FAILED"] as const;
/** One of the closed list of states. */
type TaskState = (typeof taskStates)[number];

/** The credits of a task, from its latest reply, as searches: Cloro counts nothing else. */
function usageOf(exchanges: readonly Exchange[]): Usage {
  const credits = exchanges.map(({ reply }) => creditsOf(reply.body));
  const searches = credits.findLast((charged) => charged > 0) ?? 0;
  return { ...noUsage, searches, isReported: searches > 0 };
}

function creditsOf(body: string): number {
  try {
    return countAt(lenientObjectAt(parsedObject(body), "credits"), "creditsCharged");
  } catch {
    return 0;
  }
}

/** The id of a task, which becomes a part of a path. */
function taskIdOf(body: JsonObject): string {
  const id = textAt(objectAt(body, "task"), "id");
  if (!/^[\w-]{1,100}$/.test(id)) throw new UnknownShape("the id of the task is not one");
  return id;
}

/** The state of the task in a reply. */
function stateOf(body: JsonObject): TaskState {
  const status = textAt(objectAt(body, "task"), "status");
  const state = taskStates.find((each) => each === status);
  if (state === undefined) throw new UnknownShape(`"${status}" is not a known state of a task`);
  return state;
}

/** Why a task failed, for people. */
function faultOf(body: JsonObject): string {
  const response = lenientObjectAt(body, "response");
  const error = response?.["error"];
  const message = lenientObjectAt(response, "error")?.["message"] ?? error;
  return typeof message === "string" ? message : "no reason is given";
}

/** The page of a task. Polled tasks contain it directly; other replies of Cloro in `result`. */
function captureOf(body: JsonObject): Capture {
  const response = objectAt(body, "response");
  const page = optionalObjectAt(response, "result") ?? response;
  const plain = textAt(page, "text");
  const damaged = new DamagedSources();
  const sources = pagesOf(page, "sources", damaged);
  if (sources === null) throw new UnknownShape('the page lacks "sources"');
  // Pills are the links within the text; on pages that have them, the list contains more than is
  // cited.
  const pills = pagesOf(page, "citationPills", damaged);
  const titles = new Map(sources.map(({ url, title }) => [url, title]));
  const cited = (pills ?? sources).map(({ url, title }) => ({
    url,
    title: titles.get(url) ?? title,
    span: null,
  }));
  return {
    text: optionalTextAt(page, "markdown") ?? plain,
    cited,
    retrieved: pills === null ? [] : sources,
    searchQueries: queriesOf(page),
    model: optionalTextAt(page, "model"),
    warnings: damaged.warnings,
  };
}

/** The pages of a list; null: there is no such list. */
function pagesOf(
  page: JsonObject,
  field: string,
  damaged: DamagedSources,
): readonly RetrievedPage[] | null {
  const listed = optionalListAt(page, field);
  if (listed === null) return null;
  return listed.flatMap((each) => {
    const read = damaged.pageAt(each, "url", { title: "label" });
    return read === null ? [] : [{ ...read, title: read.title === "" ? null : read.title }];
  });
}

/** The assistant's search queries, under the names of each page. Lenient: few pages have them. */
function queriesOf(page: JsonObject): readonly string[] {
  const lists = [page["searchQueries"], page["search_model_queries"]];
  const queries = lists.find((list) => Array.isArray(list)) as readonly unknown[] | undefined;
  return (queries ?? []).filter((query) => typeof query === "string");
}

/** Rules where Cloro's statuses differ from HTTP's. */
const cloroErrors: readonly FailureRule[] = [
  // A task with this key exists: another would be refused for ever, or paid twice.
  { status: 409, says: /^/, class: "give-up" },
  // The page's request was cancelled on the way.
  { status: 499, says: /^/, class: "retry" },
];

/** A page takes about a minute after Cloro starts. */
const pollAfterMs = 5_000;

/** Cloro: the consumer pages of assistants, through tasks. */
export const cloro: Adapter = {
  vendor: "cloro",
  hosts: [cloroHost],
  asks: asksOf("cloro"),
  regionOf: ({ region }) => region ?? regionUnlessSaid,
  refusal: cloroRefusal,
  step: (question, exchanges) => {
    const last = exchanges.at(-1);
    if (last === undefined) return { kind: "send", request: cloroRequest(question) };
    const usage = usageOf(exchanges);
    const failure = replyFailure(withPlainSuccess(last), cloroErrors);
    if (failure !== null) return failed(failure, usage);
    try {
      return stepOf(last, usage);
    } catch (error) {
      return failed(notUnderstood(error), usage);
    }
  },
  authorize: bearer,
};

function stepOf({ request, reply }: Exchange, usage: Usage): Step {
  const body = parsedObject(reply.body);
  if (request.isPaid) return { kind: "send", request: cloroTaskRequest(taskIdOf(body)) };
  const state = stateOf(body);
  switch (state) {
    case "QUEUED":
    case "PROCESSING":
      return { kind: "pending", afterMs: pollAfterMs, isQueued: state === "QUEUED" };
    case "COMPLETED":
      return capturedAnswer(captureOf(body), usage);
    case "FAILED":
      return failed(giveUp(`the task failed: ${faultOf(body)}`), usage);
  }
}

/** A created task is a success, whether its status is OK, Created or Accepted. */
function withPlainSuccess(exchange: Exchange): Exchange {
  const { reply } = exchange;
  return [201, 202].includes(reply.status)
    ? { ...exchange, reply: { ...reply, status: 200 } }
    : exchange;
}

import { microsOf, usageOf } from "../prices.ts";
import {
  annotated,
  askedOf,
  firstHalf,
  type ResponsesRequest,
  refusalText,
  responsesRequest,
  tokensOf,
} from "../responses-shape.ts";
import {
  type AskContext,
  badReading,
  bearerOf,
  modelsReading,
  type Refusal,
  type StandInReply,
  type VendorStandIn,
} from "../vendor-stand-in.ts";

const errors: Readonly<Record<Refusal, readonly [number, string, string, string | null]>> = {
  credential: [401, "Incorrect API key provided.", "invalid_request_error", "invalid_api_key"],
  money: [429, "You exceeded your current quota.", "insufficient_quota", "insufficient_quota"],
  limit: [429, "Rate limit reached for requests.", "requests", "rate_limit_exceeded"],
  server: [500, "The server had an error while processing your request.", "server_error", null],
  overloaded: [503, "The server is currently overloaded.", "service_unavailable_error", null],
};

const errorOf = (type: string, message: string, code: string | null) => ({
  error: { message, type, param: null, code },
});

/** OpenAI: Responses with `web_search`. */
export const openai: VendorStandIn = {
  vendor: "openai",
  hosts: ["api.openai.com"],
  credentialOf: bearerOf,
  refuse: (refusal) => {
    const [status, message, type, code] = errors[refusal];
    return { status, body: errorOf(type, message, code) };
  },
  modelErrors: {
    retiredModel: {
      status: 404,
      body: errorOf(
        ...(["invalid_request_error", "The model has been deprecated."] as const),
        "model_not_found",
      ),
    },
    dailyQuota: {
      status: 429,
      body: errorOf(
        "requests",
        "Rate limit reached on requests per day (RPD): Limit 200. Please try again in 7m12s.",
        "rate_limit_exceeded",
      ),
    },
  },
  read: (request) => {
    const models = modelsReading(request, "/v1/models", {
      object: "list",
      data: ["gpt-6.2-sol", "gpt-6.2-astra"].map((id) => ({
        id,
        object: "model",
        created: 1_763_000_000,
        owned_by: "system",
      })),
    });
    if (models !== null) return models;
    if (request.method !== "POST" || request.path !== "/v1/responses") return null;
    const { data } = responsesRequest.safeParse(request.body);
    if (data?.model == null) {
      return badReading(400, errorOf("invalid_request_error", "Invalid request.", null));
    }
    const { model } = data;
    const ask = { ...askedOf(data), model };
    return {
      kind: "paid",
      ask: { ...ask, reply: (context) => replyOf(data, { ...context, model }) },
    };
  },
};

type Context = AskContext & { readonly model: string };

function replyOf(request: ResponsesRequest, context: Context): StandInReply {
  const { searches: isSearching } = askedOf(request);
  const isRefused = context.happens("refused");
  const isIncomplete = !isRefused && context.happens("incomplete");
  const isPlain = isRefused || !isSearching;
  const answer = isPlain
    ? { ...context.answer, queries: [], cited: [], retrieved: [] }
    : context.answer;
  const usage = usageOf("openai", { ...context, answer });
  const body = {
    ...envelope(request, context),
    status: isIncomplete ? "incomplete" : "completed",
    incomplete_details: isIncomplete ? { reason: "max_output_tokens" } : null,
    output: [
      { id: `rs_${context.draws.hex("reasoning", 48)}`, type: "reasoning", summary: [] },
      ...searchesOf(request, { ...context, answer }),
      messageOf({ ...context, answer: isIncomplete ? firstHalf(answer) : answer }, isRefused),
    ],
    usage: {
      input_tokens: usage.inputTokens,
      input_tokens_details: {
        cached_tokens: usage.cachedTokens,
        cache_write_tokens: usage.cacheWriteTokens,
      },
      output_tokens: usage.outputTokens,
      output_tokens_details: {
        reasoning_tokens: Math.max(usage.outputTokens - tokensOf(answer), 0),
      },
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
    tool_usage: { web_search: { num_requests: usage.searches } },
  };
  const consumed = { ...usage, model: context.model };
  const charge = { ...consumed, micros: microsOf("openai", consumed) };
  return {
    status: 200,
    headers: { "x-request-id": `req_${context.draws.hex("r", 32)}` },
    body,
    charge,
  };
}

function envelope(request: ResponsesRequest, { draws, model, now }: Context) {
  return {
    id: `resp_${draws.hex("id", 48)}`,
    object: "response",
    created_at: Math.floor(now / 1_000),
    background: false,
    billing: { payer: "developer" },
    error: null,
    instructions: null,
    max_output_tokens: null,
    metadata: request.metadata ?? {},
    // A name without a date means its latest version, which the reply names.
    model: /\d{4}-\d{2}-\d{2}$/.test(model) ? model : `${model}-2026-08-07`,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: "medium", summary: null },
    service_tier: "default",
    store: true,
    temperature: 1,
    text: { format: { type: "text" }, verbosity: "medium" },
    tool_choice: "auto",
    tools: (request.tools ?? []).map(({ type }) => ({ type, search_context_size: "medium" })),
    top_p: 1,
    truncation: "disabled",
    user: null,
  };
}

function searchesOf(request: ResponsesRequest, { answer, draws }: Context) {
  const hasSources = request.include?.includes("web_search_call.action.sources") ?? false;
  return answer.queries.map((query, index) => {
    const found = answer.retrieved.filter((_, at) => at % answer.queries.length === index);
    const sources = found.map(({ url }) => ({ type: "url", url }));
    return {
      id: `ws_${draws.hex(`search ${index}`, 48)}`,
      type: "web_search_call",
      status: "completed",
      action: { type: "search", query, ...(hasSources ? { sources } : {}) },
    };
  });
}

function messageOf({ answer, draws }: Context, isRefused: boolean) {
  const { text, annotations } = annotated(
    answer.cited.length === 0 ? { ...answer, sentences: uncited(answer.sentences) } : answer,
    ({ url, domain }) => {
      const marked = `${url}?utm_source=openai`;
      return { text: `([${domain}](${marked}))`, url: marked };
    },
  );
  const content = isRefused
    ? { type: "refusal", refusal: refusalText }
    : { type: "output_text", annotations, logprobs: [], text };
  const id = `msg_${draws.hex("message", 48)}`;
  return { id, type: "message", status: "completed", content: [content], role: "assistant" };
}

function uncited(sentences: Context["answer"]["sentences"]): Context["answer"]["sentences"] {
  return sentences.map(({ text }) => ({ text, pages: [] }));
}

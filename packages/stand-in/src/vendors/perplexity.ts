import { microsOf, usageOf } from "../prices.ts";
import {
  annotated,
  askedOf,
  firstHalf,
  type ResponsesRequest,
  responsesRequest,
} from "../responses-shape.ts";
import {
  type AskContext,
  badReading,
  bearerOf,
  type Refusal,
  type StandInReply,
  type VendorStandIn,
} from "../vendor-stand-in.ts";

const errors: Readonly<Record<Refusal, readonly [number, string, string]>> = {
  credential: [401, "invalid_api_key", "Invalid API key provided."],
  money: [401, "insufficient_quota", "You exceeded your current quota."],
  limit: [429, "rate_limit_exceeded", "Request rate limit exceeded."],
  server: [500, "internal_server_error", "An internal error occurred."],
  overloaded: [503, "service_unavailable", "The service is overloaded."],
};

/** Perplexity: the Agent API, whose older address is that of the Responses API. */
export const perplexity: VendorStandIn = {
  vendor: "perplexity",
  hosts: ["api.perplexity.ai"],
  credentialOf: bearerOf,
  refuse: (refusal) => {
    const [code, type, message] = errors[refusal];
    return { status: code, body: { error: { message, type, code } } };
  },
  modelErrors: {
    retiredModel: {
      status: 400,
      body: { error: { message: "Invalid model.", type: "invalid_model", code: 400 } },
    },
  },
  read: (request) => {
    const isAgent = ["/v1/responses", "/v1/agent"].includes(request.path);
    if (request.method !== "POST" || !isAgent) return null;
    const { data } = responsesRequest.safeParse(request.body);
    const model = data?.model ?? (data?.preset == null ? null : "openai/gpt-5.2");
    if (data === undefined || model === null) {
      const error = { message: "Invalid request.", type: "invalid_request", code: 400 };
      return badReading(400, { error });
    }
    const asked = { ...askedOf(data), model };
    const reply = (context: AskContext) => replyOf(data, { ...context, model });
    return { kind: "paid", ask: { ...asked, reply } };
  },
};

function replyOf(
  request: ResponsesRequest,
  context: AskContext & { readonly model: string },
): StandInReply {
  const { draws, model } = context;
  const isSearching = request.preset != null || askedOf(request).searches;
  const queries = isSearching ? context.answer.queries : [];
  const isFailed = context.happens("incomplete");
  const answer = isFailed ? firstHalf(context.answer) : context.answer;
  // All queries are one call of the tool.
  const calls = queries.slice(0, 1);
  const usage = usageOf("perplexity", { ...context, answer: { ...answer, queries: calls } });
  const consumed = { ...usage, model };
  const micros = microsOf("perplexity", consumed);
  const body = {
    id: `resp_${draws.uuid("id")}`,
    object: "response",
    created_at: Math.floor(context.now / 1_000),
    status: isFailed ? "failed" : "completed",
    ...(isFailed ? { error: { message: "The answer is incomplete.", type: "server_error" } } : {}),
    model,
    output: [...(isSearching ? [resultsOf({ ...context, answer })] : []), messageOf(answer, draws)],
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
      input_tokens_details: {
        cache_creation_input_tokens: usage.cacheWriteTokens,
        cache_read_input_tokens: usage.cachedTokens,
      },
      tool_calls_details: isSearching ? { web_search: { invocation: usage.searches } } : {},
      cost: costOf({ ...consumed, micros }),
    },
  };
  return { status: 200, body, charge: { ...consumed, micros } };
}

/** In dollars. The parts are rounded to millionths, and so that their sum is the whole. */
function costOf(charge: NonNullable<StandInReply["charge"]>) {
  const input = microsOf("perplexity", { ...charge, outputTokens: 0, searches: 0 });
  const noTokens = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
  const tools = microsOf("perplexity", { ...charge, ...noTokens });
  return {
    currency: "USD",
    input_cost: input / 1e6,
    output_cost: (charge.micros - input - tools) / 1e6,
    tool_calls_cost: tools / 1e6,
    total_cost: charge.micros / 1e6,
  };
}

function resultsOf({ answer }: AskContext) {
  const results = answer.retrieved.map(({ url, title, snippet }, index) => ({
    id: index + 1,
    url,
    title,
    snippet,
    date: "2026-10-01",
    last_updated: "2026-11-01",
    source: "web",
  }));
  return { type: "search_results", queries: answer.queries, results };
}

function messageOf(answer: AskContext["answer"], draws: AskContext["draws"]) {
  const { text, annotations } = annotated(answer, (page) => {
    const text = `[web:${answer.retrieved.indexOf(page) + 1}]`;
    return { text, url: page.url };
  });
  return {
    type: "message",
    id: `msg_${draws.uuid("message")}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations }],
  };
}

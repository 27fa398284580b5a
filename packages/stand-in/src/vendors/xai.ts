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

const exhausted = "Some resource has been exhausted";
const errors: Readonly<Record<Refusal, readonly [number, string, string]>> = {
  // The real one is 400, and not 401.
  credential: [
    ...([400, "Client specified an invalid argument"] as const),
    "Incorrect API key provided.",
  ],
  money: [429, exhausted, "Your team has either used all available credits or reached its limit."],
  limit: [429, exhausted, "Too many requests for your team."],
  server: [500, "Internal error", "Internal error."],
  overloaded: [503, "The service is currently unavailable", "The model is at capacity."],
};
/** What a dollar is in the unit of `cost_in_usd_ticks`: 10,000,000,000; a micro is this. */
const ticksOfMicro = 10_000;

/** xAI: Responses with `web_search`. */
export const xai: VendorStandIn = {
  vendor: "xai",
  hosts: ["api.x.ai"],
  credentialOf: bearerOf,
  refuse: (refusal) => {
    const [status, code, error] = errors[refusal];
    return { status, body: { code, error } };
  },
  modelErrors: {
    retiredModel: {
      status: 404,
      body: { code: "Some requested entity was not found", error: "The model does not exist." },
    },
  },
  read: (request) => {
    const models = modelsReading(request, "/v1/models", {
      object: "list",
      data: ["grok-4.7", "grok-4.6"].map((id) => ({
        id,
        object: "model",
        created: 1_758_000_000,
        owned_by: "xai",
      })),
    });
    if (models !== null) return models;
    if (request.method !== "POST" || request.path !== "/v1/responses") return null;
    const { data } = responsesRequest.safeParse(request.body);
    if (data?.model == null) {
      const code = "Client specified an invalid argument";
      return badReading(400, { code, error: "Invalid request." });
    }
    const { model } = data;
    const asked = { ...askedOf(data), model };
    const reply = (context: AskContext) => replyOf(data, { ...context, model });
    return { kind: "paid", ask: { ...asked, reply } };
  },
};

type Context = AskContext & { readonly model: string };

function replyOf(request: ResponsesRequest, context: Context): StandInReply {
  const { draws, model } = context;
  const isRefused = context.happens("refused");
  const isIncomplete = !isRefused && context.happens("incomplete");
  const isSearching = askedOf(request).searches && !isRefused;
  const queries = isSearching ? context.answer.queries : [];
  const answer = { ...(isIncomplete ? firstHalf(context.answer) : context.answer), queries };
  const usage = usageOf("xai", { ...context, answer });
  const consumed = { ...usage, model };
  const micros = microsOf("xai", consumed);
  const body = {
    created_at: Math.floor(context.now / 1_000),
    id: draws.uuid("id"),
    max_output_tokens: null,
    model,
    object: "response",
    output: [
      ...queries.map((query, at) => searchOf(query, draws.hex(`search ${at}`, 16))),
      messageOf({ ...context, answer }, isRefused),
    ],
    ...(isSearching ? { citations: answer.retrieved.map(({ url }) => url) } : {}),
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    temperature: null,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: (request.tools ?? []).map(({ type }) => ({ type })),
    top_p: null,
    usage: {
      input_tokens: usage.inputTokens,
      input_tokens_details: { cached_tokens: usage.cachedTokens },
      output_tokens: usage.outputTokens,
      output_tokens_details: {
        reasoning_tokens: Math.max(usage.outputTokens - tokensOf(answer), 0),
      },
      total_tokens: usage.inputTokens + usage.outputTokens,
      num_sources_used: 0,
      num_server_side_tools_used: usage.searches,
      cost_in_usd_ticks: micros * ticksOfMicro,
    },
    user: null,
    incomplete_details: isIncomplete ? { reason: "max_output_tokens" } : null,
    status: isIncomplete ? "incomplete" : "completed",
    store: true,
    metadata: {},
  };
  return { status: 200, body, charge: { ...consumed, micros } };
}

function searchOf(query: string, id: string) {
  const call = { arguments: JSON.stringify({ query, num_results: 5 }), call_id: "" };
  return {
    ...call,
    name: "web_search",
    type: "web_search_call",
    id: `fc_${id}`,
    status: "completed",
  };
}

function messageOf({ answer, draws }: Context, isRefused: boolean) {
  const { text, annotations } = annotated(answer, ({ url }, number) => ({
    text: `[[${number}]](${url})`,
    url,
  }));
  const numbered = annotations.map((each, index) => ({ ...each, title: `${index + 1}` }));
  const content = isRefused
    ? { type: "refusal", refusal: refusalText }
    : {
        type: "output_text",
        text,
        logprobs: [],
        annotations: answer.queries.length > 0 ? numbered : [],
      };
  const id = `msg_${draws.uuid("message")}`;
  return { content: [content], id, role: "assistant", type: "message", status: "completed" };
}

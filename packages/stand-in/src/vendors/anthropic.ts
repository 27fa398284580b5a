import { z } from "zod";
import { type StandInPage, textOf } from "../answers.ts";
import { microsOf, usageOf } from "../prices.ts";
import { firstHalf } from "../responses-shape.ts";
import {
  type AskContext,
  badReading,
  modelsReading,
  type Refusal,
  type StandInReply,
  type VendorStandIn,
} from "../vendor-stand-in.ts";

const block = z.looseObject({ type: z.string(), text: z.string().optional() });
const messagesRequest = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1),
  messages: z
    .array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(block)]) }))
    .min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.string().optional(),
        user_location: z.looseObject({ country: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
});
type MessagesRequest = z.infer<typeof messagesRequest>;

const errors: Readonly<Record<Refusal, readonly [number, string, string]>> = {
  credential: [401, "authentication_error", "invalid x-api-key"],
  money: [
    ...([400, "invalid_request_error"] as const),
    "Your credit balance is too low to access the Anthropic API.",
  ],
  limit: [429, "rate_limit_error", "This request would exceed your account's rate limit."],
  server: [500, "api_error", "Internal server error"],
  overloaded: [529, "overloaded_error", "Overloaded"],
};

const errorOf = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
  request_id: "req_stand_in",
});

/** Anthropic: Messages with the web search tool. */
export const anthropic: VendorStandIn = {
  vendor: "anthropic",
  hosts: ["api.anthropic.com"],
  credentialOf: ({ headers }) => headers["x-api-key"] ?? null,
  refuse: (refusal) => {
    const [status, type, message] = errors[refusal];
    return { status, body: errorOf(type, message) };
  },
  modelErrors: {
    retiredModel: { status: 404, body: errorOf("not_found_error", "model: claude") },
    searchDisabled: {
      status: 400,
      body: errorOf("invalid_request_error", "Web search is not enabled for this organization."),
    },
  },
  read: (request) => {
    const models = modelsReading(request, "/v1/models", {
      data: ["claude-sonnet-5-5", "claude-haiku-5-5"].map((id) => ({
        type: "model",
        id,
        display_name: id,
        created_at: "2026-10-01T00:00:00Z",
        capabilities: { server_tools: { web_search: true } },
      })),
      has_more: false,
      first_id: "claude-sonnet-5-5",
      last_id: "claude-haiku-5-5",
    });
    if (models !== null) return models;
    if (request.method !== "POST" || request.path !== "/v1/messages") return null;
    const { data } = messagesRequest.safeParse(request.body);
    if (data === undefined || request.headers["anthropic-version"] === undefined) {
      return badReading(400, errorOf("invalid_request_error", "Invalid request."));
    }
    const [first] = data.messages;
    const content = first?.content ?? "";
    const prompt =
      typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
    const region = data.tools?.find((tool) => tool.user_location != null)?.user_location?.country;
    const ask = { prompt, region: region ?? null, model: data.model };
    return { kind: "paid", ask: { ...ask, reply: (context) => replyOf(data, context) } };
  },
};

function replyOf(request: MessagesRequest, context: AskContext): StandInReply {
  const { answer, draws, happens } = context;
  const isSearching = request.tools?.some(({ type }) => type?.startsWith("web_search")) ?? false;
  // What was paused goes on: it has searched, and does not pause again.
  const isContinued = request.messages.at(-1)?.role === "assistant";
  const isRefused = happens("refused");
  const isPaused = !isRefused && isSearching && !isContinued && happens("pauseTurn");
  const isIncomplete = !isRefused && !isPaused && happens("incomplete");
  const isSearched = isSearching && !isRefused && !isContinued;
  const queries = isSearched ? answer.queries : [];
  const searches = queries.flatMap((_, index) => searchOf(index, context));
  const shown = isIncomplete ? firstHalf(answer) : answer;
  const texts = isPaused || isRefused ? [] : textsOf({ ...context, answer: shown }, isSearching);
  const usage = usageOf("anthropic", { ...context, answer: { ...answer, queries } });
  const body = {
    content: [...searches, ...texts],
    id: `msg_${draws.hex("id", 24)}`,
    model: request.model,
    role: "assistant",
    stop_reason: reasonOf({ isRefused, isPaused, isIncomplete }),
    stop_sequence: null,
    type: "message",
    usage: {
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
      cache_creation_input_tokens: usage.cacheWriteTokens,
      cache_read_input_tokens: usage.cachedTokens,
      // Without those of the cache, as Anthropic counts them.
      input_tokens: usage.inputTokens - usage.cachedTokens - usage.cacheWriteTokens,
      output_tokens: usage.outputTokens,
      server_tool_use: { web_fetch_requests: 0, web_search_requests: usage.searches },
      service_tier: "standard",
    },
  };
  const consumed = { ...usage, model: request.model };
  const charge = { ...consumed, micros: microsOf("anthropic", consumed) };
  return { status: 200, headers: { "request-id": `req_${draws.hex("r", 24)}` }, body, charge };
}

function reasonOf(ended: Readonly<Record<"isRefused" | "isPaused" | "isIncomplete", boolean>>) {
  if (ended.isRefused) return "refusal";
  if (ended.isPaused) return "pause_turn";
  return ended.isIncomplete ? "max_tokens" : "end_turn";
}

function searchOf(index: number, { answer, draws, happens }: AskContext): readonly object[] {
  const id = `srvtoolu_${draws.hex(`search ${index}`, 24)}`;
  const found = answer.retrieved.filter((_, at) => at % answer.queries.length === index);
  const isFailed = index === 0 && happens("searchError");
  return [
    { id, input: { query: answer.queries[index] }, name: "web_search", type: "server_tool_use" },
    {
      content: isFailed
        ? { type: "web_search_tool_result_error", error_code: "unavailable" }
        : found.map((page, at) => resultOf(page, draws.hex(`result ${index} ${at}`, 64))),
      tool_use_id: id,
      type: "web_search_tool_result",
    },
  ];
}

function resultOf({ url, title }: StandInPage, encrypted: string) {
  const page = { title, url, page_age: null };
  return { encrypted_content: encrypted, ...page, type: "web_search_result" };
}

/** A block for each sentence that cites, and one for what is between. */
function textsOf({ answer, draws }: AskContext, isSearching: boolean): readonly object[] {
  if (!isSearching) return [{ text: textOf(answer.sentences), type: "text" }];
  return answer.sentences.map(({ text, pages }, index) => {
    const line = index === 0 ? text : `\n${text}`;
    if (pages.length === 0) return { text: line, type: "text" };
    const citations = pages.map(({ url, title, snippet }, at) => ({
      cited_text: snippet,
      encrypted_index: draws.hex(`citation ${index} ${at}`, 48),
      title,
      type: "web_search_result_location",
      url,
    }));
    return { citations, text: line, type: "text" };
  });
}

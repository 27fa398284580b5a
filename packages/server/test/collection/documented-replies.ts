import type { Vendor } from "@sightline/contract";

/**
 * Replies in the shapes that vendors document, written by hand: synthetic, not recorded. They stand
 * for what no recording shows, such as the Agent API of Perplexity.
 */
export const documentedReplies = {
  openai: {
    object: "response",
    status: "completed",
    error: null,
    incomplete_details: null,
    model: "gpt-6.2-sol",
    output: [
      { type: "reasoning", summary: [] },
      {
        type: "web_search_call",
        status: "completed",
        action: {
          type: "search",
          queries: ["best phone"],
          sources: [
            { type: "url", url: "https://a.example/" },
            { type: "url", url: "https://b.example/" },
            { type: "api", name: "oai-weather" },
          ],
        },
      },
      {
        type: "message",
        status: "completed",
        phase: "final_answer",
        content: [
          {
            type: "output_text",
            text: "📱 Acme. ([b.example](https://b.example/))",
            annotations: [
              {
                type: "url_citation",
                start_index: 8,
                end_index: 41,
                url: "https://b.example/",
                title: "B",
              },
            ],
          },
        ],
      },
    ],
    usage: {
      input_tokens: 900,
      input_tokens_details: { cached_tokens: 200, cache_write_tokens: 300 },
      output_tokens: 80,
    },
    tool_usage: { web_search: { num_requests: 2 } },
  },
  anthropic: {
    type: "message",
    model: "claude-sonnet-5-5",
    stop_reason: "end_turn",
    content: [
      { type: "server_tool_use", name: "web_search", input: { query: "best phone" } },
      {
        type: "web_search_tool_result",
        content: [
          { type: "web_search_result", url: "https://a.example/", title: "A" },
          { type: "web_search_result", url: "https://b.example/", title: "B" },
        ],
      },
      { type: "text", text: "Best is " },
      {
        type: "text",
        text: "Acme",
        citations: [{ type: "web_search_result_location", url: "https://b.example/", title: "B" }],
      },
    ],
    usage: {
      input_tokens: 700,
      cache_creation_input_tokens: 50,
      cache_read_input_tokens: 150,
      output_tokens: 80,
      server_tool_use: { web_search_requests: 1 },
    },
  },
  gemini: {
    candidates: [
      {
        content: { role: "model", parts: [{ text: "Größe: Acme." }] },
        finishReason: "STOP",
        groundingMetadata: {
          webSearchQueries: ["best phone", "phone size"],
          searchEntryPoint: { renderedContent: "<div></div>" },
          groundingChunks: [
            { web: { uri: "https://a.example/", title: "a.example" } },
            { web: { uri: "https://b.example/", title: "b.example" } },
          ],
          groundingSupports: [
            {
              segment: { startIndex: 9, endIndex: 13, text: "Acme" },
              groundingChunkIndices: [1],
            },
          ],
        },
      },
    ],
    modelVersion: "gemini-3.8-flash",
    usageMetadata: {
      promptTokenCount: 10,
      toolUsePromptTokenCount: 90,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 60,
    },
  },
  perplexity: {
    object: "response",
    status: "completed",
    model: "perplexity/sonar",
    output: [
      {
        type: "search_results",
        queries: ["best phone"],
        results: [
          { id: 1, url: "https://a.example/", title: "A", snippet: "" },
          { id: 2, url: "https://b.example/", title: "B", snippet: "" },
        ],
      },
      {
        type: "search_results",
        queries: ["best phone 2026"],
        results: [{ id: 3, url: "https://c.example/", title: "C", snippet: "" }],
      },
      {
        type: "message",
        status: "completed",
        content: [
          { type: "output_text", text: "Acme[3] of [2024], or Bolt [web:2, 3].", annotations: [] },
        ],
      },
    ],
    usage: {
      input_tokens: 900,
      input_tokens_details: { cache_read_input_tokens: 20, cache_creation_input_tokens: 30 },
      output_tokens: 80,
      cost: { currency: "USD", input_cost: 0.001, output_cost: 0.002, total_cost: 0.008 },
      tool_calls_details: { web_search: { invocation: 2 } },
    },
  },
  xai: {
    object: "response",
    status: "completed",
    error: null,
    model: "grok-4.6",
    citations: ["https://a.example/", "https://b.example/", "https://c.example/"],
    output: [
      {
        type: "web_search_call",
        action: {
          type: "search",
          query: "best phone",
          sources: [{ type: "url", url: "https://a.example/" }],
        },
      },
      {
        type: "message",
        status: "completed",
        content: [
          {
            type: "output_text",
            text: "Acme.[[1]](https://b.example/)",
            annotations: [
              {
                type: "url_citation",
                url: "https://b.example/",
                start_index: 5,
                end_index: 30,
                title: "1",
              },
              { type: "url_citation", url: "https://a.example/", start_index: 0, end_index: 0 },
            ],
          },
        ],
      },
    ],
    usage: {
      input_tokens: 900,
      output_tokens: 80,
      cost_in_usd_ticks: 80_000_000,
      server_side_tool_usage_details: { web_search_calls: 1, x_search_calls: 0 },
    },
  },
} as const satisfies Partial<Record<Vendor, object>>;

/** The vendors that have a documented reply here. */
export const documentedVendors = ["openai", "anthropic", "gemini", "perplexity", "xai"] as const;
